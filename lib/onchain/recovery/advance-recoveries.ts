import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { decideArrivals } from './decide-arrivals.ts'
import { decideUnmatchedMints } from './decide-unmatched-mints.ts'
import { endRecoveries } from './end-recoveries.ts'
import { matchClaims } from './match-claims.ts'
import { nameUnclearItems } from './name-unclear-items.ts'
import { endForeignMintAlarms } from './end-foreign-mint-alarms.ts'
import { endTokenGoneAlarms } from './end-token-gone-alarms.ts'
import { matchEscrows } from './match-escrows.ts'
import { settleLanes } from './settle-lanes.ts'

/**
 * One round for a network: looks at mints and arrivals that nothing in the books explains, records what they show, and
 * ends what has caught up.
 */
export async function advanceRecoveries(worker: SystemContext, chain: Chain): Promise<void> {
  await decideUnmatchedMints(worker, chain)
  await matchClaims(worker, chain.network.id)
  await decideArrivals(worker, chain)
  await matchEscrows(worker, chain.network.id)
  await endForeignMintAlarms(worker)
  await endTokenGoneAlarms(worker)
  await nameUnclearItems(worker, chain.network.id)
  await endRecoveries(worker, chain)
  // The last one: it throws where too few nodes answer.
  await settleLanes(worker, chain)
}
