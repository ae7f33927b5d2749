import { useTranslations } from 'next-intl'
import { Badge, StateBadge } from '@/components/ui/badge'
import type { Tone } from '@/components/ui/badge'
import type { LISTING_STATUSES } from '@/lib/platform/api/listing-record'

type ListingState = { status: (typeof LISTING_STATUSES)[number]; sold_out: boolean; mode: 'TEST' | 'LIVE' }

const TONES: Partial<Record<ListingState['status'], Tone>> = {
  ACTIVE: 'positive',
  SCHEDULED: 'info',
  PAUSED: 'warning',
  COMPLETE: 'positive',
}

/** A listing's state, and whether it is in test mode. */
export function ListingBadge({ listing }: { listing: ListingState }) {
  const t = useTranslations('dashboard.listings')
  const soldOut = listing.status === 'ACTIVE' && listing.sold_out
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <StateBadge
        state={listing.status}
        label={soldOut ? t('states.allTaken') : t(`states.${listing.status}`)}
        tone={soldOut ? 'warning' : (TONES[listing.status] ?? 'neutral')}
      />
      {listing.mode === 'TEST' && <Badge>{t('states.test')}</Badge>}
    </span>
  )
}
