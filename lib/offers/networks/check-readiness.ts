import { Prisma } from '../../../generated/prisma/client.ts'
import { withinTime } from '../../core/within-time.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'

const CHECK_TIMEOUT_MS = 3_000

type NetworkHealth = {
  id: number
  up: boolean
  head: number | null
  indexed: number | null
  behind: number | null
  cursor_age_seconds: number | null
}
export type Readiness = { ready: boolean; database: { up: boolean }; networks: NetworkHealth[] }

/** Whether the database and every chain answer. The indexer's lag is reported, but doesn't make the installation unready. */
export async function checkReadiness(ctx: Pick<Context, 'sql' | 'ports' | 'now'>): Promise<Readiness> {
  const [cursors, heads] = await Promise.all([
    orNull(readCursors(ctx)),
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
  return { ready: database.up && networks.every(({ up }) => up), database, networks }
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

/** null: no answer, or none in time. */
const orNull = <T>(answer: Promise<T>): Promise<T | null> => withinTime(answer, CHECK_TIMEOUT_MS, null)
