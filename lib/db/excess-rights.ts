import { setTimeout as wait } from 'node:timers/promises'
import { log } from '../core/log.ts'
import { appClient, publicClient, systemClient } from './client.ts'
import { isDatabaseDown, isRefusedLogin } from './errors.ts'
import { findFaultsOf, type Query } from './login-faults.ts'
import type { DatabaseRole } from './session.ts'

/**
 * Finds the rights that the logins of this process have beyond their work, or lack for it, in one sentence each. It
 * asks as the logins themselves, so that what counts is how PostgreSQL sees this process and not what DATABASE_URL
 * says.
 */
export async function findExcessRights(): Promise<string[]> {
  const clients = { vitrine_app: appClient(), vitrine_system: systemClient(), vitrine_public: publicClient() }
  const found = await Promise.all(
    Object.entries(clients).map(async ([role, client]) => {
      const [{ login } = { login: '' }] = await client.$queryRawUnsafe<{ login: string }[]>(
        'SELECT session_user::text AS login',
      )
      const query: Query = (sql, values) => client.$queryRawUnsafe(sql, ...values)
      return findFaultsOf(query, login, role as DatabaseRole)
    }),
  )
  return found.flat()
}

const PAUSE_MS = 500
/** For a database that starts or restarts beside this process: half a minute. */
const MOST_TRIES = 60

/** Calls `findExcessRights` again while the database can't be reached. */
async function insistOnExcessRights(): Promise<string[]> {
  for (let tries = 1; ; tries++)
    try {
      return await findExcessRights()
    } catch (error) {
      if (tries === MOST_TRIES || !isDatabaseDown(error)) throw error
      if (tries === 1) log.warn({ error }, 'The database can’t be reached; it is asked again for half a minute.')
      await wait(PAUSE_MS)
    }
}

/**
 * Throws an Error for people when a login of this process can do more than its work, or less. Waits half a minute for a
 * database that starts.
 */
export async function assertNoExcessRights(): Promise<void> {
  const found = await insistOnExcessRights().catch((error: unknown) => {
    if (!isRefusedLogin(error)) throw error
    throw new Error(
      'The database doesn’t know the logins of DATABASE_URL, or another password of theirs: ' +
        'run npm run migrate (docs/database.md).',
      { cause: error },
    )
  })
  if (found.length > 0)
    throw new Error(
      `The logins of DATABASE_URL aren’t as they should be:\n${found.map((each) => `  ${each}`).join('\n')}\nnpm run ` +
        'migrate makes logins that own nothing (docs/database.md).',
    )
}
