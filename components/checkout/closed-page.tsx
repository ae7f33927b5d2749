import { EmptyCase } from '@/components/ui/empty-state'
import { Closed, type ClosedReason } from './closed'

/** A whole page that says why nothing can be bought here. */
export function ClosedPage({ reason }: { reason: ClosedReason }) {
  return (
    <>
      <EmptyCase />
      <Closed reason={reason} level={1} />
    </>
  )
}
