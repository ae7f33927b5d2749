/** The database roles that prisma/migrations creates. Their grants and row-level security policies are defined there. */
export type DatabaseRole = 'vitrine_app' | 'vitrine_system' | 'vitrine_public'

/**
 * A transaction that waits this long for its client's next statement is ended by PostgreSQL: a process that hangs keeps no locks.
 * With LOCK_TIMEOUT_MS it bounds how long a task of a hung worker stays out of reach (lib/worker/leadership.ts).
 */
const IDLE_IN_TRANSACTION_MS = 8_000
/** A statement that waits longer than this for a lock fails, and its transaction is tried again (lib/db/errors.ts). */
const LOCK_TIMEOUT_MS = 5_000
/** Changes of the schema wait for the longest transactions of a running installation. */
const MIGRATION_LOCK_TIMEOUT_MS = 30_000

const optionsOf = (settings: Record<string, string | number>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** PostgreSQL's startup options of every connection that does the work of `role`. */
export const sessionOptions = (role: DatabaseRole): string =>
  optionsOf({
    role,
    timezone: 'UTC',
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  })

/** The same for connections of the database's owner, which change the schema. */
export const ownerOptions = (): string =>
  optionsOf({
    timezone: 'UTC',
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    lock_timeout: MIGRATION_LOCK_TIMEOUT_MS,
  })
