import { setImmediate as breathe } from 'node:timers/promises'
import type { Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { unknownId } from '../../core/errors.ts'
import { inGroups } from '../../core/in-groups.ts'
import { findSuppressions } from '../../messaging/email-integrations/find-suppression.ts'
import { givableUnits } from '../../core/stock.ts'
import { REDEEMED } from '../../giving/claim-state.ts'
import { claimColumnsOf, columnFor, unknownColumnsOf } from './columns.ts'
import type { ImportOptions } from './import-options.ts'
import { type CheckedRow, checkedRow } from './checked-row.ts'
import { type ClaimLine, readClaimLine } from './read-claim-line.ts'
import type { Table, TableRow } from './read-table.ts'
import { deployFirst, lockFirst } from '../../catalog/items/assert-ready.ts'

/** Lines that are read together: only the verdicts of earlier ones stay in memory. */
const CHUNK_SIZE = 500

/** All that is asked of an item: a file may name 100,000. */
const ITEM = columns('i', 'Item', ['id', 'collectionId', 'tokenId', 'custodian', 'maxSupply', 'minted', 'held'])
type KnownItem = RowOf<typeof ITEM> & {
  isLocked: boolean
  collection: Collection
}

/**
 * Checks each line of a file of claims: its cells, whether its item exists and has units left, and whether it was sent
 * before. Writes nothing.
 */
export async function checkClaims(
  ctx: Context,
  table: Table,
  options: ImportOptions,
): Promise<{ options: ImportOptions; table: Table; rows: CheckedRow[] }> {
  await assertOptionsExist(ctx, options)
  const columns = claimColumnsOf(table.columns, options.ignore_columns)
  const unknown = unknownColumnsOf(columns, options.ignore_columns)
  const pool = await findPool(ctx, options)
  const collections = new Map<string, Collection>()
  const seen = new Map<string, number>()
  const left = new Map<string, bigint>()

  /** Sentences about a row's cells that nothing reads. Each verdict has them. */
  const unread = (row: TableRow): string[] =>
    unknown.flatMap((name) =>
      row.fields[name] === undefined ? [] : `${name}: This column is unknown: nothing reads it.`,
    )

  const check = (known: Known, row: TableRow, line: ClaimLine | null, faults: string[]): CheckedRow => {
    if (!line) return checkedRow(row, 'INVALID', faults)
    const { items, sent, stopped } = known
    const item = line.item === 'next' ? null : items.find(line.item)
    const place =
      columnFor(columns, line.item === 'next' ? 'item' : 'item_id' in line.item ? 'item_id' : 'token_id') ??
      columnFor(columns, 'item') ??
      'item_id'
    const subject = item?.id ?? `next of ${options.collection_id}`
    const before = seen.get(`${line.email} ${subject}`)
    if (before !== undefined)
      return checkedRow(row, 'DUPLICATE', [`The same email gets ${item ? 'the same item' : 'one'} in line ${before}.`])
    const isKnown = item ? sent.has(`${line.email} ${item.id}`) : sent.has(`${line.email} of ${options.collection_id}`)
    if (isKnown)
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

  const rows: CheckedRow[] = []
  for (let from = 0; from < table.rowCount; from += CHUNK_SIZE) {
    await breathe()
    const some = table.rows(from, CHUNK_SIZE)
    const read = some.map((row) => ({ row, ...readClaimLine(columns, row.fields, options, ctx.now()) }))
    const known = await findKnown(
      ctx,
      read.flatMap(({ line }) => line ?? []),
      options,
      collections,
    )
    for (const { row, line, reasons } of read) {
      const { verdict, reasons: found } = check(known, row, row.faults.length > 0 ? null : line, [
        ...row.faults,
        ...reasons,
      ])
      rows.push(checkedRow(row, verdict, [...found, ...unread(row)]))
    }
  }
  return { options: { ...options, columns }, table, rows }
}

/** The facts that the database has about the items and the emails of some lines. */
type Known = { items: Items; sent: Set<string>; stopped: Set<string> }

async function findKnown(
  ctx: Context,
  lines: readonly ClaimLine[],
  options: ImportOptions,
  collections: Map<string, Collection>,
): Promise<Known> {
  const emails = [...new Set(lines.map(({ email }) => email))]
  const [items, sent, stopped] = await Promise.all([
    findItems(ctx, lines, options, collections),
    findSent(ctx, emails),
    findSuppressed(ctx, emails),
  ])
  return { items, sent, stopped }
}

async function assertOptionsExist(ctx: Context, { collection_id, item_id, campaign_id }: ImportOptions): Promise<void> {
  const [collection, item, campaign] = await Promise.all([
    collection_id === null || ctx.db.collection.findFirst({ where: { id: collection_id }, select: { id: true } }),
    item_id === null || ctx.db.item.findFirst({ where: { id: item_id }, select: { id: true } }),
    campaign_id === null || ctx.db.campaign.findFirst({ where: { id: campaign_id }, select: { id: true } }),
  ])
  if (!collection) throw unknownId('collection_id', 'collection')
  if (!item) throw unknownId('item_id', 'item')
  if (!campaign) throw unknownId('campaign_id', 'campaign')
}

type Items = { find: (wanted: Exclude<ClaimLine['item'], 'next'>) => KnownItem | null }

/** The items that lines name. Their collections are added to `collections`, unless they are there. */
async function findItems(
  ctx: Context,
  lines: readonly ClaimLine[],
  { collection_id }: ImportOptions,
  collections: Map<string, Collection>,
): Promise<Items> {
  const ids = new Set(lines.flatMap(({ item }) => (item !== 'next' && 'item_id' in item ? [item.item_id] : [])))
  const tokenIds = new Set(lines.flatMap(({ item }) => (item !== 'next' && 'token_id' in item ? [item.token_id] : [])))
  const found = [
    ...(ids.size > 0 ? await ctx.rows<Omit<KnownItem, 'collection'>>(ITEMS_BY_ID, [...ids]) : []),
    ...(tokenIds.size > 0
      ? await ctx.rows<Omit<KnownItem, 'collection'>>(ITEMS_BY_TOKEN, collection_id, [...tokenIds])
      : []),
  ]
  const unknown = new Set(found.map(({ collectionId }) => collectionId).filter((id) => !collections.has(id)))
  if (unknown.size > 0)
    for (const collection of await ctx.db.collection.findMany({ where: { id: { in: [...unknown] } } }))
      collections.set(collection.id, collection)
  const items = found.map((item) => ({ ...item, collection: collections.get(item.collectionId)! }))
  const byId = new Map(items.map((item) => [item.id, item]))
  const byToken = new Map(
    items.filter((item) => item.collectionId === collection_id).map((item) => [item.tokenId, item]),
  )
  return { find: (wanted) => ('item_id' in wanted ? byId.get(wanted.item_id) : byToken.get(wanted.token_id)) ?? null }
}

const itemsWhere = (condition: string) =>
  `SELECT ${ITEM}, locked_at IS NOT NULL AS "isLocked" FROM items i WHERE ${condition}`
const ITEMS_BY_ID: Statement = { name: 'claimed_items', text: itemsWhere('id = ANY ($1::uuid[])') }
const ITEMS_BY_TOKEN: Statement = {
  name: 'claimed_items_by_token',
  text: itemsWhere('collection_id = $1::uuid AND token_id = ANY ($2::text[])'),
}

/** Which emails have an item or a redeemable link to it, as "<email> <item>" and "<email> of <collection>". */
export async function findSent(ctx: Context, emails: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of inGroups(emails, CHUNK_SIZE)) {
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
    { state: { in: [...REDEEMED] } },
    { state: { in: ['OPEN', 'LOCKED'] }, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  ],
})

async function findSuppressed(ctx: Context, emails: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of inGroups(emails, CHUNK_SIZE))
    for (const email of (await findSuppressions(ctx, some)).keys()) found.add(email)
  return found
}

/** The collection from which `next` takes items. Throws `not_found`. */
async function findPool(ctx: Context, { collection_id }: ImportOptions): Promise<Collection | null> {
  if (collection_id === null) return null
  const collection = await ctx.db.collection.findFirst({ where: { id: collection_id } })
  if (!collection) throw unknownId('collection_id', 'collection')
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

function itemFaults(item: KnownItem | null, line: ClaimLine, place: string): string[] {
  if (!item) return [`${place}: There is no such item.`]
  const { isLocked, collection } = item
  return [
    ...(isLocked ? [] : [`${place}: ${lockFirst('sent')}`]),
    ...(collection.deploymentStatus === 'SUCCESS' ? [] : [notDeployed(place)]),
    ...readyFaults(collection, line),
    ...custodyFaults(item, line),
  ]
}

const notDeployed = (place: string) => `${place}: ${deployFirst('sent')}`

/** An item in custody is transferred by its custodian, so the buyer can't pay for a mint. */
const custodyFaults = ({ custodian }: KnownItem, line: ClaimLine): string[] =>
  custodian !== null && line.tx_payer === 'BUYER'
    ? [
        'This item is minted already and is handed over by us, which no mint voucher can do: ' +
          'the organization pays (SELLER).',
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
 * Allocates units in `left`, as the lines before did. Returns null, or how many are left when that isn't enough. Units
 * held by the listing of a whole collection are not available.
 */
function allocateUnits(
  left: Map<string, bigint>,
  item: KnownItem | null,
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

const shortageOf = (item: KnownItem | null, free: bigint): string =>
  !item
    ? 'No free item of the collection is left for this line.'
    : free === 0n
      ? 'No unit of this item is left for this line.'
      : `Only ${free} of this item ${free === 1n ? 'is' : 'are'} left for this line.`
