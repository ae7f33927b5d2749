import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { seal, sealHeader, unseal } from '../../core/secrets.ts'
import { KeyMissing } from '../../core/server-keys.ts'
import { boundToOf, raw, type SealedColumn } from './sealed-columns.ts'

const BATCH = 200

type Row = { key: string[]; sealed: Uint8Array }
export type Resealed = { done: number; unreadable: number }

/**
 * Seals the values of a column with the newest server key, row by row: each is written only if it is still what was read, so others may
 * change it meanwhile, or do the same. `onBatch` is told how many are done. Values that no listed key opens stay as they are.
 */
export async function reseal(
  worker: WorkerContext,
  column: SealedColumn,
  onBatch: (done: number) => void = () => undefined,
): Promise<Resealed> {
  const result: Resealed = { done: 0, unreadable: 0 }
  let after: string[] | null = null
  for (;;) {
    const rows: Row[] = await readBatch(worker, column, after)
    for (const row of rows) {
      const renewed = renew(column, row)
      if (renewed === null) result.unreadable++
      else if (await write(worker, column, row, renewed)) result.done++
    }
    if (rows.length > 0) onBatch(result.done)
    if (rows.length < BATCH) return result
    after = rows.at(-1)!.key
  }
}

const keyOf = ({ key }: SealedColumn) => Prisma.join(key.map(({ name }) => raw(name)))
const valuesOf = ({ key }: SealedColumn, values: readonly string[]) =>
  Prisma.join(key.map(({ cast }, at) => Prisma.sql`${values[at]}::${raw(cast)}`))

/** The next rows that another key sealed, in the order of their keys. */
const readBatch = (worker: WorkerContext, column: SealedColumn, after: readonly string[] | null): Promise<Row[]> =>
  worker.sql<Row>(Prisma.sql`
    SELECT ARRAY[${Prisma.join(column.key.map(({ name }) => raw(`${name}::text`)))}] AS key, ${raw(column.column)} AS sealed
    FROM ${raw(column.table)}
    WHERE substring(${raw(column.column)} FROM 1 FOR 8) <> ${sealHeader()}
      AND ${after ? Prisma.sql`(${keyOf(column)}) > (${valuesOf(column, after)})` : Prisma.sql`true`}
    ORDER BY ${keyOf(column)} LIMIT ${BATCH}`)

/** The same value under the newest key; null when no listed key opens it. */
function renew({ purpose }: SealedColumn, { key, sealed }: Row): Buffer | null {
  const boundTo = boundToOf(key)
  try {
    return seal(purpose, boundTo, unseal<unknown>(purpose, boundTo, sealed))
  } catch (error) {
    if (error instanceof KeyMissing) return null
    throw error
  }
}

async function write(worker: WorkerContext, column: SealedColumn, row: Row, renewed: Buffer): Promise<boolean> {
  const name = raw(column.column)
  const written = await worker.sql(Prisma.sql`
    UPDATE ${raw(column.table)} SET ${name} = ${renewed}
    WHERE (${keyOf(column)}) = (${valuesOf(column, row.key)}) AND ${name} = ${Buffer.from(row.sealed)} RETURNING 1 AS one`)
  return written.length > 0
}
