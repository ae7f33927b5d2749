import { type Collection, type Item, Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { createMintRequests as endpoint } from '../../platform/api/mint-requests.ts'
import { recordAudits } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { assertOperatorMayMint } from '../../catalog/collections/show-collection.ts'
import { type AppError, fieldError, inEscrow, unknownId } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { Statement } from '../../db/statements.ts'
import { assertCustodianConfigured, IN_ESCROW } from '../../stock/custody.ts'
import { holdUnitsOfMany, soldOut } from '../../stock/hold-units.ts'
import { assertReceives } from './assert-receives.ts'
import { assertOneOfAKind } from './request-mint.ts'
import { type HeldMint, MAX_MINTS_PER_TRANSACTION, requestHeldMints } from './request-together.ts'
import { mintOf, withCarrier } from './show-mint.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'

type Body = Input<typeof endpoint>['body']

/** The fields of an item that requestMints reads. */
const MINTABLE = {
  id: true,
  collectionId: true,
  tokenId: true,
  lockedAt: true,
  collection: {
    select: {
      networkId: true,
      contractAddress: true,
      tokenType: true,
      deploymentStatus: true,
      deploymentType: true,
      minter: true,
    },
  },
} as const satisfies Prisma.ItemSelect
type Mintable = Prisma.ItemGetPayload<{ select: typeof MINTABLE }>

/**
 * Requests mints of many items, all or nothing: to one address or one for each. Receiving contracts are asked before
 * anything is written.
 */
export async function requestMints(ctx: Context, body: Body) {
  const items = await chosenItems(ctx, body)
  const addresses = spread(items.length, body.to_address, body.to_addresses, ['to_address', 'to_addresses'])
  const quantities = spread(items.length, body.quantity ?? (body.quantities ? null : 1n), body.quantities, [
    'quantity',
    'quantities',
  ])
  for (const [at, item] of items.entries()) assertMintable(item, quantities[at]!)
  await Promise.all(
    items.map((item, at) =>
      assertReceives(ctx, item, {
        address: addresses[at]!,
        quantity: quantities[at]!,
        field: body.to_address ? 'to_address' : `to_addresses.${at}`,
      }),
    ),
  )
  return inTransaction(ctx, async (tx) => {
    const custodians = await lockItems(tx, items, body)
    const ids = await requestOfItems(
      tx,
      items.map(({ id: itemId, collectionId, collection }, at) => ({
        collectionId,
        networkId: collection.networkId!,
        itemId,
        quantity: quantities[at]!,
        toAddress: addresses[at]!,
        custodian: custodians.get(itemId)!,
      })),
    )
    const placeOf = new Map(items.map(({ id }, at) => [id, at]))
    const requested = await tx.db.mintRequest.findMany({ where: { id: { in: ids } }, ...withCarrier })
    const rows = requested.toSorted((a, b) => placeOf.get(a.itemId)! - placeOf.get(b.itemId)!)
    await recordAudits(
      tx,
      rows.map(({ id, itemId, toAddress, quantity }) => ({
        action: 'mint_request.created',
        subject: { type: 'mint_request', id },
        after: { item_id: itemId, to_address: toAddress, quantity },
      })),
    )
    return { mint_requests: rows.map(mintOf) }
  })
}

const LOCK_ITEMS: Statement = {
  name: 'lock_items_to_mint',
  text: `SELECT id, kept_by AS custodian, minted FROM items WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])
    ORDER BY id FOR NO KEY UPDATE`,
}

/**
 * Locks items until the transaction ends, and returns who has the token of each in custody. Throws `already_minted` and
 * `operator_gone`.
 */
async function lockItems(
  tx: Context,
  items: readonly Mintable[],
  body: Body,
): Promise<ReadonlyMap<string, string | null>> {
  const ids = items.map(({ id }) => id)
  const rows = await tx.rows<Locked>(LOCK_ITEMS, tx.organizationId, ids)
  const locked = new Map(rows.map((row) => [row.id, row]))
  for (const [at, { id, collection }] of items.entries())
    if (isTokenGone(collection, locked.get(id)!)) throw alreadyMinted(fieldOfItem(body, at))
  for (const row of rows) assertCustodianConfigured(tx, row)
  return new Map(rows.map(({ id, custodian }) => [id, custodian]))
}

type Locked = Pick<Item, 'id' | 'custodian' | 'minted'>

/** Whether an item's only token is minted and isn't ours to hand over. */
const isTokenGone = ({ tokenType }: Pick<Collection, 'tokenType'>, item: Pick<Item, 'custodian' | 'minted'>): boolean =>
  tokenType === 'ERC721' && item.minted > 0n && item.custodian === null

const alreadyMinted = (field: string) =>
  fieldError('already_minted', field, 'This token is minted already: it can’t be minted again.')

const fieldOfItem = ({ item_ids, collection_id }: Body, at: number): string =>
  item_ids ? `item_ids.${at}` : collection_id ? 'collection_id' : 'item_id'

type ItemMint = Pick<HeldMint, 'itemId' | 'quantity' | 'toAddress' | 'custodian'> & {
  collectionId: string
  networkId: number
}

/** Requests mints of locked items, collection by collection. Returns their ids. */
async function requestOfItems(tx: Context, orders: readonly ItemMint[]): Promise<string[]> {
  const { requestId } = tx
  const mints = orders.map((order) => ({ ...order, id: newId(), requestId }))
  await holdUnitsOfMany(
    tx,
    mints.map(({ id, collectionId, itemId, quantity }) => ({
      holder: { type: 'MINT_REQUEST', id },
      collectionId,
      itemId,
      quantity,
    })),
  )
  const ofCollections = [...Map.groupBy(mints, ({ collectionId }) => collectionId)]
  for (const [, own] of ofCollections.toSorted(([a], [b]) => (a < b ? -1 : 1))) await requestHeldMints(tx, own[0]!, own)
  return mints.map(({ id }) => id)
}

function chosenItems(ctx: Context, body: Body): Promise<Mintable[]> {
  const { item_id, item_ids, collection_id, token_ids, token_ranges } = body
  const ways = [item_id, item_ids, collection_id].filter((way) => way != null).length
  if (ways !== 1)
    throw fieldError(
      'invalid_request',
      'item_id',
      'Give exactly one of item_id, item_ids and collection_id.',
      'exactly_one',
    )
  if (token_ids && token_ranges)
    throw fieldError('invalid_request', 'token_ranges', 'Give token_ids or token_ranges, not both.', 'exactly_one')
  if (!collection_id && (token_ids || token_ranges))
    throw fieldError(
      'invalid_request',
      token_ids ? 'token_ids' : 'token_ranges',
      'Token ids need a collection_id.',
      'needs_collection',
    )
  if (collection_id) return itemsOfCollection(ctx, collection_id, body)
  return itemsById(ctx, item_ids ?? [item_id!], body)
}

async function itemsById(ctx: Context, ids: string[], body: Body): Promise<Mintable[]> {
  if (new Set(ids).size < ids.length)
    throw fieldError('invalid_request', 'item_ids', 'Name each item once.', 'duplicate')
  const rows = await ctx.db.item.findMany({ where: { id: { in: ids } }, select: MINTABLE })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id, at) => byId.get(id) ?? raise(unknownId(fieldOfItem(body, at), 'item')))
}

/** The locked items with enough units left, lowest token id first. Items that were named must all be among them. */
async function itemsOfCollection(ctx: Context, collectionId: string, body: Body): Promise<Mintable[]> {
  const { token_ids, token_ranges, quantity, quantities } = body
  const collection = await ctx.db.collection.findFirst({
    where: { id: collectionId },
    select: { deploymentStatus: true, networkId: true, tokenType: true },
  })
  if (!collection) throw unknownId('collection_id', 'collection')
  assertDeployed(collection, 'minted')
  const units = (quantities ?? []).reduce(
    (least, each) => (each < least ? each : least),
    quantity ?? quantities?.[0] ?? 1n,
  )
  const named = token_ids?.map(String)
  // A token in custody is handed over where it is named; of a whole collection only what isn't minted is taken.
  const kept = named ? Prisma.sql`kept_units(items)` : Prisma.sql`0`
  const among = named
    ? Prisma.sql`AND token_id IN (${Prisma.join(named)})`
    : token_ranges
      ? Prisma.sql`AND (${Prisma.join(token_ranges.map(inRange), ' OR ')})`
      : Prisma.empty
  const rows = await ctx.sql<{ id: string; token_id: string }>(Prisma.sql`
    SELECT id, token_id FROM items
    WHERE organization_id = ${ctx.organizationId}::uuid AND collection_id = ${collectionId}::uuid
      AND locked_at IS NOT NULL
      AND (max_supply IS NULL OR minted - ${kept} + held + ${units} <= max_supply) ${among}
    ORDER BY token_id::numeric LIMIT ${MAX_MINTS_PER_TRANSACTION}`)
  const remaining = new Set(rows.map((row) => row.token_id))
  const missing = named?.findIndex((tokenId) => !remaining.has(tokenId)) ?? -1
  if (missing !== -1) throw await unavailableToken(ctx, { ...collection, id: collectionId }, named![missing]!, missing)
  if (rows.length === 0) throw soldOut()
  return itemsById(
    ctx,
    rows.map((row) => row.id),
    body,
  )
}

/** Why a named token can't be minted. */
async function unavailableToken(
  ctx: Context,
  { id: collectionId, tokenType }: Pick<Collection, 'id' | 'tokenType'>,
  tokenId: string,
  at: number,
): Promise<AppError> {
  const field = `token_ids.${at}`
  const item = await ctx.db.item.findFirst({
    where: { collectionId, tokenId },
    select: { id: true, custodian: true, minted: true },
  })
  if (item?.custodian != null && (await isInEscrow(ctx, item.id))) return inEscrow()
  if (!item) return fieldError('sold_out', field, `No locked item of this collection has token id ${tokenId}.`)
  return isTokenGone({ tokenType }, item)
    ? alreadyMinted(field)
    : fieldError('sold_out', field, `Not enough units of token ${tokenId} are left.`)
}

const isInEscrow = async (ctx: Context, itemId: string): Promise<boolean> =>
  (await ctx.db.escrow.count({ where: { itemId, state: { in: [...IN_ESCROW] } } })) > 0

const inRange = ({ from_id, to_id }: { from_id: bigint; to_id: bigint }) =>
  Prisma.sql`token_id::numeric BETWEEN ${from_id.toString()}::numeric AND ${to_id.toString()}::numeric`

/** One value for all, or one for each. */
function spread<T>(
  length: number,
  one: T | null | undefined,
  each: T[] | null | undefined,
  names: readonly [string, string],
): T[] {
  if ((one == null) === (each == null))
    throw fieldError('invalid_request', names[0], `Give either ${names[0]} or ${names[1]}.`, 'exactly_one')
  if (each == null) return Array.from({ length }, () => one!)
  if (each.length !== length)
    throw fieldError('invalid_request', names[1], `There are ${length} items: give as many ${names[1]}.`, 'length')
  return each
}

function assertMintable(item: Mintable, quantity: bigint): void {
  const { collection } = item
  assertLocked(item, 'minted')
  assertDeployed(collection, 'minted')
  assertOperatorMayMint(collection)
  assertOneOfAKind(collection, quantity)
}

const raise = (error: Error): never => {
  throw error
}
