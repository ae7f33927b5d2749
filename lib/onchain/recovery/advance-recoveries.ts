import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { decideUnmatchedMints } from './decide-unmatched-mints.ts'
import { endRecoveries } from './end-recoveries.ts'
import { matchClaims } from './match-claims.ts'
import { nameUnclearItems } from './name-unclear-items.ts'
import { settleLanes } from './settle-lanes.ts'
import { endForeignMintAlarms } from './end-foreign-mint-alarms.ts'

/** One round for a network: looks at mints that nothing in the books explains, delivers what they show, and ends what has caught up. */
export async function advanceRecoveries(worker: WorkerContext, chain: Chain): Promise<void> {
  await settleLanes(worker, chain)
  await decideUnmatchedMints(worker, chain)
  await matchClaims(worker, chain.network.id)
  await endForeignMintAlarms(worker)
  await nameUnclearItems(worker, chain.network.id)
  await endRecoveries(worker, chain)
}
