import type { Listing, ListingStatus, PurchaseIntent } from '../../../generated/prisma/client.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import type { Audited } from '../../records/audit/record-audit.ts'
import { identitiesOf } from './buyer-units.ts'
import { listingEventOf } from './listing-event.ts'

// The only writer of a listing’s counters and of its buyers’. Lock the listing before.

const COUNT_SALES: Statement = {
  name: 'count_sales',
  text: `UPDATE listings SET quantity_open = quantity_open + $2::bigint,
      quantity_confirmed = quantity_confirmed + $3::bigint,
      status = CASE WHEN $4::boolean THEN 'COMPLETE' ELSE status END,
      paused_for_payout = paused_for_payout AND NOT $4::boolean,
      completed_at = CASE WHEN $4::boolean THEN $5::timestamptz ELSE completed_at END,
      updated_at = $5::timestamptz
    WHERE id = $1::uuid`,
}

/**
 * The statement that counts units of purchases, or with negative numbers no longer does, at a locked listing, which
 * `isComplete` ends.
 */
export const countSalesCall = (
  { id }: Pick<Listing, 'id'>,
  { open = 0n, confirmed = 0n }: { open?: bigint; confirmed?: bigint },
  { isComplete = false, now }: { isComplete?: boolean; now: Date },
): Call => call(COUNT_SALES, id, open, confirmed, isComplete, now)

/** The statuses in which the last unit completes a listing. Units bought before it expired may do so afterwards. */
const OPEN: readonly ListingStatus[] = ['SCHEDULED', 'ACTIVE', 'PAUSED', 'EXPIRED']

/**
 * The audit entries and the event of a locked listing's end; null where `confirmed` more units don't complete it. A
 * listing that began by the clock becomes active first.
 */
export function completionOf(listing: Sold, confirmed: bigint) {
  const { id, status } = listing
  const quantityConfirmed = listing.quantityConfirmed + confirmed
  if (confirmed <= 0n || quantityConfirmed < listing.quantityListed || !OPEN.includes(status)) return null
  const steps = status === 'SCHEDULED' ? ['SCHEDULED', 'ACTIVE', 'COMPLETE'] : [status, 'COMPLETE']
  const audits = steps.slice(1).map((after, at): Audited => ({
    action: 'listing.advanced',
    subject: { type: 'listing', id },
    before: { status: steps[at] },
    after: { status: after },
  }))
  return { audits, event: listingEventOf({ ...listing, status: 'COMPLETE', quantityConfirmed }) }
}
type Sold = Parameters<typeof listingEventOf>[0]

const COUNT_BUYERS: Statement = {
  name: 'count_buyers',
  text: `INSERT INTO listing_buyers AS b (organization_id, listing_id, kind, identity, quantity)
    SELECT $1::uuid, $2::uuid, n.kind::"IdentityKind", n.identity, sum(n.quantity)::bigint
    FROM unnest($3::text[], $4::text[], $5::bigint[]) AS n(kind, identity, quantity) GROUP BY n.kind, n.identity
    ON CONFLICT (listing_id, kind, identity) DO UPDATE SET quantity = b.quantity + excluded.quantity`,
}
const UNCOUNT_BUYERS: Statement = {
  name: 'uncount_buyers',
  text: `UPDATE listing_buyers b SET quantity = greatest(0, b.quantity - n.quantity)
    FROM unnest($3::text[], $4::text[], $5::bigint[]) AS n(kind, identity, quantity)
    WHERE b.organization_id = $1::uuid AND b.listing_id = $2::uuid AND b.kind = n.kind::"IdentityKind"
      AND b.identity = n.identity`,
}

type Of = Pick<Listing, 'id' | 'organizationId'>
type Bought = Pick<PurchaseIntent, 'buyerAddress' | 'buyerMailbox' | 'quantity'>

/**
 * The statement that adds confirmed units to what the buyers of a locked listing have. That they may have them was
 * decided before.
 */
export const countBuyersCall = (listing: Of, purchases: readonly Bought[]): Call =>
  buyersCall(COUNT_BUYERS, listing, purchases)

/** The statement that takes a purchase's confirmed units from what its buyer has. */
export const uncountBuyersCall = (listing: Of, purchase: Bought): Call =>
  buyersCall(UNCOUNT_BUYERS, listing, [purchase])

function buyersCall(statement: Statement, { id, organizationId }: Of, purchases: readonly Bought[]): Call {
  const counts = purchases.flatMap((purchase) =>
    countedOf(purchase).map((identity) => ({ ...identity, quantity: purchase.quantity })),
  )
  return call(
    statement,
    organizationId,
    id,
    counts.map(({ kind }) => kind),
    counts.map(({ identity }) => identity),
    counts.map(({ quantity }) => quantity),
  )
}

/** The identities for which a purchase counts, as they were when it was made. */
export const countedOf = ({ buyerAddress, buyerMailbox }: Omit<Bought, 'quantity'>) =>
  identitiesOf({ address: buyerAddress, email: buyerMailbox })
