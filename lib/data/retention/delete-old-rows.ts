import { Prisma } from '../../../generated/prisma/client.ts'
import { realNow, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { BOUNDS, type Rule } from './bounds.ts'

const BATCH = 5_000
/** A table's backlog is worked off over several rounds, so that the others get their turn. */
const BATCHES_PER_ROUND = 40

/**
 * Deletes or empties what the rules of `BOUNDS` call old, in small batches, each in a transaction of its own. One
 * table's failure delays no other.
 */
export async function deleteOldRows(worker: SystemContext, batch = BATCH): Promise<void> {
  const failures: unknown[] = []
  for (const [table, rules] of Object.entries(BOUNDS)) {
    if (typeof rules === 'string') continue
    for (const rule of rules) {
      const at = rule.isReal ? realNow() : worker.now()
      await deleteBatches(worker, deletionOf(table, rule, at, batch), batch).catch((error: unknown) =>
        failures.push(error),
      )
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Old rows of some tables could not be deleted.')
}

async function deleteBatches(worker: SystemContext, statement: Prisma.Sql, batch: number): Promise<void> {
  for (let batches = 1; batches <= BATCHES_PER_ROUND; batches++) {
    const { length } = await worker.sql(statement)
    if (length > 0) crashPoint('rows_deleted')
    if (length < batch) return
  }
}

/** A row that changes meanwhile is judged again, since its place in the table changes as well. */
export function deletionOf(table: string, { old, by, empties }: Rule, now: Date, batch: number): Prisma.Sql {
  const where = old((seconds) => Prisma.sql`${secondsFrom(now, -seconds).toISOString()}::timestamptz`)
  const name = Prisma.raw(table)
  const chosen = Prisma.sql`WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name}
    WHERE ${where} ORDER BY ${Prisma.raw(by)} LIMIT ${batch} FOR UPDATE SKIP LOCKED)) RETURNING 1`
  return empties ? Prisma.sql`UPDATE ${name} SET ${empties} ${chosen}` : Prisma.sql`DELETE FROM ${name} ${chosen}`
}
