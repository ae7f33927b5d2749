import { Prisma } from '../../../generated/prisma/client.ts'
import { HOUR, secondsFrom } from '../../core/clock.ts'
import { log } from '../../core/log.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { readCursor } from './cursor.ts'
import { findUnentered } from './find-unentered.ts'
import { lastBlockAt } from './last-block-at.ts'

/** A chain's time isn't exactly ours. */
const CLOCK_SKEW_SECONDS = HOUR

/**
 * Has the blocks since a time read once more: rescan-final.ts enters what nodes left out of them. Until then they count
 * as not read twice.
 */
export async function readAgainSince(worker: SystemContext, chain: Chain, since: Date): Promise<void> {
  const { id: networkId } = chain.network
  const cursor = await readCursor(worker, networkId)
  if (!cursor || cursor.rescannedTo < 0n) return
  const block = await lastBlockAt(chain, secondsFrom(since, -CLOCK_SKEW_SECONDS), cursor.rescannedTo)
  if (block === null) return
  await readAgainAfter(worker, networkId, block)
}

/**
 * Has the blocks read once more that contain our own transactions whose effects are completed and not entered: these
 * blocks were read twice before that.
 */
export async function readUnenteredAgain(
  worker: SystemContext,
  networkId: number,
  transactionIds: readonly string[],
): Promise<void> {
  const unentered = await findUnentered(worker, networkId, Prisma.sql`t.id = ANY(${transactionIds}::uuid[])`)
  const [first] = unentered.map(({ blockNumber }) => blockNumber).sort((a, b) => Number(a - b))
  if (first !== undefined) await readAgainAfter(worker, networkId, first - 1n)
}

async function readAgainAfter(worker: SystemContext, networkId: number, block: bigint): Promise<void> {
  const rows = await worker.sql(Prisma.sql`
    UPDATE chain_cursors SET rescanned_to = ${block}
    WHERE network_id = ${networkId} AND rescanned_to > ${block} RETURNING 1`)
  if (rows.length > 0) log.warn({ networkId, block }, 'A log is missing: final blocks are read once more.')
}
