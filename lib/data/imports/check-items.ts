import { setImmediate as breathe } from 'node:timers/promises'
import { type Collection, type Import, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { typeIdOf } from '../../catalog/collections/collection-columns.ts'
import { operatorMayMint } from '../../orders/operator-may-mint.ts'
import { unknownId } from '../../core/errors.ts'
import { faultsOfEach, TOO_SLOW, type TypeSchema } from '../../catalog/item-types/validate-attributes.ts'
import { readTypeSchema } from '../../catalog/item-types/lock-type-schema.ts'
import { type Column, columnFor, itemColumnsOf } from './columns.ts'
import type { ImportOptions } from './import-options.ts'
import { type CheckedRow, checkedRow } from './checked-row.ts'
import { type ItemLine, type ItemSchema, readItem, withKinds } from './read-item.ts'
import type { Table, TableRow } from './read-table.ts'
import { sentenceOf } from '../../core/sentence.ts'

/** Lines that are read and validated together: only the verdicts of earlier ones stay in memory. */
const CHUNK_SIZE = 100

/** Processor time that slow checks of one import take in all. */
export const IMPORT_CHECK_MS = 30_000

/**
 * Checks each line of a file of items, by itself, against the other lines and against existing items. Writes nothing.
 */
export async function checkItems(
  ctx: Context,
  table: Table,
  options: ImportOptions,
): Promise<{ options: ImportOptions; table: Table; rows: CheckedRow[] }> {
  const collection = await ctx.db.collection.findFirst({ where: { id: options.collection_id! } })
  if (!collection) throw unknownId('collection_id', 'collection')
  const typeSchema = await readTypeSchema(ctx, importTypeOf(options, collection))
  const schema: ItemSchema | null = typeSchema?.schema ?? null
  const named = itemColumnsOf(table.columns, Object.keys(schema?.properties ?? {}))
  const columns = await withKinds(named, table, schema)
  const [externals, tokens] = await Promise.all([
    findImportedIds(ctx, collection.id, await table.valuesOf(columnFor(columns, 'external_id'))),
    findTakenTokenIds(ctx, collection.id, await table.valuesOf(columnFor(columns, 'token_id'))),
  ])
  const seen = new Map<string, number>()
  const columnOf = (means: string) => columnFor(columns, means) ?? means
  const check = (row: TableRow, line: ItemLine | null, wrong: string[]): CheckedRow => {
    if (line?.royalty_info && collection.deploymentStatus === 'SUCCESS' && !operatorMayMint(collection))
      wrong.push(`${columnOf('royalty_receiver')}: This collection’s contract does not let us set royalties.`)
    if (line?.tokenId != null && collection.tokenIdAssignment === 'AUTOMATIC')
      wrong.push(
        `${columnOf('token_id')}: Token ids of this collection are given automatically when an item is ` +
          'locked. Leave this column out.',
      )
    if (line?.maxSupply != null && line.maxSupply > 1n && collection.tokenType === 'ERC721')
      wrong.push(`${columnOf('max_supply')}: There is one unit of each item of an ERC-721 collection.`)
    if (!line || wrong.length > 0) return checkedRow(row, 'INVALID', wrong)
    const duplicates: string[] = []
    for (const [means, value, known] of [
      ['external_id', line.externalId, externals],
      ['token_id', line.tokenId?.toString() ?? null, tokens],
    ] as const) {
      if (value === null) continue
      const before = seen.get(`${means} ${value}`)
      if (before !== undefined) duplicates.push(`${columnOf(means)}: The same stands in line ${before}.`)
      else if (known.has(value))
        duplicates.push(
          means === 'token_id'
            ? `${columnOf(means)}: The collection has a token by this id already.`
            : `${columnOf(means)}: This was imported into the collection already.`,
        )
      else seen.set(`${means} ${value}`, row.line)
    }
    return checkedRow(row, duplicates.length > 0 ? 'DUPLICATE' : 'OK', duplicates)
  }

  const rows: CheckedRow[] = []
  const budget = { ms: IMPORT_CHECK_MS }
  for (let from = 0; from < table.rowCount; from += CHUNK_SIZE) {
    await breathe()
    const some = table.rows(from, CHUNK_SIZE)
    const read = some.map((row) => ({ row, ...readItem(columns, row.fields, schema) }))
    const faults = await attributeFaults(
      ctx,
      typeSchema,
      columns,
      read.flatMap(({ row, line }) => (line ? { line: row.line, attributes: line.attributes } : [])),
      budget,
    )
    for (const { row, line, reasons } of read)
      rows.push(check(row, line, [...row.faults, ...reasons, ...(faults.get(row.line) ?? [])]))
  }
  return { options: { ...options, columns }, table, rows }
}

/** The items' type; null is the built-in one. */
export const importTypeOf = (
  options: ImportOptions,
  { defaultItemTypeId }: Pick<Collection, 'defaultItemTypeId'>,
): string | null => typeIdOf(options.item_type_id) ?? defaultItemTypeId

type LineAttributes = { line: number; attributes: Record<string, unknown> }

/** The validation errors of each line that has some. */
async function attributeFaults(
  ctx: Context,
  typeSchema: TypeSchema,
  columns: readonly Column[],
  lines: readonly LineAttributes[],
  budget: { ms: number },
): Promise<Map<number, string[]>> {
  const columnOf = (attribute: string) =>
    columns.find(({ means }) => means === attribute || means === `attributes.${attribute}`)?.name ??
    (attribute || 'attributes')
  const found = await faultsOfEach(
    ctx,
    lines.map(({ attributes }) => ({ typeSchema, attributes, field: 'attributes' })),
    budget,
  )
  return new Map(
    lines.flatMap(({ line }, at): [number, string[]][] => {
      const faults = found[at]
      if (!faults) return [[line, [TOO_SLOW]]]
      if (faults.count === 0) return []
      return [
        [
          line,
          faults.fields.map(({ field, detail }) => `${columnOf(field.split('.')[1] ?? '')}: ${sentenceOf(detail)}`),
        ],
      ]
    }),
  )
}

/**
 * Which of these external ids were imported into the collection: ever, or by other imports since this one was checked.
 */
export async function findImportedIds(
  ctx: Context,
  collectionId: string,
  externalIds: string[],
  since?: Pick<Import, 'id' | 'createdAt'>,
): Promise<Set<string>> {
  if (externalIds.length === 0) return new Set()
  const recent = since
    ? Prisma.sql`AND i.id <> ${since.id}::uuid AND i.started_at IS NOT NULL
      AND (i.ended_at IS NULL OR i.ended_at >= ${since.createdAt.toISOString()}::timestamptz)`
    : Prisma.empty
  const rows = await ctx.sql<{ value: string }>(Prisma.sql`
    SELECT DISTINCT r.fields ->> c.name AS value
    FROM imports i
    CROSS JOIN LATERAL (SELECT entry ->> 'name' AS name FROM jsonb_array_elements(i.options -> 'columns') entry
        WHERE entry ->> 'means' = 'external_id') c
    JOIN import_rows r ON r.import_id = i.id AND r.state = 'DONE'
    JOIN items made ON made.id = r.result_id
    WHERE i.organization_id = ${ctx.organizationId}::uuid
      AND i.kind = 'ITEMS' AND i.options ->> 'collection_id' = ${collectionId}
      AND r.fields ->> c.name = ANY (${externalIds}::text[]) ${recent}`)
  return new Set(rows.map(({ value }) => value))
}

async function findTakenTokenIds(ctx: Context, collectionId: string, tokenIds: string[]): Promise<Set<string>> {
  const canonical = tokenIds.flatMap((text) => (/^\d{1,78}$/.test(text) ? [BigInt(text).toString()] : []))
  if (canonical.length === 0) return new Set()
  const rows = await ctx.sql<{ token_id: string }>(Prisma.sql`
    SELECT token_id FROM items WHERE organization_id = ${ctx.organizationId}::uuid
      AND collection_id = ${collectionId}::uuid AND token_id = ANY (${canonical}::text[])`)
  return new Set(rows.map((row) => row.token_id))
}
