import { Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Block, Chain, Network } from '../../ports/chain/chain.ts'
import type { Cursor } from './cursor.ts'
import type { Step } from './read-step.ts'
import { finalReorgOf } from './walk-back.ts'

/** The cursor's block is never called late below this age. */
const LATE_SECONDS = 300
/** On slow networks it is late when this many blocks are missing at the network's usual pace. */
const LATE_BLOCKS = 20

/** Whether the alarm may be open; unknown after a start. */
const mayBeLate = new WeakMap<Network, boolean>()

/** Raises alarms about a network's nodes: of another chain, on another fork, or behind their network. They end by themselves. */
export async function watchNodes(ctx: WorkerContext, chain: Chain, cursor: Cursor, step: Step): Promise<void> {
  await watchChainIds(ctx, chain)
  await watchFork(ctx, chain, step)
  await watchAge(ctx, chain, cursor, step.head)
}

/** How many nodes of another chain were reported; unknown after a start. */
const reported = new WeakMap<Network, number>()

async function watchChainIds(ctx: WorkerContext, chain: Chain): Promise<void> {
  const { id, name } = chain.network
  const wrong = chain.nodesOfOtherChains()
  if (wrong.length === reported.get(chain.network)) return
  if (wrong.length > 0) {
    const detail = `These nodes in RPC_URLS belong to another chain than ${name} and aren’t used: ${wrong.join(', ')}.`
    await raiseAlarm(ctx, 'node_of_other_chain', String(id), detail)
  } else await resolveAlarm(ctx, 'node_of_other_chain', String(id))
  reported.set(chain.network, wrong.length)
}

/** Whether the alarm about final blocks that are gone may be open; unknown after a start. */
const mayHaveForked = new WeakMap<Network, boolean>()

async function watchFork(ctx: WorkerContext, chain: Chain, { isOnChain }: Step): Promise<void> {
  if (isOnChain && mayHaveForked.get(chain.network) !== false)
    await resolveAlarm(ctx, 'reorg_too_deep', finalReorgOf(chain.network))
  mayHaveForked.set(chain.network, !isOnChain)
}

/**
 * Raises an alarm while the last block that is entered is older than usual for its network, and ends it. `head`: null where no
 * block could be read.
 */
export async function watchAge(ctx: WorkerContext, chain: Chain, cursor: Cursor, head: Block | null): Promise<void> {
  const { id, name } = chain.network
  const time = latestTime(ctx, chain, head)
  if (!time || !cursor.timestamp) return
  const ageSeconds = Math.round((time.getTime() - cursor.timestamp.getTime()) / 1000)
  const isLate = ageSeconds > LATE_SECONDS && ageSeconds > LATE_BLOCKS * (await secondsPerBlock(ctx, id))
  if (isLate) {
    const missing =
      head && head.number > cursor.number
        ? `${head.number - cursor.number} blocks are missing`
        : 'its nodes give no more'
    const detail = `The last block of ${name} that is entered, ${cursor.number}, is ${Math.round(ageSeconds / 60)} minutes old: ${missing}.`
    await raiseAlarm(ctx, 'indexing_late', String(id), detail)
  } else if (mayBeLate.get(chain.network) !== false) await resolveAlarm(ctx, 'indexing_late', String(id))
  mayBeLate.set(chain.network, isLate)
}

/** The local chain may pause; elsewhere the time goes on. */
function latestTime(ctx: WorkerContext, chain: Chain, head: Block | null): Date | null {
  if (chain.network.finality === 'never') return head && head.timestamp
  return head && head.timestamp > ctx.now() ? head.timestamp : ctx.now()
}

/** The network's pace, of the blocks that are stored. */
async function secondsPerBlock(ctx: WorkerContext, networkId: number): Promise<number> {
  const [pace] = await ctx.sql<{ seconds: number | null }>(Prisma.sql`
    SELECT (extract(epoch FROM max(timestamp) - min(timestamp)) / nullif(max(number) - min(number), 0))::float AS seconds
    FROM chain_blocks WHERE network_id = ${networkId}`)
  return pace?.seconds ?? 0
}
