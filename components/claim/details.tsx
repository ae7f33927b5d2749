import { ChevronRight } from 'lucide-react'
import { Address } from '@/components/ui/address'
import { Fact, Facts } from '@/components/ui/facts'
import { TextLink } from '@/components/ui/text-link'
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
  const hash = showsDelivery ? (claim.delivery.tx_hash ?? sentHash) : null
  const contract = claim.item?.token_contract.address
  const number = claim.delivery.token_id ?? claim.item?.token_id
  return (
    <details className="group rounded-md border bg-pane">
      <summary className="flex min-h-11 items-center justify-between px-4 text-sm font-medium">
        Details
        <ChevronRight aria-hidden="true" className="size-4 text-muted transition-transform group-open:rotate-90" />
      </summary>
      <Facts className="border-t px-4">
        <Fact name="Network">{network.name}</Fact>
        {contract && (
          <Fact name="Contract">
            <Address value={contract} noun="contract" />
          </Fact>
        )}
        {number && (
          <Fact name="Token">
            <span className="figures break-all">{number}</span>
          </Fact>
        )}
        {showsDelivery && (
          <Fact name="Transaction">
            {hash ? <Address value={hash} noun="transaction" /> : <span className="text-muted">None yet</span>}
          </Fact>
        )}
        {hash && claim.delivery.explorer_url && (
          <Fact name="Explorer">
            <TextLink href={claim.delivery.explorer_url}>See it there</TextLink>
          </Fact>
        )}
      </Facts>
    </details>
  )
}
