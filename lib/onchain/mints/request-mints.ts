import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { createMintRequests as endpoint } from '../../platform/api/mint-requests.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { assertOperatorMayMint } from '../../catalog/collections/show-collection.ts'
import { fieldError, notFound } from '../../core/errors.ts'
import { soldOut } from '../../stock/hold-units.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { assertReceives } from './assert-receives.ts'
import { MAX_MINTS_PER_TRANSACTION, requestMint } from './request-mint.ts'
import { mintOf, withCarrier } from './show-mint.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'

type Body = Input<typeof endpoint>['body']

/** What requestMints reads of an item. */
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
  for (const item of items) assertMintable(item)
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
    const ids: string[] = []
    await lockItemRows(
      tx,
      items.map(({ id }) => id),
    )
    for (const [at, item] of items.entries()) {
      const order = {
        collectionId: item.collectionId,
        itemId: item.id,
        quantity: quantities[at]!,
        toAddress: addresses[at]!,
        hold: 'take' as const,
      }
      ids.push((await requestMint(tx, order)).id)
    }
    const rows = await tx.db.mintRequest.findMany({
      where: { id: { in: ids } },
      orderBy: { id: 'asc' },
      ...withCarrier,
    })
    for (const { id, itemId, toAddress, quantity } of rows)
      await recordAudit(tx, {
        action: 'mint_request.created',
        subject: { type: 'mint_request', id },
        after: { item_id: itemId, to_address: toAddress, quantity },
      })
    return { mint_requests: rows.map(mintOf) }
  })
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
  return itemsById(ctx, item_ids ?? [item_id!])
}

async function itemsById(ctx: Context, ids: string[]): Promise<Mintable[]> {
  if (new Set(ids).size < ids.length)
    throw fieldError('invalid_request', 'item_ids', 'Name each item once.', 'duplicate')
  const rows = await ctx.db.item.findMany({ where: { id: { in: ids } }, select: MINTABLE })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) ?? raise(notFound()))
}

/** The locked items with enough units left, lowest token id first. Items that were named must all be among them. */
async function itemsOfCollection(
  ctx: Context,
  collectionId: string,
  { token_ids, token_ranges, quantity, quantities }: Body,
): Promise<Mintable[]> {
  const collection = await ctx.db.collection.findFirst({
    where: { id: collectionId },
    select: { deploymentStatus: true, networkId: true },
  })
  if (!collection) throw notFound()
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
      ? Prisma.sql`AND (${Prisma.join(token_ranges.map(within), ' OR ')})`
      : Prisma.empty
  const rows = await ctx.sql<{ id: string; token_id: string }>(Prisma.sql`
    SELECT id, token_id FROM items
    WHERE organization_id = ${ctx.organizationId}::uuid AND collection_id = ${collectionId}::uuid AND locked_at IS NOT NULL
      AND (max_supply IS NULL OR minted - ${kept} + held + ${units} <= max_supply) ${among}
    ORDER BY token_id::numeric LIMIT ${MAX_MINTS_PER_TRANSACTION}`)
  const remaining = new Set(rows.map((row) => row.token_id))
  const missing = named?.find((tokenId) => !remaining.has(tokenId))
  if (missing !== undefined)
    throw fieldError('sold_out', 'token_ids', `Nothing remains of token ${missing}, or it isn’t locked.`)
  if (rows.length === 0) throw soldOut()
  return itemsById(
    ctx,
    rows.map((row) => row.id),
  )
}

const within = ({ from_id, to_id }: { from_id: bigint; to_id: bigint }) =>
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

function assertMintable(item: Mintable): void {
  const { collection } = item
  assertLocked(item, 'minted')
  assertDeployed(collection, 'minted')
  assertOperatorMayMint(collection)
}

const raise = (error: Error): never => {
  throw error
}
