import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { isDatabaseDown, isTransactionConflict } from '../../db/errors.ts'

/**
 * Does a part of a transaction that may fail without taking the rest along: what it did is undone, and its error is the answer.
 * null: it worked. A database that is gone, or a lost race, ends the whole transaction as ever.
 */
export async function attempt(tx: WorkerContext, work: () => Promise<unknown>): Promise<{ error: unknown } | null> {
  await tx.sql(Prisma.sql`SAVEPOINT attempt`)
  try {
    await work()
    await tx.sql(Prisma.sql`RELEASE SAVEPOINT attempt`)
    return null
  } catch (error) {
    if (isTransactionConflict(error) || isDatabaseDown(error)) throw error
    await tx.sql(Prisma.sql`ROLLBACK TO SAVEPOINT attempt`)
    return { error }
  }
}
