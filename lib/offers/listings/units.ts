import { type Listing, Prisma, type PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { suspendedError } from '../../platform/auth/suspended.ts'
import { AppError } from '../../core/errors.ts'
import { recordAudits } from '../../records/audit/record-audit.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { runIn, writeIn } from '../../db/organization-transaction.ts'
import { releaseHolds, resizeHold } from '../../stock/advance-hold.ts'
import { lockItems } from './choose-items.ts'
import { completionOf, countBuyersCall, countedOf, countSalesCall, uncountBuyersCall } from './count-sales.ts'
import { closedReasonOf, type Sale } from './eligibility.ts'
import { isSelling, remainingOf, statusOf } from './listing-state.ts'
import { lockListing } from './lock-listing.ts'
import { REFUSALS } from './obstacles.ts'
import { REASONS } from './reasons.ts'

// Confirms, returns and retakes the units that a purchase has reserved. Lock order: listing, items, hold, collection.

export type ItemUnits = { itemId: string; quantity: bigint }
type Intent = Pick<PurchaseIntent, 'id' | 'listingId' | 'quantity' | 'buyerMailbox' | 'buyerAddress'>
/** Rows that a transaction has locked don't say the last two: it asks for them otherwise. */
type Selling = Omit<Sale, 'suspended' | 'obstacle'> & Partial<Sale>

/** The refusal for a buyer who has, or would have, more than one may have. */
export const limitReached = ({ maxPerUser }: Pick<Listing, 'maxPerUser'>) =>
  new AppError('limit_reached', `One buyer can have ${maxPerUser} of this listing in all.`, {
    extra: { reason: 'LIMIT_REACHED' },
  })

/** Throws unless the listing sells now; checked before any lock, so that a flood is answered fast. */
export function assertSelling(listing: Selling, quantity: bigint, now: Date): void {
  const reason = closedReasonOf({ suspended: false, obstacle: null, ...listing }, now)
  switch (reason) {
    case 'SUSPENDED':
      throw suspendedError()
    case 'NOT_STARTED':
    case 'ENDED':
    case 'PAUSED':
    case 'CANCELLED':
      throw new AppError('listing_not_active', REASONS[reason], { extra: { listing_status: statusOf(listing, now) } })
    case null:
      if (quantity > remainingOf(listing)) throw REFUSALS.SOLD_OUT()
      return
    case 'SOLD_OUT':
    case 'PAYOUT_ADDRESS_MISSING':
    case 'PROVIDER_NOT_CONFIGURED':
    case 'RECOVERING':
    case 'OPERATOR_MISSING':
    case 'MINTED_ALREADY':
    case 'VOUCHER_KEY_MISSING':
    case 'GAS_BUDGET_SPENT':
    case 'MAIL_QUOTA_SPENT':
      throw REFUSALS[reason]()
  }
}

/**
 * Reserves again the units of a purchase that had returned them and was paid afterwards. Neither the policy's list nor
 * times are checked; null when the listing is cancelled or not enough is left.
 */
export async function retakeUnits(tx: Context, intent: Intent): Promise<ItemUnits[] | null> {
  const { quantity } = intent
  const listing = await lockListing(tx, intent.listingId)
  if (listing.status === 'CANCELLED' || remainingOf(listing) < quantity) return null
  const selling = isSelling(listing.status)
  if (selling ? (await heldBy(tx, listing.id)) < quantity : (await freeUnits(tx, listing)) < quantity) return null
  const items = await lockItems(runIn(tx), listing, quantity)
  if (listing.itemId === null && BigInt(items.length) < quantity) return null
  await writeIn(tx, countSalesCall(listing, { open: quantity }, { now: tx.now() }))
  if (selling) await resizeHold(tx, { type: 'LISTING', id: listing.id }, -quantity)
  return items.map(({ id }) => ({ itemId: id, quantity: listing.itemId === null ? 1n : quantity }))
}

/**
 * Returns everything that a purchase reserved: to its listing while that can still sell, else to stock. Releases the
 * purchase's own holds; units that it had passed on must be returned or released before. Call it once.
 */
export async function returnUnits(
  tx: Context,
  intent: Intent,
  { from }: { from: 'open' | 'confirmed' },
): Promise<void> {
  const listing = await lockListing(tx, intent.listingId)
  await writeIn(tx, countSalesCall(listing, { [from]: -intent.quantity }, { now: tx.now() }))
  if (from === 'confirmed') await writeIn(tx, uncountBuyersCall(listing, intent))
  await releaseHolds(tx, { type: 'PURCHASE', id: intent.id })
  if (!isSelling(listing.status)) return
  // Foreign mints may have taken the freed units: a listing never holds more than there is.
  const free = await freeUnits(tx, listing)
  const back = free < intent.quantity ? free : intent.quantity
  if (back > 0n) await resizeHold(tx, { type: 'LISTING', id: listing.id }, back)
}

/**
 * Counts a purchase's open units as sold, to its buyer too. The last ones complete the listing. Returns false, and
 * changes nothing, when `max_per_user` is exceeded by that; `limited` false counts them nevertheless.
 */
export async function confirmUnits(tx: Context, intent: Intent, { limited }: { limited: boolean }): Promise<boolean> {
  const listing = await lockListing(tx, intent.listingId)
  const { quantity } = intent
  if (limited && !(await mayHave(tx, listing, intent))) return false
  await writeIn(tx, countBuyersCall(listing, [intent]))
  const completion = completionOf(listing, quantity)
  const isComplete = completion !== null
  await writeIn(tx, countSalesCall(listing, { open: -quantity, confirmed: quantity }, { isComplete, now: tx.now() }))
  if (!completion) return true
  await releaseHolds(tx, { type: 'LISTING', id: listing.id })
  await recordAudits(tx, completion.audits)
  await recordEvent(tx, 'listing.completed', listing.id, completion.event)
  return true
}

/** Whether each identity may have the units besides those that it has confirmed. */
async function mayHave(tx: Context, { id, maxPerUser }: Listing, intent: Intent): Promise<boolean> {
  const identities = countedOf(intent)
  if (maxPerUser === null || identities.length === 0) return true
  const counted = await tx.db.listingBuyer.findMany({ where: { listingId: id, OR: identities } })
  return [{ quantity: 0n }, ...counted].every(({ quantity }) => quantity + intent.quantity <= maxPerUser)
}

async function heldBy(tx: Context, listingId: string): Promise<bigint> {
  const hold = await tx.db.hold.findFirst({
    where: { holderType: 'LISTING', holderId: listingId, state: 'HELD' },
    select: { quantity: true },
  })
  return hold?.quantity ?? 0n
}

/**
 * The free units of the listing's item or of its collection's pool. An item counts only as far as its pool allows; a
 * token in custody is in no pool.
 */
async function freeUnits(tx: Context, { itemId, collectionId }: Listing): Promise<bigint> {
  const [row] = await tx.sql<{ free: bigint | null }>(
    itemId
      ? Prisma.sql`
          SELECT CASE WHEN i.max_supply IS NULL THEN NULL WHEN i.kept_by IS NOT NULL THEN givable_units(i)
            WHEN c.pool_held > 0 THEN least(free_units(i), greatest(0, c.pool_free - c.pool_held))
            ELSE free_units(i) END AS free
          FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = ${itemId}::uuid FOR NO KEY UPDATE OF i`
      : Prisma.sql`
          SELECT greatest(0, pool_free - pool_held) AS free FROM collections
          WHERE id = ${collectionId}::uuid FOR NO KEY UPDATE`,
  )
  return row ? (row.free ?? UNLIMITED) : 0n
}
const UNLIMITED = 10n ** 15n
