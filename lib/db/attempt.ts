import { Prisma } from '../../generated/prisma/client.ts'
import { isDatabaseDown, isTransactionConflict } from './errors.ts'

/**
 * Runs `work` in a savepoint: if it fails, its effect is undone and its error returned; null means success. A lost
 * database connection or a serialization failure ends the whole transaction.
 */
export async function attempt(
  tx: { sql: (query: Prisma.Sql) => Promise<unknown> },
  work: () => Promise<unknown>,
): Promise<{ error: unknown } | null> {
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
