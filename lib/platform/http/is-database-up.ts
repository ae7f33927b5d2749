import { Prisma } from '../../../generated/prisma/client.ts'
import { withinTime } from '../../core/within-time.ts'
import { publishedScope, systemScope } from '../../db/scope.ts'

const TIMEOUT_MS = 3_000

/** Whether the database answers in time: the primary, and the read replica where there is one. */
export async function isDatabaseUp(): Promise<boolean> {
  const answers = [systemScope(), publishedScope({ listed: true })].map(({ sql }) =>
    withinTime(
      sql(Prisma.sql`SELECT 1`).then(() => true),
      TIMEOUT_MS,
      false,
    ),
  )
  return (await Promise.all(answers)).every(Boolean)
}
