import pg from 'pg'
import { env } from '../core/env.ts'
import { log } from '../core/log.ts'

/** What only one process does at a time. The others stand by and take over when its connection ends. */
export type Leadership = {
  /** Whether this process does it now; takes it on when nobody does. */
  holds(task: string): Promise<boolean>
  close(): Promise<void>
}

/** One connection and what it holds: both end together, so that a lost one's late farewells say nothing about the next. */
type Hold = { client: pg.Client; tasks: Set<string>; isLost: boolean }

/** Advisory locks on a connection of their own: they end with it, however the process dies. */
export function openLeadership(): Leadership {
  let opening: Promise<Hold> | null = null

  const connect = async (): Promise<Hold> => {
    const client = new pg.Client({
      connectionString: env.DATABASE_URL,
      application_name: 'vitrine_leader',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    const hold: Hold = { client, tasks: new Set(), isLost: false }
    const lose = () => {
      hold.isLost = true
    }
    client.on('error', (error) => {
      log.warn({ error }, 'The connection that holds this worker’s tasks was lost.')
      lose()
    })
    client.on('end', lose)
    await client.connect()
    return hold
  }

  const current = async (): Promise<Hold> => {
    const before = opening
    const known = await before?.catch(() => null)
    if (known && !known.isLost) return known
    // Several tasks may come here at once: the first one opens for all.
    if (opening === before) opening = connect()
    return opening!
  }

  return {
    async holds(task) {
      const hold = await current()
      if (hold.tasks.has(task)) return true
      const { rows } = await hold.client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
        [`vitrine ${task}`],
      )
      if (!rows[0]?.taken || hold.isLost) return false
      hold.tasks.add(task)
      return true
    },
    async close() {
      const hold = await opening?.catch(() => null)
      await hold?.client.end().catch(() => undefined)
    },
  }
}
