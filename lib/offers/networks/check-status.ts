import type { Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { env } from '../../core/env.ts'
import { weiOfGwei } from '../../core/gas.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { Context } from '../../platform/auth/context.ts'
import { isDatabaseUp } from '../../platform/http/is-database-up.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { listWorkers, type SeenWorker } from '../../records/alarms/silent-workers.ts'

const CHECK_TIMEOUT_MS = 3_000

/** `balance` in wei. null: no node answered. */
type OperatorHealth = { address: string; balance: string | null; low: boolean | null }
type NetworkHealth = {
  id: number
  up: boolean
  head: number | null
  indexed: number | null
  behind: number | null
  cursor_age_seconds: number | null
  operators: OperatorHealth[]
}
/** up: a worker was seen lately. silent: how many neither stopped nor were seen lately. null: none was ever seen. */
type WorkerHealth = { up: boolean; last_seen_seconds: number | null; silent: number }
export type Status = {
  ok: boolean
  database: { up: boolean }
  worker: WorkerHealth
  networks: NetworkHealth[]
}

/**
 * Whether the database and every chain answer, a worker runs, and operators have coins. The indexer's lag and workers
 * that went silent are told, but don't count as long as another worker runs.
 */
export async function checkStatus(ctx: Pick<Context, 'sql' | 'ports' | 'now'>): Promise<Status> {
  const { chains, keys } = ctx.ports
  const [up, cursors, workers, seen] = await Promise.all([
    isDatabaseUp(),
    orNull(readCursors(ctx)),
    orNull(listWorkers(ctx)),
    Promise.all([...chains.values()].map((chain) => readChain(chain, keys.operators))),
  ])
  const networks = seen.map((each) =>
    healthOf(
      each,
      cursors?.find(({ network_id }) => network_id === each.chain.network.id),
      ctx.now(),
    ),
  )
  const worker = workerHealthOf(workers ?? [])
  const ok = up && worker.up && networks.every((each) => each.up && each.operators.every(({ low }) => low === false))
  return { ok, database: { up }, worker, networks }
}

type Seen = { chain: Chain; head: { number: bigint } | null; operators: OperatorHealth[] }

async function readChain(chain: Chain, operators: readonly Address[]): Promise<Seen> {
  const [head, balances] = await Promise.all([
    orNull(chain.head()),
    Promise.all(operators.map((operator) => orNull(chain.balance(operator)))),
  ])
  const floor = weiOfGwei(env.OPERATOR_FLOOR_GWEI)
  return {
    chain,
    head,
    operators: operators.map((address, at) => {
      const balance = balances[at] ?? null
      return {
        address,
        balance: balance === null ? null : String(balance),
        low: balance === null ? null : balance < floor,
      }
    }),
  }
}

type CursorRow = { network_id: number; number: bigint; updated_at: Date }

const readCursors = (ctx: Pick<Context, 'sql'>): Promise<CursorRow[]> =>
  ctx.sql<CursorRow>(Prisma.sql`SELECT network_id, number, updated_at FROM chain_cursors`)

function healthOf({ chain, head, operators }: Seen, cursor: CursorRow | undefined, now: Date): NetworkHealth {
  return {
    id: chain.network.id,
    up: head !== null,
    head: head && Number(head.number),
    indexed: cursor ? Number(cursor.number) : null,
    behind: head && cursor ? Math.max(0, Number(head.number - cursor.number)) : null,
    cursor_age_seconds: cursor ? Math.round((now.getTime() - cursor.updated_at.getTime()) / 1000) : null,
    operators,
  }
}

const workerHealthOf = (workers: readonly SeenWorker[]): WorkerHealth => ({
  up: workers.some(({ isRunning }) => isRunning),
  last_seen_seconds: workers[0]?.secondsAgo ?? null,
  silent: workers.filter(({ isSilent }) => isSilent).length,
})

/** null: no answer, or none in time. */
const orNull = <T>(answer: Promise<T>): Promise<T | null> => withTimeout(answer, CHECK_TIMEOUT_MS, null)
