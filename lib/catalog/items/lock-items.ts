import type { Collection } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { lockItems as endpoint } from '../../platform/api/items.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { lockCollection } from '../collections/lock-collection.ts'
import { AppError, fieldError, unknownId } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { giveTokenIds, tokenIdsFor } from './give-token-ids.ts'

type Body = Input<typeof endpoint>['body']
type LockItemsOutput = Output<typeof endpoint>
type Locked = { item_id: string; token_id: string }

/**
 * Assigns token ids to items and fixes their supply: all of the named items or none, or all unlocked items of a collection. Throws
 * `item_already_locked`, `token_id_taken`, `token_id_invalid`, `supply_invalid` and `contents_fixed`.
 */
export async function lockItems(ctx: Context, body: Body): Promise<LockItemsOutput> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const outputs: Locked[] = []
      for (const { collectionId, itemIds } of await targetsOf(tx, body))
        outputs.push(...(await lockInCollection(tx, await lockOf(tx, collectionId), itemIds, body)))
      return { lock_outputs: inRequestOrder(outputs, body) }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'token_id'))
      throw fieldError('token_id_taken', 'token_id', `Token id ${body.token_id} is taken in this collection.`)
    throw error
  }
}

const lockOf = (tx: Context, id: string) => lockCollection(tx, id, () => unknownId('collection_id', 'collection'))

type Target = { collectionId: string; itemIds: string[] | null }

/** Collections are locked in the order of their ids, so that two callers can't deadlock. */
async function targetsOf(tx: Context, { item_id, item_ids, collection_id }: Body): Promise<Target[]> {
  if (collection_id) return [{ collectionId: collection_id, itemIds: null }]
  const wanted = [...new Set(item_ids ?? [item_id!])]
  const rows = new Map(
    (await tx.db.item.findMany({ where: { id: { in: wanted } }, select: { id: true, collectionId: true } })).map(
      (row) => [row.id, row.collectionId],
    ),
  )
  const missing = wanted.find((id) => !rows.has(id))
  if (missing !== undefined) throw unknownId(item_ids ? `item_ids.${item_ids.indexOf(missing)}` : 'item_id', 'item')
  const byCollection = Map.groupBy(wanted, (id) => rows.get(id)!)
  return [...byCollection]
    .map(([collectionId, itemIds]) => ({ collectionId, itemIds }))
    .sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1))
}

async function lockInCollection(
  tx: Context,
  collection: Collection,
  named: string[] | null,
  body: Body,
): Promise<Locked[]> {
  const itemIds = named ?? (await listUnlockedIds(tx, collection.id))
  if (itemIds.length === 0) return []
  const tokenIds = tokenIdsFor(collection, itemIds.length, body.token_id ?? null)
  const maxSupply = body.max_supply ?? (collection.tokenType === 'ERC721' ? 1n : null)
  const given = itemIds.map((id, at) => ({ id, tokenId: tokenIds[at]!, maxSupply }))
  await giveTokenIds(tx, collection, given, (justLocked) => alreadyLocked(itemIds, justLocked, body))
  await recordAudit(tx, {
    action: 'items.locked',
    subject: named?.length === 1 ? { type: 'item', id: named[0]! } : { type: 'collection', id: collection.id },
    after: { first_token_id: tokenIds[0], count: itemIds.length, max_supply: maxSupply },
  })
  return itemIds.map((id, at) => ({ item_id: id, token_id: tokenIds[at]! }))
}

/** The unlocked items of a collection, oldest first. */
const listUnlockedIds = async (tx: Context, collectionId: string): Promise<string[]> =>
  (
    await tx.db.item.findMany({ where: { collectionId, lockedAt: null }, select: { id: true }, orderBy: { id: 'asc' } })
  ).map((row) => row.id)

function alreadyLocked(wanted: string[], justLocked: ReadonlySet<string>, { item_ids }: Body): AppError {
  const locked = wanted.filter((id) => !justLocked.has(id))
  const fields = locked.map((id) => ({
    field: item_ids ? `item_ids.${item_ids.indexOf(id)}` : 'item_id',
    code: 'item_already_locked',
    detail: 'This item is locked already.',
  }))
  const detail = item_ids
    ? `${locked.length} of these items are locked already; none of the others was locked.`
    : 'This item is locked already.'
  return new AppError('item_already_locked', detail, { fields: fields.slice(0, 100) })
}

function inRequestOrder(outputs: Locked[], { item_ids }: Body): Locked[] {
  if (!item_ids) return outputs
  const place = new Map(item_ids.map((id, at) => [id, at]))
  return outputs.sort((a, b) => place.get(a.item_id)! - place.get(b.item_id)!)
}
