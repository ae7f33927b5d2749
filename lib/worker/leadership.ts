import pg from 'pg'
import { env } from '../core/env.ts'
import { log } from '../core/log.ts'

/** What only one process does at a time. The others stand by and take over when its connection ends. */
export type Leadership = {
  /** Whether this process does it now; takes it on when nobody does. */
  holds(task: string): Promise<boolean>
  close(): Promise<void>
}

/** Advisory locks on a connection of their own: they end with it, however the process dies. */
export function openLeadership(): Leadership {
  const held = new Set<string>()
  let open: Promise<pg.Client> | null = null

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: env.DATABASE_URL, application_name: 'vitrine_leader', keepAlive: true, connectionTimeoutMillis: 10_000 })
    const lost = () => {
      held.clear()
      open = null
    }
    client.on('error', (error) => {
      log.warn({ error }, 'The connection that holds this worker’s tasks was lost.')
      lost()
    })
    client.on('end', lost)
    await client.connect()
    return client
  }

  return {
    async holds(task) {
      if (held.has(task)) return true
      open ??= connect().catch((error: unknown) => {
        open = null
        throw error
      })
      const opening = open
      const client = await opening
      const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken', [`vitrine ${task}`])
      if (!rows[0]?.taken) return false
      if (open !== opening) return false
      held.add(task)
      return true
    },
    async close() {
      const client = await open?.catch(() => null)
      await client?.end().catch(() => undefined)
    },
  }
}
