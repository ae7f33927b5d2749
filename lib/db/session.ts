/**
 * The database roles that prisma/migrations creates. Their grants and row-level security policies are defined there.
 */
export const DATABASE_ROLES = ['vitrine_app', 'vitrine_system', 'vitrine_public'] as const
export type DatabaseRole = (typeof DATABASE_ROLES)[number]

/**
 * A transaction that waits this long for its client's next statement is ended by PostgreSQL: a process that hangs keeps
 * no locks. With LOCK_TIMEOUT_MS it bounds how long a task of a hung worker stays out of reach
 * (lib/worker/leadership.ts).
 */
const IDLE_IN_TRANSACTION_MS = 8_000
/** A statement that waits longer than this for a lock fails, and its transaction is tried again (lib/db/errors.ts). */
const LOCK_TIMEOUT_MS = 5_000
/**
 * A statement that nobody limits otherwise, such as one of a command (lib/db/client.ts limits those of the web process
 * and the worker).
 */
const STATEMENT_TIMEOUT_MS = 3_600_000
/** Changes of the schema may read and write the biggest tables. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 24 * 3_600_000
/** Changes of the schema wait for the longest transactions of a running installation. */
const MIGRATION_LOCK_TIMEOUT_MS = 30_000

/**
 * The settings that each login has in the database, so that its connections need no start-up options, which poolers
 * drop.
 */
export const LOGIN_SETTINGS: Record<string, string> = {
  timezone: 'UTC',
  idle_in_transaction_session_timeout: `${IDLE_IN_TRANSACTION_MS}ms`,
  lock_timeout: `${LOCK_TIMEOUT_MS}ms`,
  statement_timeout: `${STATEMENT_TIMEOUT_MS}ms`,
}

/** PostgreSQL's start-up options of the owner's connections, which change the schema. */
export const ownerOptions = (): string =>
  Object.entries({
    ...LOGIN_SETTINGS,
    lock_timeout: `${MIGRATION_LOCK_TIMEOUT_MS}ms`,
    statement_timeout: `${MIGRATION_STATEMENT_TIMEOUT_MS}ms`,
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
