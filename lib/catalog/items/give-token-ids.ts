import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { assertSupply, lockedStockOf } from '../collections/assert-supply.ts'
import { recordProvenance } from '../collections/reveal.ts'
import { sendRoyalties } from './send-royalties.ts'

/** The values of an item that locking fixes. */
type NumberedItem = { id: string; tokenId: string; maxSupply: bigint | null }

const MAX_TOKEN_ID = 2n ** 256n - 1n

/** The token ids of as many items: the next ones, or the one that was given by hand. Throws `token_id_invalid`. */
export function tokenIdsFor(collection: Collection, count: number, given: bigint | null): string[] {
  if (collection.tokenIdAssignment === 'AUTOMATIC') {
    if (given !== null)
      throw fieldError('token_id_invalid', 'token_id', 'Token ids of this collection are given automatically.')
    return Array.from({ length: count }, (_, at) => (collection.nextTokenId + BigInt(at)).toString())
  }
  if (given === null)
    throw fieldError(
      'token_id_invalid',
      'token_id',
      'Token ids of this collection are given by hand: lock items one by one, each with its token_id.',
      'required',
    )
  if (given > MAX_TOKEN_ID) throw fieldError('token_id_invalid', 'token_id', 'A token id is below 2^256.')
  return [given.toString()]
}

const itemLocked = () => new AppError('item_already_locked', 'This item is locked already.')

/**
 * Locks items of one collection, whose row must be locked: all or none. Throws `supply_invalid`, `alreadyLocked` of
 * those that it locked where others were locked before, a unique violation for a token id that is taken, and what the
 * database says of contents that are fixed.
 */
export async function giveTokenIds(
  tx: Context,
  collection: Collection,
  items: readonly NumberedItem[],
  alreadyLocked: (justLocked: ReadonlySet<string>) => AppError = itemLocked,
): Promise<void> {
  const locked = await tx.sql<{ id: string }>(Prisma.sql`
    UPDATE items SET token_id = given.token_id, locked_at = ${tx.now()}, max_supply = given.max_supply,
      updated_at = ${tx.now()}
    FROM unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ tokenId }) => tokenId)}::text[],
      ${items.map(({ maxSupply }) => maxSupply)}::bigint[])
      AS given (id, token_id, max_supply)
    WHERE items.id = given.id AND items.collection_id = ${collection.id}::uuid
      AND items.organization_id = ${tx.organizationId}::uuid AND items.locked_at IS NULL
    RETURNING items.id::text`)
  if (locked.length < items.length) throw alreadyLocked(new Set(locked.map(({ id }) => id)))
  if (collection.tokenIdAssignment === 'AUTOMATIC')
    await tx.db.collection.update({
      where: { id: collection.id },
      data: { nextTokenId: collection.nextTokenId + BigInt(items.length) },
    })
  assertSupply(collection, await lockedStockOf(tx, collection.id))
  await recordProvenance(tx, collection)
  await sendOwnRoyalties(
    tx,
    collection,
    items.map(({ id }) => id),
  )
}

async function sendOwnRoyalties(tx: Context, collection: Collection, itemIds: string[]): Promise<void> {
  if (collection.deploymentStatus !== 'SUCCESS') return
  await sendRoyalties(
    tx,
    collection,
    await tx.db.item.findMany({
      where: { id: { in: itemIds }, royaltyReceiver: { not: null } },
      orderBy: { id: 'asc' },
    }),
  )
}
