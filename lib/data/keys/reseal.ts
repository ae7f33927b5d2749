import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { crashPoint } from '../../core/crash.ts'
import { seal, sealHeader, unseal } from '../../core/secrets.ts'
import { KeyMissing } from '../../core/server-keys.ts'
import { boundToOf, raw, type SealedColumn } from './sealed-columns.ts'

const BATCH = 200

type Row = { key: string[]; sealed: Uint8Array }
type Renewed = Row & { renewed: Buffer }
export type Resealed = { done: number; unreadable: number }

/**
 * Seals the values of a column with the newest server key, in batches: each is written only if it is still what was
 * read, so others may change it meanwhile, or do the same. `onBatch` is told how many are done. Values that no listed
 * key opens stay as they are.
 */
export async function reseal(
  worker: SystemContext,
  column: SealedColumn,
  onBatch: (done: number) => void = () => undefined,
): Promise<Resealed> {
  const result: Resealed = { done: 0, unreadable: 0 }
  let after: string[] | null = null
  for (;;) {
    const rows: Row[] = await readBatch(worker, column, after)
    const renewed = rows.flatMap((row): Renewed[] => {
      const value = renew(column, row)
      return value === null ? [] : [{ ...row, renewed: value }]
    })
    result.unreadable += rows.length - renewed.length
    result.done += await write(worker, column, renewed)
    if (renewed.length > 0) crashPoint('values_resealed')
    if (rows.length > 0) onBatch(result.done)
    if (rows.length < BATCH) return result
    after = rows.at(-1)!.key
  }
}

const keyOf = ({ key }: SealedColumn) => Prisma.join(key.map(({ name }) => raw(name)))
const valuesOf = ({ key }: SealedColumn, values: readonly string[]) =>
  Prisma.join(key.map(({ cast }, at) => Prisma.sql`${values[at]}::${raw(cast)}`))

/** The next rows that another key sealed, in the order of their keys. */
const readBatch = (worker: SystemContext, column: SealedColumn, after: readonly string[] | null): Promise<Row[]> =>
  worker.sql<Row>(Prisma.sql`
    SELECT ARRAY[${Prisma.join(column.key.map(({ name }) => raw(`${name}::text`)))}] AS key,
      ${raw(column.column)} AS sealed
    FROM ${raw(column.table)}
    WHERE substring(${raw(column.column)} FROM 1 FOR 8) <> ${sealHeader()}
      AND ${after ? Prisma.sql`(${keyOf(column)}) > (${valuesOf(column, after)})` : Prisma.sql`true`}
    ORDER BY ${keyOf(column)} LIMIT ${BATCH}`)

/** The sealed value of a row, sealed again under the newest key. null: no listed key opens it. */
function renew({ purpose }: SealedColumn, { key, sealed }: Row): Buffer | null {
  const boundTo = boundToOf(key)
  try {
    return seal(purpose, boundTo, unseal<unknown>(purpose, boundTo, sealed))
  } catch (error) {
    if (error instanceof KeyMissing) return null
    throw error
  }
}

/**
 * Writes what was renewed in one statement, and row by row what others have locked: whoever locks several rows may do
 * so in another order. Returns how many were written.
 */
async function write(worker: SystemContext, column: SealedColumn, rows: readonly Renewed[]): Promise<number> {
  if (rows.length === 0) return 0
  const written = new Set((await writeRows(worker, column, rows, SKIPPING_LOCKED)).map(boundToOf))
  let done = written.size
  for (const row of rows)
    if (!written.has(boundToOf(row.key))) done += (await writeRows(worker, column, [row], Prisma.empty)).length
  return done
}

const SKIPPING_LOCKED = Prisma.sql`SKIP LOCKED`

/** Returns the keys of the rows that were still what was read. */
async function writeRows(
  worker: SystemContext,
  { table, column, key }: SealedColumn,
  rows: readonly Renewed[],
  locking: Prisma.Sql,
): Promise<string[][]> {
  const sealed = raw(`t.${column}`)
  const given = Prisma.join([
    ...key.map(({ cast }, at) => Prisma.sql`${rows.map((row) => row.key[at]!)}::${raw(cast)}[]`),
    Prisma.sql`${rows.map((row) => Buffer.from(row.sealed))}::bytea[]`,
    Prisma.sql`${rows.map(({ renewed }) => renewed)}::bytea[]`,
  ])
  const names = key.map(({ name }) => name)
  const same = (one: string, other: string) =>
    raw(names.map((name) => `${one}.${name} = ${other}.${name}`).join(' AND '))
  const written = await worker.sql<{ key: string[] }>(Prisma.sql`
    WITH given AS (SELECT * FROM unnest(${given}) AS n (${raw(names.join(', '))}, sealed, renewed)),
    unchanged AS MATERIALIZED (
      SELECT ${raw(names.map((name) => `n.${name}`).join(', '))}, n.renewed
      FROM given n JOIN ${raw(table)} t ON ${same('t', 'n')}
      WHERE ${sealed} = n.sealed FOR UPDATE OF t ${locking})
    UPDATE ${raw(table)} t SET ${raw(column)} = u.renewed FROM unchanged u WHERE ${same('t', 'u')}
    RETURNING ARRAY[${raw(names.map((name) => `t.${name}::text`).join(', '))}] AS key`)
  return written.map((row) => row.key)
}
