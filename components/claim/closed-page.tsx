import { EmptyCase } from '@/components/ui/empty-state'
import { Closed, type ClosedReason } from './closed'

/** A whole page for a link that can't be redeemed and shows no item. */
export function ClosedPage({ reason }: { reason: ClosedReason }) {
  return (
    <>
      <EmptyCase />
      <Closed reason={reason} level={1} />
    </>
  )
}
