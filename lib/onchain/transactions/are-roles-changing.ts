import type { SystemContext } from '../../platform/auth/context.ts'
import type { SendingRow } from './sending-row.ts'

/** Whether a change of the contract's roles isn't final: a reorg may have undone it, or a node may lag behind it. */
export async function areRolesChanging(
  worker: SystemContext,
  { collectionId }: SendingRow,
  finalTo: bigint,
): Promise<boolean> {
  const open = [{ state: 'SUBMITTED' as const }, { blockNumber: { gt: finalTo } }]
  return (await worker.db.transaction.count({ where: { collectionId, txType: 'SET_ROLES', OR: open } })) > 0
}
