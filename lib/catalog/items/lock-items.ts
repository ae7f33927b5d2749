import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { lockItems as endpoint } from '../../platform/api/items.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, withoutIdempotentResult } from '../../platform/auth/context.ts'
import { assertSupply, lockedStockOf, withMore } from '../collections/assert-supply.ts'
import { lockCollection } from '../collections/lock-collection.ts'
import { isHidden } from '../collections/reveal.ts'
import { AppError, fieldError, unknownId } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { giveTokenIds, tokenIdsFor } from './give-token-ids.ts'

type Body = Input<typeof endpoint>['body']
type LockItemsOutput = Output<typeof endpoint>
type Locked = { item_id: string; token_id: string }

/**
 * So many items of a collection are locked in one transaction. Purchases and claims wait for the collection no longer
 * than that, and a process that ends leaves whole batches: who asks again locks the rest.
 */
const ITEMS_AT_ONCE = 5_000

/**
 * Assigns token ids to items and fixes their supply: all of the named items or none, or the unlocked items of a
 * collection, in batches. Throws `item_already_locked`, `token_id_taken`, `token_id_invalid`, `supply_invalid` and
 * `contents_fixed`.
 */
export async function lockItems(ctx: Context, body: Body): Promise<LockItemsOutput> {
  try {
    return await (body.collection_id ? lockRemaining(ctx, body.collection_id, body) : lockNamed(ctx, body))
  } catch (error) {
    if (isUniqueViolation(error, 'token_id'))
      throw fieldError('token_id_taken', 'token_id', `${takenId(body)} is taken in this collection.`)
    throw error
  }
}

const takenId = ({ token_id }: Body): string =>
  token_id == null ? 'A token id that one of these items would get' : `Token id ${token_id}`

const lockNamed = (ctx: Context, body: Body): Promise<LockItemsOutput> =>
  inTransaction(ctx, async (tx) => {
    const outputs: Locked[] = []
    for (const { collectionId, itemIds } of await targetsOf(tx, body))
      outputs.push(...(await lockInCollection(tx, await lockOf(tx, collectionId), itemIds, body)))
    return { lock_outputs: inRequestOrder(outputs, body) }
  })

/** Locks the items that were unlocked when this began; new items are left for the next request. */
async function lockRemaining(ctx: Context, collectionId: string, body: Body): Promise<LockItemsOutput> {
  let batch: Batch = { lock_outputs: [], rest: await listUnlockedIds(ctx, collectionId) }
  do batch = await lockBatch(ctx, collectionId, batch, body)
  while (batch.rest.length > 0)
  return { lock_outputs: batch.lock_outputs }
}

/** The outputs of the items locked so far, and the ids of those that aren't locked yet. */
type Batch = LockItemsOutput & { rest: string[] }

function lockBatch(ctx: Context, collectionId: string, before: Batch, body: Body): Promise<Batch> {
  const isLast = before.rest.length <= ITEMS_AT_ONCE
  return inTransaction(isLast ? ctx : withoutIdempotentResult(ctx), async (tx) => {
    const collection = await lockOf(tx, collectionId)
    // A unit that is held between two batches would fix what is hidden, and the others could never be locked.
    const most = isHidden(collection) ? before.rest.length : ITEMS_AT_ONCE
    const rest = before.rest.slice(most)
    if (rest.length > 0 && before.lock_outputs.length === 0)
      await assertRoom(tx, collection, BigInt(before.rest.length), body)
    const itemIds = await stillUnlocked(tx, before.rest.slice(0, most))
    const locked = await lockInCollection(tx, collection, itemIds, body)
    return { lock_outputs: [...before.lock_outputs, ...locked], rest }
  })
}

/**
 * Throws `supply_invalid` where the collection can't have as many locked items more, before the first of them is
 * locked.
 */
async function assertRoom(tx: Context, collection: Collection, count: bigint, body: Body): Promise<void> {
  const more = { count, maxSupply: maxSupplyOf(collection, body), lastTokenId: collection.nextTokenId + count - 1n }
  assertSupply(collection, withMore(await lockedStockOf(tx, collection.id), more))
}

const lockOf = (tx: Context, id: string) => lockCollection(tx, id, () => unknownId('collection_id', 'collection'))

type Target = { collectionId: string; itemIds: string[] }

/** Collections are locked in the order of their ids, so that two callers can't deadlock. */
async function targetsOf(tx: Context, { item_id, item_ids }: Body): Promise<Target[]> {
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

async function lockInCollection(tx: Context, collection: Collection, itemIds: string[], body: Body): Promise<Locked[]> {
  if (itemIds.length === 0) return []
  const tokenIds = tokenIdsFor(collection, itemIds.length, body.token_id ?? null)
  const maxSupply = maxSupplyOf(collection, body)
  const given = itemIds.map((id, at) => ({ id, tokenId: tokenIds[at]!, maxSupply }))
  await giveTokenIds(tx, collection, given, (justLocked) => alreadyLocked(itemIds, justLocked, body))
  await recordAudit(tx, {
    action: 'items.locked',
    subject:
      !body.collection_id && itemIds.length === 1
        ? { type: 'item', id: itemIds[0]! }
        : { type: 'collection', id: collection.id },
    after: { first_token_id: tokenIds[0], count: itemIds.length, max_supply: maxSupply },
  })
  return itemIds.map((id, at) => ({ item_id: id, token_id: tokenIds[at]! }))
}

function maxSupplyOf({ tokenType }: Collection, { max_supply: given }: Body): bigint | null {
  if (tokenType !== 'ERC721') return given ?? null
  if (given != null && given !== 1n)
    throw fieldError(
      'supply_invalid',
      'max_supply',
      'An ERC-721 item is one of a kind: give 1, or leave max_supply out.',
    )
  return 1n
}

/** The unlocked items of a collection, oldest first. */
const listUnlockedIds = (ctx: Context, collectionId: string): Promise<string[]> =>
  idsOf(ctx, Prisma.sql`collection_id = ${collectionId}::uuid AND locked_at IS NULL`)

/** Without those that another request locked or deleted meanwhile. */
const stillUnlocked = (tx: Context, ids: string[]): Promise<string[]> =>
  idsOf(tx, Prisma.sql`id = ANY(${ids}::uuid[]) AND locked_at IS NULL`)

async function idsOf(ctx: Context, where: Prisma.Sql): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM items WHERE organization_id = ${ctx.organizationId}::uuid AND ${where} ORDER BY items.id`)
  return rows.map(({ id }) => id)
}

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
