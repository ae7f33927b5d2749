import { StateBadge } from '@/components/ui/badge'

/** An item's state: not locked, locked, then its state on the chain. */
export function TokenBadge({ item }: { item: { locked: boolean; token_status: string } }) {
  if (!item.locked) return <StateBadge state="DRAFT" label="Not locked" />
  if (item.token_status === 'NOT_MINTED') return <StateBadge state="NOT_MINTED" label="Locked" tone="info" />
  return <StateBadge state={item.token_status} />
}
