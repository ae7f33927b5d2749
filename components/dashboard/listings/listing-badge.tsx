import { Badge, StateBadge } from '@/components/ui/badge'
import type { Tone } from '@/components/ui/badge'
import { LISTING_STATES } from './selling-labels'

type ListingState = { status: keyof typeof LISTING_STATES; sold_out: boolean; mode: 'TEST' | 'LIVE' }

const TONES: Partial<Record<ListingState['status'], Tone>> = {
  ACTIVE: 'positive',
  SCHEDULED: 'info',
  PAUSED: 'warning',
  COMPLETE: 'positive',
}

/** A listing's state, and whether it is in test mode. */
export function ListingBadge({ listing }: { listing: ListingState }) {
  const soldOut = listing.status === 'ACTIVE' && listing.sold_out
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <StateBadge
        state={listing.status}
        label={soldOut ? 'All taken' : LISTING_STATES[listing.status]}
        tone={soldOut ? 'warning' : (TONES[listing.status] ?? 'neutral')}
      />
      {listing.mode === 'TEST' && <Badge>Test</Badge>}
    </span>
  )
}
