import { ChevronRight } from 'lucide-react'
import { Address } from '@/components/ui/address'
import { Fact, Facts } from '@/components/ui/facts'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import type { NetworkFacts } from '@/components/shared/network'
import type { PurchaseView } from './purchase'

type Props = { purchase: PurchaseView; network: NetworkFacts; total: string; sentHash: string | null }

/** Technical details, collapsed. */
export function PurchaseDetails({ purchase, network, total, sentHash }: Props) {
  const { delivery, units } = purchase
  const hash = delivery.tx_hash ?? sentHash
  const numbers = units.map(({ token_id }) => token_id).filter((token) => token !== null)
  return (
    <details className="group rounded-md border bg-pane">
      <summary className="flex min-h-11 items-center justify-between px-4 text-sm font-medium">
        Details
        <ChevronRight aria-hidden="true" className="size-4 text-muted transition-transform group-open:rotate-90" />
      </summary>
      <Facts className="border-t px-4">
        <Fact name="Purchase">
          <Address value={purchase.id} copyLabel="Copy purchase number" />
        </Fact>
        <Fact name="Begun">
          <Time at={purchase.created_at} />
        </Fact>
        <Fact name="Price">{BigInt(purchase.price) === 0n ? 'Free' : total}</Fact>
        {purchase.eth_address && (
          <Fact name="Goes to">
            <Address value={purchase.eth_address} />
          </Fact>
        )}
        <Fact name="Network">{network.name}</Fact>
        {numbers.length > 0 && (
          <Fact name={numbers.length === 1 ? 'Token' : 'Tokens'}>
            <span className="figures break-all">{numbers.join(', ')}</span>
          </Fact>
        )}
        <Fact name="Transaction">
          {hash ? <Address value={hash} copyLabel="Copy transaction" /> : <span className="text-muted">None yet</span>}
        </Fact>
        {delivery.tx_hash && delivery.explorer_url && (
          <Fact name="Explorer">
            <TextLink href={delivery.explorer_url}>See it there</TextLink>
          </Fact>
        )}
      </Facts>
    </details>
  )
}
