import { randomInt } from 'node:crypto'
import { type Listing, Prisma, type PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { suspendedError } from '../../platform/auth/suspended.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { releaseHolds, resizeHold } from '../../stock/advance-hold.ts'
import { advanceListing } from './advance-listing.ts'
import {
  type Buyer,
  addBuyerUnits,
  countedIdentitiesOf,
  identitiesOf,
  isAdmitted,
  mayHaveUnits,
  subtractBuyerUnits,
} from './buyer-units.ts'
import { closedReasonOf, type Sale } from './eligibility.ts'
import { isSelling, remainingOf, statusOf } from './listing-state.ts'
import { lockListing } from './lock-listing.ts'
import { REFUSALS } from './obstacles.ts'
import { REASONS } from './reasons.ts'

// With count-sales.ts the only writers of a listing’s counters and of its buyers’. Lock order: listing, items, hold, collection.

export type ItemUnits = { itemId: string; quantity: bigint }
type Intent = Pick<PurchaseIntent, 'id' | 'listingId' | 'quantity' | 'buyerMailbox' | 'buyerAddress'>
type Limited = Pick<Listing, 'maxPerUser'>
/** Rows that a transaction has locked don't say the last two: it asks for them otherwise. */
type Selling = Omit<Sale, 'suspended' | 'obstacle'> & Partial<Sale>

/** The refusal for a buyer who has, or would have, more than one may have. */
export const limitReached = ({ maxPerUser }: Limited) =>
  new AppError('limit_reached', `One buyer can have ${maxPerUser} of this listing in all.`, {
    extra: { reason: 'LIMIT_REACHED' },
  })

export const soldOut = REFUSALS.SOLD_OUT

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
      if (quantity > remainingOf(listing)) throw soldOut()
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
 * Reserves units of a listing for a buyer: policy, limits and stock are decided here. Returns the items, which are free
 * and locked; the caller holds them for its purchase in the same transaction.
 */
export async function takeUnits(
  tx: Context,
  listing: Listing,
  { quantity, buyer }: { quantity: bigint; buyer: Buyer },
): Promise<ItemUnits[]> {
  assertSelling(listing, quantity, tx.now())
  const fresh = await openUnits(tx, listing.id, quantity)
  if (quantity > fresh.maxQuantityPerTx)
    throw fieldError(
      'quantity_invalid',
      'quantity',
      `At most ${fresh.maxQuantityPerTx} of this listing can be bought at once.`,
    )
  if (!(await isAdmitted(tx, fresh, identitiesOf(buyer))))
    throw new AppError('not_eligible', REASONS.NOT_ON_LIST, { extra: { reason: 'NOT_ON_LIST' } })
  const { maxPerUser } = fresh
  if (maxPerUser !== null && !(await mayHaveUnits(tx, fresh.id, countedIdentitiesOf(buyer), quantity, maxPerUser)))
    throw limitReached(fresh)
  const units = await chooseUnits(tx, fresh, quantity)
  if (!(await resizeHold(tx, { type: 'LISTING', id: fresh.id }, -quantity))) throw soldOut()
  return units
}

/**
 * Reserves again the units of a purchase that had returned them and was paid afterwards. Neither the policy's list nor times are
 * checked; null when the listing is cancelled or not enough is left.
 */
export async function retakeUnits(tx: Context, intent: Intent): Promise<ItemUnits[] | null> {
  const { quantity } = intent
  const listing = await lockListing(tx, intent.listingId)
  if (listing.status === 'CANCELLED' || remainingOf(listing) < quantity) return null
  const selling = isSelling(listing.status)
  if (selling ? (await heldBy(tx, listing.id)) < quantity : (await freeUnits(tx, listing)) < quantity) return null
  const units = await chooseUnits(tx, listing, quantity, { orNull: true })
  if (!units) return null
  await tx.db.listing.updateMany({ where: { id: listing.id }, data: { quantityOpen: { increment: quantity } } })
  if (selling) await resizeHold(tx, { type: 'LISTING', id: listing.id }, -quantity)
  return units
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
  const change = { decrement: intent.quantity }
  await tx.db.listing.updateMany({
    where: { id: listing.id },
    data: from === 'open' ? { quantityOpen: change } : { quantityConfirmed: change },
  })
  if (from === 'confirmed') await subtractBuyerUnits(tx, listing.id, countedFor(intent), intent.quantity)
  await releaseHolds(tx, { type: 'PURCHASE', id: intent.id })
  if (!isSelling(listing.status)) return
  // Foreign mints may have taken the freed units: a listing never holds more than there is.
  const free = await freeUnits(tx, listing)
  const back = free < intent.quantity ? free : intent.quantity
  if (back > 0n) await resizeHold(tx, { type: 'LISTING', id: listing.id }, back)
}

/**
 * Counts a purchase's open units as sold, to its buyer too. The last ones complete the listing. Returns false, and changes nothing,
 * when `max_per_user` is exceeded by that; `limited` false counts them nevertheless.
 */
export async function confirmUnits(tx: Context, intent: Intent, { limited }: { limited: boolean }): Promise<boolean> {
  const listing = await lockListing(tx, intent.listingId)
  const max = limited ? listing.maxPerUser : null
  if (!(await addBuyerUnits(tx, listing, countedFor(intent), intent.quantity, max))) return false
  await tx.db.listing.updateMany({
    where: { id: listing.id },
    data: { quantityOpen: { decrement: intent.quantity }, quantityConfirmed: { increment: intent.quantity } },
  })
  const isLast = listing.quantityConfirmed + intent.quantity >= listing.quantityListed
  if (isLast && (listing.status === 'ACTIVE' || listing.status === 'PAUSED' || listing.status === 'EXPIRED'))
    await advanceListing(tx, listing, 'COMPLETE')
  else if (isLast && listing.status === 'SCHEDULED')
    await advanceListing(tx, await advanceListing(tx, listing, 'ACTIVE'), 'COMPLETE')
  return true
}

/** As they were counted when it was made. */
const countedFor = ({ buyerMailbox, buyerAddress }: Intent) =>
  identitiesOf({ email: buyerMailbox, address: buyerAddress })

/** Counts units as open, in one conditional statement that also locks the listing. */
async function openUnits(tx: Context, id: string, quantity: bigint): Promise<Listing> {
  const now = tx.now().toISOString()
  const [opened] = await tx.sql(Prisma.sql`
    UPDATE listings SET quantity_open = quantity_open + ${quantity}::bigint, updated_at = ${now}::timestamptz
    WHERE id = ${id}::uuid AND status IN ('ACTIVE', 'SCHEDULED')
      AND (starts_at IS NULL OR starts_at <= ${now}::timestamptz) AND (ends_at IS NULL OR ends_at > ${now}::timestamptz)
      AND quantity_open + quantity_confirmed + ${quantity}::bigint <= quantity_listed
    RETURNING id`)
  const row = await tx.db.listing.findFirst({ where: { id } })
  if (opened && row) return row
  if (row) assertSelling(row, quantity, tx.now())
  throw soldOut()
}

/** The items to sell: the listing's item, or free items of its collection, lowest token ids or random, and locked. */
async function chooseUnits(tx: Context, listing: Listing, quantity: bigint): Promise<ItemUnits[]>
async function chooseUnits(
  tx: Context,
  listing: Listing,
  quantity: bigint,
  options: { orNull: true },
): Promise<ItemUnits[] | null>
async function chooseUnits(
  tx: Context,
  listing: Listing,
  quantity: bigint,
  { orNull = false } = {},
): Promise<ItemUnits[] | null> {
  if (listing.itemId) return [{ itemId: listing.itemId, quantity }]
  // Items that others have locked are skipped; only when nothing else is left, we wait for them.
  const drawn = listing.assignment === 'RANDOM' ? await drawItems(tx, listing, quantity) : []
  const ids = BigInt(drawn.length) < quantity ? await freeItems(tx, listing, quantity, Prisma.sql`SKIP LOCKED`) : drawn
  const more = BigInt(ids.length) < quantity ? await freeItems(tx, listing, quantity, Prisma.empty) : ids
  if (BigInt(more.length) === quantity) return more.map((itemId) => ({ itemId, quantity: 1n }))
  if (orNull) return null
  throw soldOut()
}

/** There is an index for this condition and order. */
const freeOf = (collectionId: string) => Prisma.sql`collection_id = ${collectionId}::uuid AND is_free`
const BY_TOKEN_ID = Prisma.sql`length(token_id), token_id`

async function freeItems(
  tx: Context,
  { collectionId, assignment }: Listing,
  quantity: bigint,
  locked: Prisma.Sql,
): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM items WHERE ${freeOf(collectionId)}
    ORDER BY ${assignment === 'RANDOM' ? Prisma.sql`random()` : BY_TOKEN_ID} LIMIT ${quantity} FOR UPDATE ${locked}`)
  return rows.map(({ id }) => id)
}

const MOST_DRAWN = 50n

/** Draws random free items without sorting all of them. Returns fewer when others have locked some of those drawn. */
async function drawItems(tx: Context, { collectionId }: Listing, quantity: bigint): Promise<string[]> {
  const { poolFree } = await tx.db.collection.findFirstOrThrow({
    where: { id: collectionId },
    select: { poolFree: true },
  })
  if (quantity > MOST_DRAWN || poolFree < quantity * 2n) return []
  const lots = new Set<number>()
  while (lots.size < Number(quantity)) lots.add(randomInt(Number(poolFree)))
  const rows = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT i.id::text FROM items i WHERE ${freeOf(collectionId)} AND i.id IN (
      SELECT drawn.id FROM unnest(${[...lots]}::int[]) AS lot (at)
      CROSS JOIN LATERAL (SELECT id FROM items WHERE ${freeOf(collectionId)} ORDER BY ${BY_TOKEN_ID} OFFSET lot.at LIMIT 1) drawn
    ) FOR UPDATE SKIP LOCKED`)
  return rows.map(({ id }) => id)
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
            WHEN c.pool_held > 0 THEN least(free_units(i), greatest(0, c.pool_free - c.pool_held)) ELSE free_units(i) END AS free
          FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = ${itemId}::uuid FOR NO KEY UPDATE OF i`
      : Prisma.sql`SELECT greatest(0, pool_free - pool_held) AS free FROM collections WHERE id = ${collectionId}::uuid FOR NO KEY UPDATE`,
  )
  return row ? (row.free ?? UNLIMITED) : 0n
}
const UNLIMITED = 10n ** 15n
