import { findLostRanges, findMintedInLastChunk, type LostRange } from '../onchain/indexer/find-lost-ranges.ts'
import { withinTransaction, type SystemContext } from '../platform/auth/context.ts'
import { raiseAlarm, resolveAlarm } from '../records/alarms/raise-alarm.ts'

const KIND = 'chunk_range_lost'

/**
 * Raises an alarm for each collection whose contract would mint holders' tokens again, and resolves it when that is
 * over.
 */
export async function checkChunkRanges(worker: SystemContext): Promise<void> {
  const lost: LostRange[] = []
  for (const chain of worker.ports.chains.values())
    lost.push(...(await findLostRanges(worker, chain, await findMintedInLastChunk(worker, chain.network.id))))
  for (const { id, organizationId, contract } of lost)
    await withinTransaction(worker, organizationId, (own) =>
      raiseAlarm(
        own,
        KIND,
        id,
        `A consecutive batch was minted in the last chunk of ${contract}: ` +
          'who has the minter’s role can mint tokens again that holders have. docs/contracts.md says what to do.',
      ),
    )
  const open = await worker.db.alarm.findMany({
    where: { kind: KIND, resolvedAt: null, subject: { notIn: lost.map(({ id }) => id) } },
    select: { subject: true, organizationId: true },
  })
  for (const { subject, organizationId } of open)
    if (organizationId) await withinTransaction(worker, organizationId, (own) => resolveAlarm(own, KIND, subject))
}
