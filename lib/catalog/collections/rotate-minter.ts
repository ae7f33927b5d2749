import type { Address } from 'viem'
import { crashPoint } from '../../core/crash.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { withinTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import type { Payload } from '../../orders/payload.ts'

/** The minter role of our contracts, among the roles of `setRoles`. */
const MINTER = '1'
const NO_ROLE = '0'

/** `requested`: collections for which a transaction was opened; `byOwner`: those whose contract's owner has to call `setRoles`. */
export type Rotated = { requested: string[]; byOwner: { id: string; contract: string; owner: string | null }[] }

/**
 * Has the operator `to` take over the minter role of every collection that `from` mints for, by a transaction of each contract's
 * owner. Once it is mined, `to` sends what the collection needs; until then `from` does. With `withdraw`, takes the roles of `from`
 * away from the collections that `to` mints for by now. Only what isn't open already is opened, so it can be repeated.
 */
export async function rotateMinter(
  worker: WorkerContext,
  { from, to, withdraw = false }: { from: Address; to: Address; withdraw?: boolean },
): Promise<Rotated> {
  const collections = await worker.db.collection.findMany({
    where: {
      deploymentType: 'PLATFORM',
      deploymentStatus: 'SUCCESS',
      minter: withdraw ? to : from,
      networkId: { not: null },
      contractAddress: { not: null },
    },
    orderBy: { id: 'asc' },
    select: { id: true, organizationId: true, networkId: true, contractAddress: true, owner: true },
  })
  const payload = withdraw ? { account: from, roles: NO_ROLE } : { account: to, roles: MINTER }
  const rotated: Rotated = { requested: [], byOwner: [] }
  for (const { id, organizationId, networkId, contractAddress, owner } of collections) {
    if (!worker.ports.keys.operators.some((operator) => operator === owner)) {
      rotated.byOwner.push({ id, contract: contractAddress!, owner })
      continue
    }
    if (await isRequested(worker, id, payload, withdraw)) continue
    await withinTransaction(worker, organizationId, async (tx) => {
      await openTransaction(tx, { collectionId: id, networkId: networkId!, txType: 'SET_ROLES', payload })
      await recordAudit(tx, {
        action: withdraw ? 'collection.minter_withdrawn' : 'collection.minter_rotated',
        subject: { type: 'collection', id },
        after: payload,
      })
    })
    crashPoint('minter_requested')
    rotated.requested.push(id)
  }
  return rotated
}

/** Whether such a transaction is on its way; for a withdrawal, also whether it was carried out. */
async function isRequested(
  worker: WorkerContext,
  collectionId: string,
  payload: Payload<'SET_ROLES'>,
  orDone: boolean,
): Promise<boolean> {
  const count = await worker.db.transaction.count({
    where: {
      collectionId,
      txType: 'SET_ROLES',
      payload: { equals: payload },
      OR: [
        { state: { in: ['PENDING', 'SUBMITTED'] } },
        ...(orDone ? [{ state: 'COMPLETED' as const, onChainStatus: 'SUCCESS' as const }] : []),
      ],
    },
  })
  return count > 0
}
