import { type Import, type Item, Prisma } from '../../../generated/prisma/client.ts'
import { type Context } from '../../platform/auth/context.ts'
import { createClaims } from '../../giving/create-claims.ts'
import { findSuppressions } from '../../messaging/email-integrations/find-suppression.ts'
import { givableUnits } from '../../core/stock.ts'
import { soldOut } from '../../stock/hold-units.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { findSent } from './check-claims.ts'
import { type ImportOptions, optionsOf } from './import-options.ts'
import type { Line, Outcome } from './outcome.ts'
import { type ClaimLine, readClaimLine } from './read-claim-line.ts'

/**
 * Creates the claims of these lines, unless equal ones were created since the check. Returns what became of each line.
 * An error thrown instead is the reason why one of them failed.
 */
export async function importClaimLines(tx: Context, work: Import, lines: readonly Line[]): Promise<Outcome[]> {
  const options = optionsOf(work)
  const read = lines.map(({ line, fields }) => ({
    at: line,
    ...readClaimLine(options.columns, fields, options, tx.now()),
  }))
  const wanted = read.flatMap(({ line }) => line ?? [])
  const emails = wanted.map(({ email }) => email)
  const stopped = await findSuppressions(tx, emails)
  const sent = await findSent(tx, emails)
  const stock = await lockStock(tx, wanted, options)

  const outcomes: Outcome[] = []
  const orders: { at: number; line: ClaimLine; itemId: string }[] = []
  const decide = (at: number, line: ClaimLine): Outcome | null => {
    if (stopped.has(line.email)) return failed(at, 'Mail to this address is stopped: it bounced, or was called spam.')
    const named = line.item === 'next' ? null : stock.named(line.item)
    if (line.item !== 'next' && !named) return failed(at, 'There is no such item any more.')
    if (sent.has(named ? `${line.email} ${named.id}` : `${line.email} of ${options.collection_id}`))
      return { line: at, state: 'SKIPPED', failure: 'This email got it, or a link to it, meanwhile.' }
    const item = named ?? stock.next()
    if (!item || !stock.take(item, line.quantity)) return failed(at, soldOut().message)
    sent.add(`${line.email} ${item.id}`).add(`${line.email} of ${item.collectionId}`)
    orders.push({ at, line, itemId: item.id })
    return null
  }
  for (const { at, line, reasons } of read) {
    const outcome = line ? decide(at, line) : failed(at, reasons.join(' '))
    if (outcome) outcomes.push(outcome)
  }
  const claims = await createClaims(
    tx,
    orders.map(({ line: { email, quantity, tx_payer, expiration, locale }, itemId }) => ({
      email,
      item_id: itemId,
      quantity,
      tx_payer,
      campaign_id: options.campaign_id,
      expiration,
      locale,
    })),
  )
  return [...outcomes, ...claims.map(({ id }, at) => ({ line: orders[at]!.at, state: 'DONE' as const, resultId: id }))]
}

const failed = (line: number, failure: string): Outcome => ({ line, state: 'FAILED', failure })

type StockItem = Pick<Item, 'id' | 'collectionId' | 'tokenId' | 'maxSupply' | 'minted' | 'held' | 'custodian'>

/** The items of these lines, locked: others take no units of them until the end. */
type Stock = {
  named: (wanted: Exclude<ClaimLine['item'], 'next'>) => StockItem | null
  /** The free item with the lowest token id. */
  next: () => StockItem | null
  /** Whether as many units are left, after what earlier lines took. */
  take: (item: StockItem, quantity: bigint) => boolean
}

const SELECTED = {
  id: true,
  collectionId: true,
  tokenId: true,
  maxSupply: true,
  minted: true,
  held: true,
  custodian: true,
} as const

async function lockStock(tx: Context, lines: readonly ClaimLine[], options: ImportOptions): Promise<Stock> {
  const choices = lines.flatMap(({ item }) => (item === 'next' ? [] : item))
  const tokenIds = choices.flatMap((item) => ('token_id' in item ? item.token_id : []))
  const byToken =
    tokenIds.length > 0
      ? await tx.db.item.findMany({
          where: { collectionId: options.collection_id!, tokenId: { in: tokenIds } },
          select: { id: true },
        })
      : []
  const ids = [
    ...new Set([...choices.flatMap((item) => ('item_id' in item ? item.item_id : [])), ...byToken.map(({ id }) => id)]),
  ]
  await lockItemRows(tx, ids)
  const nextCount = lines.length - choices.length
  // Lines before it may have taken each of those named.
  const free = nextCount > 0 ? await lockFree(tx, options.collection_id!, nextCount + ids.length) : []
  const items = await tx.db.item.findMany({ where: { id: { in: [...ids, ...free] } }, select: SELECTED })
  const byId = new Map(items.map((item) => [item.id, item]))
  const byTokenId = new Map(
    items.flatMap((item) => (item.collectionId === options.collection_id ? [[item.tokenId, item] as const] : [])),
  )
  const left = new Map(items.map((item) => [item.id, givableUnits(item)]))
  const taken = new Set<string>()
  let at = 0
  return {
    named: (wanted) => ('item_id' in wanted ? byId.get(wanted.item_id) : byTokenId.get(wanted.token_id)) ?? null,
    next: () => {
      while (taken.has(free[at] ?? '')) at++
      return byId.get(free[at] ?? '') ?? null
    },
    take: ({ id }, quantity) => {
      const units = left.get(id) ?? null
      if (units !== null && units < quantity) return false
      if (units !== null) left.set(id, units - quantity)
      taken.add(id)
      return true
    },
  }
}

/** The free items with the lowest token ids, locked so that nobody else takes them. */
async function lockFree(tx: Context, collectionId: string, count: number): Promise<string[]> {
  const free = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM items WHERE collection_id = ${collectionId}::uuid AND is_free
    ORDER BY length(token_id), token_id LIMIT ${count} FOR UPDATE SKIP LOCKED`)
  return free.map(({ id }) => id)
}
