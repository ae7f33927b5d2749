import { Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Block, Chain } from '../../ports/chain/chain.ts'
import type { Cursor } from './cursor.ts'
import { type NodeAlarm, nodeAlarmsOf } from './node-alarms.ts'
import type { Step } from './read-step.ts'
import { wrongServerClock } from './wrong-server-clock.ts'

/** The cursor's block is never called late below this age. */
const LATE_SECONDS = 300
/** On slow networks it is late when this many blocks are missing at the network's usual pace. */
const LATE_BLOCKS = 20

/**
 * Raises alarms about a network's nodes: of another chain, on another fork, or behind their network. They end by
 * themselves, also those that another process raised.
 */
export async function watchNodes(ctx: SystemContext, chain: Chain, cursor: Cursor, step: Step): Promise<void> {
  await watchChainIds(ctx, chain, cursor)
  if (step.isOnChain) await setAlarm(ctx, chain, cursor, 'reorg_too_deep', null)
  await watchAge(ctx, chain, cursor, step.head)
  await setAlarm(ctx, chain, cursor, 'clock_apart', wrongServerClock(chain.network, step.head))
}

/** Opens the alarm, or ends it where `detail` is null. Writes nothing where the cursor says that it is so already. */
async function setAlarm(ctx: SystemContext, chain: Chain, { alarms }: Cursor, kind: NodeAlarm, detail: string | null) {
  if (alarms.includes(kind) === (detail !== null)) return
  const subject = nodeAlarmsOf(chain.network.id)[kind]
  await (detail === null ? resolveAlarm(ctx, kind, subject) : raiseAlarm(ctx, kind, subject, detail))
}

async function watchChainIds(ctx: SystemContext, chain: Chain, cursor: Cursor): Promise<void> {
  const wrong = chain.nodesOfOtherChains()
  const detail =
    `These nodes in RPC_URLS belong to another chain than ${chain.network.name} and aren’t ` +
    `used: ${wrong.join(', ')}.`
  await setAlarm(ctx, chain, cursor, 'node_of_other_chain', wrong.length > 0 ? detail : null)
}

/**
 * Raises an alarm while the last block that is entered is older than usual for its network, and ends it. `head`: null
 * where no block could be read.
 */
export async function watchAge(ctx: SystemContext, chain: Chain, cursor: Cursor, head: Block | null): Promise<void> {
  const { id, name } = chain.network
  const time = latestTime(ctx, chain, head)
  if (!time || !cursor.timestamp) return
  const ageSeconds = Math.round((time.getTime() - cursor.timestamp.getTime()) / 1000)
  const isLate = ageSeconds > LATE_SECONDS && ageSeconds > LATE_BLOCKS * (await secondsPerBlock(ctx, id))
  const missing =
    head && head.number > cursor.number ? `${head.number - cursor.number} blocks are missing` : 'its nodes give no more'
  const detail =
    `The last block of ${name} that is entered, ${cursor.number}, ` +
    `is ${Math.round(ageSeconds / 60)} minutes old: ${missing}.`
  await setAlarm(ctx, chain, cursor, 'indexing_late', isLate ? detail : null)
}

/** The local chain may pause; elsewhere the time goes on. */
function latestTime(ctx: SystemContext, chain: Chain, head: Block | null): Date | null {
  if (chain.network.finality === 'never') return head && head.timestamp
  return head && head.timestamp > ctx.now() ? head.timestamp : ctx.now()
}

/** The network's pace, of the blocks that are stored. */
async function secondsPerBlock(ctx: SystemContext, networkId: number): Promise<number> {
  const [pace] = await ctx.sql<{ seconds: number | null }>(Prisma.sql`
    SELECT (extract(epoch FROM max(timestamp) - min(timestamp))
      / nullif(max(number) - min(number), 0))::float AS seconds
    FROM chain_blocks WHERE network_id = ${networkId}`)
  return pace?.seconds ?? 0
}
