import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Migration } from './migrations.ts'

export type Patience = {
  /**
   * A statement of a migration waits so long for a lock. What comes after it waits too, so this is less than
   * LOCK_TIMEOUT_MS of web and worker.
   */
  lockMs: number
  /** Statements outside a transaction wait for the end of transactions, and keep nobody else waiting. */
  outsideLockMs: number
  pauseMs: number
  tries: number
}
export const PATIENCE: Patience = { lockMs: 3_000, outsideLockMs: 60_000, pauseMs: 5_000, tries: 20 }

export type Run = {
  /** A second connection, which sees what the first one waits for. */
  observer: pg.Client
  say: (line: string) => void
  patience: Patience
}

/** Applies a migration and records it. */
export async function applyMigration(client: pg.Client, migration: Migration, run: Run): Promise<void> {
  const rest = migration.outside ? 'can be run again' : 'nothing of it remains'
  const what = `Migration ${migration.name} failed and ${rest}`
  const work = migration.outside ? runOutside : runInside
  await untilUnlocked(client, { name: migration.name, what }, run, () => work(client, migration, run.patience))
}

/**
 * Does work that takes locks. Where one isn't to be had in time, the work rolls everything back, so that nobody waits
 * any longer, and is tried again after a pause. `what` begins the error that says it failed.
 */
export async function untilUnlocked(
  client: pg.Client,
  { name, what }: { name: string; what: string },
  run: Run,
  work: () => Promise<void>,
): Promise<void> {
  const { say, patience } = run
  for (let attempt = 1; ; attempt++) {
    const waits = observeWaits(client, run)
    try {
      await work()
      return
    } catch (error) {
      const reason = `${(error as Error).message}${await waits.seen()}`
      if (!isLockFailure(error) || attempt === patience.tries) throw new Error(`${what}: ${reason}`, { cause: error })
      say(`${name} waits for a lock (try ${attempt} of ${patience.tries}): ${reason}`)
      await pause(patience.pauseMs)
    } finally {
      waits.stop()
    }
  }
}

const runInside = (client: pg.Client, migration: Migration, { lockMs }: Patience): Promise<void> =>
  migrationTransaction(client, lockMs, async () => {
    await client.query(migration.sql)
    await record(client, migration)
  })

export async function migrationTransaction(
  client: pg.Client,
  lockMs: number,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = ${lockMs}`)
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined) // the connection itself may be what failed
    throw error
  }
}

const INDEX = /CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/i

/**
 * An index that an interrupted try left behind is invalid: it is made again. One that is complete only lacks its
 * record.
 */
async function runOutside(client: pg.Client, migration: Migration, { outsideLockMs }: Patience): Promise<void> {
  await client.query(`SET lock_timeout = ${outsideLockMs}`)
  try {
    const index = INDEX.exec(migration.sql)?.[1]
    const state = index === undefined ? 'missing' : await stateOf(client, index)
    if (state === 'invalid') await client.query(`DROP INDEX CONCURRENTLY "${index}"`)
    if (state !== 'valid') await client.query(migration.sql)
    await record(client, migration)
  } finally {
    await client.query('RESET lock_timeout').catch(() => undefined)
  }
}

async function stateOf(client: pg.Client, index: string): Promise<'missing' | 'invalid' | 'valid'> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [`"${index}"`],
  )
  if (rows.length === 0) return 'missing'
  return rows[0]!.indisvalid ? 'valid' : 'invalid'
}

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  )
}

/** lock_not_available, deadlock_detected. */
const isLockFailure = (error: unknown): boolean => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

const LOOK_MS = 200

/** Notices while the client waits whom it waits for, since that can't be asked afterwards. */
function observeWaits(client: pg.Client, { observer }: Run): { seen: () => Promise<string>; stop: () => void } {
  const { processID } = client as pg.Client & { processID: number }
  let last = ''
  let looking: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    const { rows } = await observer.query<{ pid: number; application_name: string; state: string; query: string }>(
      `SELECT pid, application_name, state, left(regexp_replace(query, '\\s+', ' ', 'g'), 200) AS query
        FROM pg_stat_activity
       WHERE pid = ANY(pg_blocking_pids($1))`,
      [processID],
    )
    if (rows.length > 0)
      last = rows.map((r) => `; process ${r.pid} (${r.application_name}) holds it, ${r.state}: ${r.query}`).join('')
  }
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => undefined) // only an explanation is lost
  }, LOOK_MS)
  return {
    seen: async () => {
      await looking
      return last
    },
    stop: () => clearInterval(timer),
  }
}
