import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { env } from '../core/env.ts'
import { log } from '../core/log.ts'
import { leasePool } from './client.ts'
import { fromDatabase } from './errors.ts'
import { loginUrl } from './logins.ts'
import { onWritten } from './written.ts'

const CHANNEL = 'vitrine_work'
/** Writes of this time are told together. */
const TOGETHER_MS = 50

const notify = (payload: string): Promise<unknown> => leasePool().query('SELECT pg_notify($1, $2)', [CHANNEL, payload])

/**
 * Tells the workers that there may be work after what this process writes: one notification for all writes that are
 * committed while the one before is sent, and in the 50 ms after it. Nobody waits for it. One that is lost is made up
 * for by the workers' own look (lib/worker/look.ts). `id`: of this process, which doesn't wake itself.
 */
export function tellOfWork(id: string, signal: AbortSignal): void {
  const state = { isTelling: false, untold: 0 }
  const tell = async (): Promise<void> => {
    state.isTelling = true
    while (state.untold > 0 && !signal.aborted) {
      state.untold = 0
      await notify(id).catch((error: unknown) => log.debug({ error }, 'The workers were not told of work.'))
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS).unref())
    }
    state.isTelling = false
  }
  const end = onWritten(() => {
    state.untold++
    if (!state.isTelling) void tell()
  })
  signal.addEventListener('abort', end)
}

/** A connection that hears what other processes tell. */
export type Hearing = {
  /** Sends an echo to itself by the way that notifications come. */
  echo(): Promise<void>
  /** When the last echo was heard, by a clock that isn't set; null: none was yet. */
  echoedMs(): number | null
  end(): Promise<void>
}

/**
 * Opens a connection that hears of work. null: a pooler stands in between, which passes no notification on.
 * `heard`: called for each of another process. `lost`: called when the connection has ended by itself.
 */
export async function hearOfWork(
  id: string,
  { heard, lost }: { heard: () => void; lost: () => void },
): Promise<Hearing | null> {
  const client = new DatabaseClient({
    connectionString: loginUrl(env.LISTEN_DATABASE_URL || env.DATABASE_URL, 'vitrine_system'),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
    application_name: 'vitrine_work',
  })
  let echoedMs: number | null = null
  client.on('error', lost)
  client.on('end', lost)
  client.on('notification', ({ payload }) => {
    if (payload === `echo ${id}`) echoedMs = performance.now()
    else if (payload !== id && !payload?.startsWith('echo ')) heard()
  })
  const end = async (): Promise<void> => {
    client.removeListener('end', lost)
    await client.end().catch(() => undefined)
  }
  try {
    await fromDatabase(client.connect())
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    // A pooler tells its clients a process id of its own making.
    if (rows[0]!.pid !== (client as pg.Client & { processID: number }).processID) {
      await end()
      return null
    }
    await client.query(`LISTEN ${CHANNEL}`)
  } catch (error) {
    await end()
    throw error
  }
  return { echo: async () => void (await notify(`echo ${id}`)), echoedMs: () => echoedMs, end }
}
