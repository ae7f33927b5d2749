import type { Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { type ItemRow, withCollection } from '../../catalog/items/show-item.ts'
import { findSuppressions } from '../../messaging/email-integrations/find-suppression.ts'
import { givableUnits } from '../../stock/custody.ts'
import { claimColumnsOf, columnFor } from './columns.ts'
import type { ImportOptions } from './import-options.ts'
import { type CheckedRow, checkedRow } from './checked-row.ts'
import { type ClaimLine, readClaimLine } from './read-claim-line.ts'
import type { Table, TableRow } from './read-table.ts'
import { deployFirst, lockFirst } from '../../catalog/items/assert-ready.ts'

const CHUNK_SIZE = 1000

/**
 * Checks each line of a file of claims: its cells, whether its item exists and has units left, and whether it was sent
 * before. Writes nothing.
 */
export async function checkClaims(
  ctx: Context,
  table: Table,
  options: ImportOptions,
): Promise<{ options: ImportOptions; rows: CheckedRow[] }> {
  await assertOptionsExist(ctx, options)
  const columns = claimColumnsOf(table.columns)
  const read = table.rows.map((row) => ({ row, ...readClaimLine(columns, row.fields, options, ctx.now()) }))
  const lines = read.flatMap(({ line }) => line ?? [])
  const emails = [...new Set(lines.map(({ email }) => email))]
  const [items, sent, stopped, pool] = await Promise.all([
    findItems(ctx, lines, options),
    findSent(ctx, emails),
    findSuppressed(ctx, emails),
    findCollection(ctx, options),
  ])
  const seen = new Map<string, number>()
  const left = new Map<string, bigint>()

  const check = (row: TableRow, line: ClaimLine | null, faults: string[]): CheckedRow => {
    if (!line) return checkedRow(row, 'INVALID', faults)
    const item = line.item === 'next' ? null : items.find(line.item)
    const place =
      columnFor(columns, line.item === 'next' ? 'item' : 'item_id' in line.item ? 'item_id' : 'token_id') ??
      columnFor(columns, 'item') ??
      'item_id'
    const subject = item?.id ?? `next of ${options.collection_id}`
    const before = seen.get(`${line.email} ${subject}`)
    if (before !== undefined)
      return checkedRow(row, 'DUPLICATE', [`The same email gets ${item ? 'the same item' : 'one'} in line ${before}.`])
    const known = item ? sent.has(`${line.email} ${item.id}`) : sent.has(`${line.email} of ${options.collection_id}`)
    if (known)
      return checkedRow(row, 'DUPLICATE', [
        item
          ? 'This email has the item, or a link to it, already.'
          : 'This email has an item of the collection, or a link to one, already.',
      ])
    const wrong = [
      ...faults,
      ...(stopped.has(line.email)
        ? [`${columnFor(columns, 'email')}: Mail to this address is stopped: it bounced, or was called spam.`]
        : []),
      ...(line.item === 'next' ? nextFaults(pool, line, place) : itemFaults(item, line, place)),
    ]
    if (wrong.length > 0) return checkedRow(row, 'INVALID', wrong)
    const short = allocateUnits(left, item, (item?.collection ?? pool)!, line.quantity)
    if (short !== null) return checkedRow(row, 'INVALID', [`${place}: ${shortageOf(item, short)}`])
    seen.set(`${line.email} ${subject}`, row.line)
    return checkedRow(row, 'OK', [])
  }
  return {
    options: { ...options, columns },
    rows: read.map(({ row, line, reasons }) =>
      check(row, row.faults.length > 0 ? null : line, [...row.faults, ...reasons]),
    ),
  }
}

async function assertOptionsExist(ctx: Context, { collection_id, item_id, campaign_id }: ImportOptions): Promise<void> {
  const [collection, item, campaign] = await Promise.all([
    collection_id === null || ctx.db.collection.findFirst({ where: { id: collection_id }, select: { id: true } }),
    item_id === null || ctx.db.item.findFirst({ where: { id: item_id }, select: { id: true } }),
    campaign_id === null || ctx.db.campaign.findFirst({ where: { id: campaign_id }, select: { id: true } }),
  ])
  if (!collection || !item || !campaign) throw notFound()
}

type Items = { find: (wanted: Exclude<ClaimLine['item'], 'next'>) => ItemRow | null }

async function findItems(ctx: Context, lines: readonly ClaimLine[], { collection_id }: ImportOptions): Promise<Items> {
  const ids = new Set(lines.flatMap(({ item }) => (item !== 'next' && 'item_id' in item ? [item.item_id] : [])))
  const tokenIds = new Set(lines.flatMap(({ item }) => (item !== 'next' && 'token_id' in item ? [item.token_id] : [])))
  const byId = new Map<string, ItemRow>()
  const byToken = new Map<string, ItemRow>()
  for (const some of chunksOf([...ids]))
    for (const item of await ctx.db.item.findMany({ where: { id: { in: some } }, ...withCollection }))
      byId.set(item.id, item)
  for (const some of chunksOf([...tokenIds]))
    for (const item of await ctx.db.item.findMany({
      where: { collectionId: collection_id!, tokenId: { in: some } },
      ...withCollection,
    }))
      byToken.set(item.tokenId!, item)
  return { find: (wanted) => ('item_id' in wanted ? byId.get(wanted.item_id) : byToken.get(wanted.token_id)) ?? null }
}

/** Which emails have an item or a redeemable link to it, as "<email> <item>" and "<email> of <collection>". */
export async function findSent(ctx: Context, emails: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of chunksOf(emails)) {
    const claims = await ctx.db.emailClaim.findMany({
      where: { email: { in: some }, ...redeemedOrRedeemable(ctx.now()) },
      select: { email: true, itemId: true, collectionId: true },
    })
    for (const { email, itemId, collectionId } of claims)
      found.add(`${email} ${itemId}`).add(`${email} of ${collectionId}`)
  }
  return found
}

/** Claims that were redeemed or can still be. */
const redeemedOrRedeemable = (now: Date): Prisma.EmailClaimWhereInput => ({
  OR: [
    { state: { in: ['REDEEMED', 'CLAIMED'] } },
    { state: { in: ['OPEN', 'LOCKED'] }, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  ],
})

async function findSuppressed(ctx: Context, emails: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of chunksOf(emails)) for (const email of (await findSuppressions(ctx, some)).keys()) found.add(email)
  return found
}

/** The collection from which `next` takes items. Throws `not_found`. */
async function findCollection(ctx: Context, { collection_id }: ImportOptions): Promise<Collection | null> {
  if (collection_id === null) return null
  const collection = await ctx.db.collection.findFirst({ where: { id: collection_id } })
  if (!collection) throw notFound()
  return collection
}

function nextFaults(pool: Collection | null, line: ClaimLine, place: string): string[] {
  return [
    ...(pool?.deploymentStatus === 'SUCCESS' ? readyFaults(pool, line) : [notDeployed(place)]),
    ...(pool?.tokenType === 'ERC1155'
      ? [`${place}: next is for ERC-721 collections, where each item is one of a kind.`]
      : []),
  ]
}

function itemFaults(item: ItemRow | null, line: ClaimLine, place: string): string[] {
  if (!item) return [`${place}: There is no such item.`]
  const { lockedAt, collection } = item
  return [
    ...(lockedAt ? [] : [`${place}: ${lockFirst('sent')}`]),
    ...(collection.deploymentStatus === 'SUCCESS' ? [] : [notDeployed(place)]),
    ...readyFaults(collection, line),
    ...custodyFaults(item, line),
  ]
}

const notDeployed = (place: string) => `${place}: ${deployFirst('sent')}`

/** An item in custody is transferred by its custodian, so the buyer can't pay for a mint. */
const custodyFaults = ({ custodian }: ItemRow, line: ClaimLine): string[] =>
  custodian !== null && line.tx_payer === 'BUYER'
    ? [
        'This item is minted already and is handed over by us, which no mint voucher can do: the organization pays (SELLER).',
      ]
    : []

const readyFaults = (collection: Collection, line: ClaimLine): string[] => [
  ...(line.quantity > 1n && collection.tokenType === 'ERC721'
    ? ['There is one unit of each item of an ERC-721 collection.']
    : []),
  ...(line.tx_payer === 'BUYER' && collection.deploymentType !== 'PLATFORM'
    ? ['This collection’s contract is not one of ours and takes no mint vouchers: the organization pays (SELLER).']
    : []),
]

/**
 * Allocates units in `left`, as the lines before did. Returns null, or how many are left when that isn't enough. Units held by the
 * listing of a whole collection are not available.
 */
function allocateUnits(
  left: Map<string, bigint>,
  item: ItemRow | null,
  collection: Collection,
  quantity: bigint,
): bigint | null {
  const stocks: [string, bigint][] = []
  if (item && item.maxSupply !== null) stocks.push([item.id, givableUnits(item)!])
  // An item in custody is not in its collection's pool.
  if (collection.tokenType === 'ERC721' && (item?.custodian ?? null) === null)
    stocks.push([collection.id, collection.poolFree - collection.poolHeld])
  for (const [id, free] of stocks) if (!left.has(id)) left.set(id, free > 0n ? free : 0n)
  const least = stocks.map(([id]) => left.get(id)!).sort((a, b) => (a < b ? -1 : 1))[0]
  if (least !== undefined && least < quantity) return least
  for (const [id] of stocks) left.set(id, left.get(id)! - quantity)
  return null
}

const shortageOf = (item: ItemRow | null, free: bigint): string =>
  !item
    ? 'No free item of the collection is left for this line.'
    : free === 0n
      ? 'No unit of this item is left for this line.'
      : `Only ${free} of this item ${free === 1n ? 'is' : 'are'} left for this line.`

const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK_SIZE) }, (_, at) =>
    all.slice(at * CHUNK_SIZE, (at + 1) * CHUNK_SIZE),
  )
