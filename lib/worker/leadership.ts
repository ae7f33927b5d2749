import pg from 'pg'
import { env } from '../core/env.ts'
import { log } from '../core/log.ts'

/** Tasks that only one process does at a time. The others stand by and take over when its connection ends. */
export type Leadership = {
  /** Whether this process does the task now; it takes the task when no other has it. */
  holds(task: string): Promise<boolean>
  close(): Promise<void>
}

/** One connection and the tasks it holds: both end together, so that late events of a lost connection don't touch the next one. */
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
    // Several tasks may ask at once: the first one opens the connection for all.
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
