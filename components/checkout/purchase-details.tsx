import { ChevronRight } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { Fact, Facts } from '@/components/ui/facts'
import { PlainLink } from '@/components/ui/plain-link'
import { Time } from '@/components/ui/time'
import { formatTagOf } from '@/lib/core/format-tag'
import type { NetworkFacts } from '@/components/shared/network'
import type { PurchaseView } from './purchase'

type Props = { purchase: PurchaseView; network: NetworkFacts; total: string; sentHash: string | null }

/** Technical details, collapsed. */
export function PurchaseDetails({ purchase, network, total, sentHash }: Props) {
  const t = useTranslations('purchase.details')
  const tCommon = useTranslations('common')
  const tOrder = useTranslations('order')
  const locale = useLocale()
  const { delivery, units } = purchase
  const hash = delivery.tx_hash ?? sentHash
  const numbers = units.map(({ token_id }) => token_id).filter((token) => token !== null)
  return (
    <details className="group rounded-md border bg-pane">
      <summary className="flex min-h-11 items-center justify-between px-4 text-sm font-medium">
        <span>{t('title')}</span>
        <ChevronRight
          aria-hidden="true"
          className="size-4 text-muted transition-transform group-open:rotate-90 rtl:not-group-open:-scale-x-100"
        />
      </summary>
      <Facts className="border-t px-4">
        <Fact name={t('purchase')}>
          <Address value={purchase.id} copyLabel={t('copyNumber')} />
        </Fact>
        <Fact name={t('begun')}>
          <Time at={purchase.created_at} />
        </Fact>
        <Fact name={t('price')}>{BigInt(purchase.price) === 0n ? tOrder('free') : total}</Fact>
        {purchase.eth_address && (
          <Fact name={t('goesTo')}>
            <Address value={purchase.eth_address} />
          </Fact>
        )}
        <Fact name={t('network')}>
          <bdi>{network.name}</bdi>
        </Fact>
        {numbers.length > 0 && (
          <Fact name={t(numbers.length === 1 ? 'token' : 'tokens')}>
            <span className="figures break-all">
              {new Intl.ListFormat(formatTagOf(locale), { type: 'unit' }).format(numbers)}
            </span>
          </Fact>
        )}
        <Fact name={t('transaction')}>
          {hash ? (
            <Address value={hash} copyLabel={tCommon('copy.transaction')} />
          ) : (
            <span className="text-muted">{t('noneYet')}</span>
          )}
        </Fact>
        {delivery.tx_hash && delivery.explorer_url && (
          <Fact name={t('explorer')}>
            <PlainLink href={delivery.explorer_url}>{t('seeThere')}</PlainLink>
          </Fact>
        )}
      </Facts>
    </details>
  )
}
