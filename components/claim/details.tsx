import { useTranslations } from 'next-intl'
import { ChevronRight } from 'lucide-react'
import { Address } from '@/components/ui/address'
import { Fact, Facts } from '@/components/ui/facts'
import { PlainLink } from '@/components/ui/plain-link'
import type { NetworkFacts } from '@/components/shared/network'
import type { ClaimView } from './claim'

/** Technical details, collapsed. */
export function Details({
  claim,
  network,
  sentHash,
  showsDelivery,
}: {
  claim: ClaimView
  network: NetworkFacts
  sentHash: string | null
  /** A stranger with the link isn't led to who got it. */
  showsDelivery: boolean
}) {
  const t = useTranslations('claim.details')
  const tCommon = useTranslations('common')
  const hash = showsDelivery ? (claim.delivery.tx_hash ?? sentHash) : null
  const contract = claim.item?.token_contract.address
  const number = claim.delivery.token_id ?? claim.item?.token_id
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
        <Fact name={t('network')}>{network.name}</Fact>
        {contract && (
          <Fact name={t('contract')}>
            <Address value={contract} copyLabel={tCommon('copy.contract')} />
          </Fact>
        )}
        {number && (
          <Fact name={t('token')}>
            <span className="figures break-all">{number}</span>
          </Fact>
        )}
        {showsDelivery && (
          <Fact name={t('transaction')}>
            {hash ? (
              <Address value={hash} copyLabel={tCommon('copy.transaction')} />
            ) : (
              <span className="text-muted">{t('noneYet')}</span>
            )}
          </Fact>
        )}
        {hash && claim.delivery.explorer_url && (
          <Fact name={t('explorer')}>
            <PlainLink href={claim.delivery.explorer_url}>{t('seeThere')}</PlainLink>
          </Fact>
        )}
      </Facts>
    </details>
  )
}
