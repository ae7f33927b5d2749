import type { HolderType } from '../../generated/prisma/client.ts'
import type { Context, SystemContext } from '../platform/auth/context.ts'
import { HOUR } from '../core/clock.ts'
import { AppError, inEscrow } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { arePromisesHeld, isEscrowRefused, isSoldOut } from '../db/errors.ts'

export type Holder = { type: HolderType; id: string }
/** Of an item; of a collection's pool where `itemId` is null. */
export type Units = { collectionId: string; itemId: string | null; quantity: bigint }

export const soldOut = (detail = 'Not enough units of this item are left.') => new AppError('sold_out', detail)

/** A backup was put back: vouchers that the books don't know may still mint units of the collection. */
export const promisesHeld = () =>
  new AppError(
    'recovering',
    'Nothing of this collection is given away for some days: ' +
      'the records were put back from a backup, and earlier mint vouchers may still be valid.',
    { retryAfterSeconds: HOUR },
  )

/** The error that the caller throws for the database's refusal of a hold. Any other error is returned as it is. */
export function stockError(error: unknown, detail?: string): unknown {
  if (isSoldOut(error)) return soldOut(detail)
  if (isEscrowRefused(error)) return inEscrow()
  return arePromisesHeld(error) ? promisesHeld() : error
}

/**
 * Sets units aside for one holder, of a locked item or of a collection's pool. The database refuses what isn't there:
 * 409 sold_out, with `detail` where it is given. 409 recovering while nothing of the collection may be promised.
 */
export async function holdUnits(
  tx: Context,
  holder: Holder,
  units: Units,
  detail?: string,
): Promise<{ holdId: string }> {
  const [holdId] = await holdUnitsOfMany(tx, [{ ...units, holder }], detail)
  return { holdId: holdId! }
}

/**
 * Sets units aside for many holders in one statement: all or none. Whoever holds units of several items has locked them
 * before. Returns the ids of the holds, in order. Throws what `holdUnits` throws.
 */
export async function holdUnitsOfMany(
  tx: Context,
  requests: readonly (Units & { holder: Holder })[],
  detail?: string,
): Promise<string[]> {
  if (requests.length === 0) return []
  const rows = requests.map(({ holder, ...units }) => ({
    id: newId(),
    organizationId: tx.organizationId,
    holderType: holder.type,
    holderId: holder.id,
    createdAt: tx.now(),
    ...units,
  }))
  try {
    await tx.db.hold.createMany({ data: rows })
  } catch (error) {
    throw stockError(error, detail)
  }
  return rows.map(({ id }) => id)
}

type Arrived = { organizationId: string; collectionId: string; itemId: string }

/**
 * Holds tokens that have come into custody for their escrows, whatever the stock rule says. For the indexer, with the
 * items locked.
 */
export const holdInEscrow = (tx: SystemContext, arrived: readonly (Arrived & { escrowId: string })[]): Promise<void> =>
  holdArrived(
    tx,
    arrived.map(({ escrowId, ...place }) => ({ ...place, holderType: 'ESCROW', holderId: escrowId })),
  )

/**
 * Holds tokens that have come into custody and of which it isn't known yet for whom they came, whatever the stock rule
 * says. Their holder is `arrivalId`, the move in item_history. For the indexer, with the items locked.
 */
export const holdArrivals = (tx: SystemContext, arrived: readonly (Arrived & { arrivalId: string })[]): Promise<void> =>
  holdArrived(
    tx,
    arrived.map(({ arrivalId, ...place }) => ({ ...place, holderType: 'ARRIVAL', holderId: arrivalId })),
  )

async function holdArrived(
  tx: SystemContext,
  arrived: readonly (Arrived & { holderType: 'ESCROW' | 'ARRIVAL'; holderId: string })[],
): Promise<void> {
  if (arrived.length === 0) return
  await tx.db.hold.createMany({
    data: arrived.map((row) => ({ id: newId(), ...row, quantity: 1n, createdAt: tx.now() })),
  })
}
