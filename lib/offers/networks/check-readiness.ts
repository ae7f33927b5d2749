import { Prisma } from '../../../generated/prisma/client.ts'
import { withinTime } from '../../core/within-time.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { listWorkers, type SeenWorker } from '../../records/alarms/silent-workers.ts'

const CHECK_TIMEOUT_MS = 3_000

type NetworkHealth = {
  id: number
  up: boolean
  head: number | null
  indexed: number | null
  behind: number | null
  cursor_age_seconds: number | null
}
/** up: a worker was seen lately. silent: how many neither stopped nor were seen lately. null: none was ever seen. */
type WorkerHealth = { up: boolean; last_seen_seconds: number | null; silent: number }
export type Readiness = {
  ready: boolean
  database: { up: boolean }
  worker: WorkerHealth
  networks: NetworkHealth[]
}

/**
 * Whether the database and every chain answer. The indexer's lag and the workers' silence are reported, but don't make this process
 * unready.
 */
export async function checkReadiness(ctx: Pick<Context, 'sql' | 'ports' | 'now'>): Promise<Readiness> {
  const [cursors, workers, heads] = await Promise.all([
    orNull(readCursors(ctx)),
    orNull(listWorkers(ctx)),
    Promise.all([...ctx.ports.chains.values()].map(async (chain) => [chain, await orNull(chain.head())] as const)),
  ])
  const networks = heads.map(([chain, head]) =>
    healthOf(
      chain,
      head,
      cursors?.find(({ network_id }) => network_id === chain.network.id),
      ctx.now(),
    ),
  )
  const database = { up: cursors !== null }
  const ready = database.up && networks.every(({ up }) => up)
  return { ready, database, worker: workerHealthOf(workers ?? []), networks }
}

type CursorRow = { network_id: number; number: bigint; updated_at: Date }

const readCursors = (ctx: Pick<Context, 'sql'>): Promise<CursorRow[]> =>
  ctx.sql<CursorRow>(Prisma.sql`SELECT network_id, number, updated_at FROM chain_cursors`)

function healthOf(
  { network }: Chain,
  head: { number: bigint } | null,
  cursor: CursorRow | undefined,
  now: Date,
): NetworkHealth {
  return {
    id: network.id,
    up: head !== null,
    head: head && Number(head.number),
    indexed: cursor ? Number(cursor.number) : null,
    behind: head && cursor ? Math.max(0, Number(head.number - cursor.number)) : null,
    cursor_age_seconds: cursor ? Math.round((now.getTime() - cursor.updated_at.getTime()) / 1000) : null,
  }
}

const workerHealthOf = (workers: readonly SeenWorker[]): WorkerHealth => ({
  up: workers.some(({ isRunning }) => isRunning),
  last_seen_seconds: workers[0]?.secondsAgo ?? null,
  silent: workers.filter(({ isSilent }) => isSilent).length,
})

/** null: no answer, or none in time. */
const orNull = <T>(answer: Promise<T>): Promise<T | null> => withinTime(answer, CHECK_TIMEOUT_MS, null)
