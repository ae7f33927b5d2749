import type { Import } from '../../../generated/prisma/client.ts'
import { recordAudits } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { fieldError, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { lockCollection } from '../../catalog/collections/lock-collection.ts'
import { lockTypeSchema } from '../../catalog/item-types/lock-type-schema.ts'
import { faultsOfEach, sentenceOfFaults, TOO_SLOW } from '../../catalog/item-types/validate-attributes.ts'
import { insertItems } from '../../catalog/items/insert-items.ts'
import { giveTokenIds, tokenIdsFor } from '../../catalog/items/give-token-ids.ts'
import { adminItemOf, withCollection } from '../../catalog/items/show-item.ts'
import { findImportedIds, importTypeOf } from './check-items.ts'
import { optionsOf } from './import-options.ts'
import type { Line, Outcome } from './outcome.ts'
import { type ItemLine, readItem } from './read-item.ts'

/** Processor time of slow checks in one transaction: PostgreSQL ends one that waits long for its client. */
const BATCH_CHECK_MS = 500

type Made = { id: string; line: ItemLine }

/**
 * Creates the items of these lines, and locks those with a token id. Returns what became of each line. An error thrown
 * instead is the reason why one of them failed. `budget`: processor time of slow checks.
 */
export async function importItemLines(
  tx: Context,
  work: Import,
  lines: readonly Line[],
  budget: { ms: number },
): Promise<Outcome[]> {
  const options = optionsOf(work)
  const collection = await tx.db.collection.findFirst({ where: { id: options.collection_id! } })
  if (!collection) throw notFound()
  const typeSchema = await lockTypeSchema(tx, importTypeOf(options, collection))
  const read = lines.map(({ line, fields }) => ({
    at: line,
    ...readItem(options.columns, fields, typeSchema?.schema ?? null),
  }))
  const known = await findImportedIds(
    tx,
    collection.id,
    read.flatMap(({ line }) => line?.externalId ?? []),
    work,
  )
  const batch = { ms: Math.min(budget.ms, BATCH_CHECK_MS) }
  const given = { ...batch }
  const found = await faultsOfEach(
    tx,
    read.map(({ line }) => ({
      typeSchema: line ? typeSchema : null,
      attributes: line?.attributes ?? { title: '' },
      field: 'attributes',
    })),
    batch,
  )
  budget.ms -= given.ms - batch.ms
  const outcomes: Outcome[] = []
  const orders: { at: number; line: ItemLine }[] = []
  for (const [index, { at, line, reasons }] of read.entries()) {
    const faults = found[index]
    // Lines that this batch had no time for wait for the next one.
    if (faults === undefined && budget.ms > 0) continue
    if (!line) outcomes.push({ line: at, state: 'FAILED', failure: reasons.join(' ') })
    else if (!faults) outcomes.push({ line: at, state: 'FAILED', failure: TOO_SLOW })
    else if (faults.count > 0) outcomes.push({ line: at, state: 'FAILED', failure: sentenceOfFaults(faults) })
    else if (known.has(line.externalId ?? ''))
      outcomes.push({ line: at, state: 'SKIPPED', failure: 'This was imported into the collection meanwhile.' })
    else orders.push({ at, line })
  }
  if (orders.length === 0) return outcomes
  const ids = await insertItems(
    tx,
    orders.map(({ line: { attributes, royalty_info } }) => ({
      collection_id: collection.id,
      attributes,
      item_type_id: options.item_type_id,
      royalty_info,
    })),
    (_, name) => name,
    { isChecked: true },
  )
  await auditCreated(tx, ids)
  await lockMade(
    tx,
    collection.id,
    orders.map(({ line }, at) => ({ id: ids[at]!, line })),
  )
  return [...outcomes, ...orders.map(({ at: line }, at) => ({ line, state: 'DONE' as const, resultId: ids[at]! }))]
}

async function auditCreated(tx: Context, ids: string[]): Promise<void> {
  const rows = await tx.db.item.findMany({ where: { id: { in: ids } }, ...withCollection, orderBy: { id: 'asc' } })
  await recordAudits(
    tx,
    rows.map((row) => ({
      action: 'item.created',
      subject: { type: 'item', id: row.id },
      after: adminItemOf(row, tx.ports.addresses.origin),
    })),
  )
}

/** Locks the items whose lines have a token id. */
async function lockMade(tx: Context, collectionId: string, made: readonly Made[]): Promise<void> {
  const named = made.filter(({ line }) => line.tokenId !== null)
  if (named.length === 0) return
  const collection = await lockCollection(tx, collectionId)
  const given = named.map(({ id, line: { tokenId, maxSupply } }) => ({
    id,
    tokenId: tokenIdsFor(collection, 1, tokenId)[0]!,
    maxSupply: maxSupply ?? (collection.tokenType === 'ERC721' ? 1n : null),
  }))
  try {
    await giveTokenIds(tx, collection, given)
  } catch (error) {
    if (isUniqueViolation(error, 'token_id'))
      throw fieldError('token_id_taken', 'token_id', `Token id ${given[0]!.tokenId} is taken in this collection.`)
    throw error
  }
  await recordAudits(
    tx,
    given.map(({ id, tokenId, maxSupply }) => ({
      action: 'items.locked',
      subject: { type: 'item', id },
      after: { first_token_id: tokenId, count: 1, max_supply: maxSupply },
    })),
  )
}
