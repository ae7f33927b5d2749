import { Prisma } from '../../../generated/prisma/client.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { publishedScope } from '../../db/published-scope.ts'
import { systemScope } from '../../db/scope.ts'

const TIMEOUT_MS = 3_000

const shared = oncePerProcess<{ asking?: Promise<boolean> | undefined }>('asking the database', () => ({}))

/**
 * Whether the database answers in time: the primary, and the read replica where there is one. Whoever asks while an
 * answer is awaited gets the same one, so that a flood of questions takes one connection.
 */
export const isDatabaseUp = (): Promise<boolean> => (shared.asking ??= ask().finally(() => (shared.asking = undefined)))

async function ask(): Promise<boolean> {
  const answers = [systemScope(), publishedScope({ listed: true })].map(({ sql }) =>
    withTimeout(
      sql(Prisma.sql`SELECT 1`).then(() => true),
      TIMEOUT_MS,
      false,
    ),
  )
  return (await Promise.all(answers)).every(Boolean)
}
