import type { Address } from 'viem'
import { ROLES } from '../../core/contracts/calls.ts'
import { crashPoint } from '../../core/crash.ts'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { changeMinter } from './change-minter.ts'
import { hasRole, isChangingRoles, requestRoles } from './roles.ts'

const MINTER = ROLES.MINTER.toString()
const NO_ROLE = '0'

/**
 * By collection. `requested`: a transaction was opened; `underWay`: one is open since before; `byOwner`: the owner of
 * its contract has to call `setRoles`; `waiting`: `from` keeps its role until what it has signed is mined.
 */
export type RotatedMinters = {
  requested: string[]
  underWay: string[]
  byOwner: { id: string; contract: string; owner: string | null }[]
  waiting: string[]
}

type Rotation = { from: Address; to: Address; withdraw?: boolean }

/**
 * Has the operator `to` take over the minter role of every collection that `from` mints for, by a transaction of each
 * contract's owner. Once it is mined, `to` sends what the collection needs; until then `from` does. With `withdraw`,
 * takes the roles of `from` away from the collections that `to` mints for by now. Only what isn't open or done already
 * is opened, so it can be repeated.
 */
export async function rotateMinter(
  worker: SystemContext,
  { from, to, withdraw = false }: Rotation,
): Promise<RotatedMinters> {
  const rotated: RotatedMinters = { requested: [], underWay: [], byOwner: [], waiting: [] }
  for (const collection of await findCollections(worker, withdraw ? to : from)) {
    const { id, contract, owner } = collection
    if (withdraw && !(await hasRole(worker, collection, from, 'MINTER'))) continue
    const payload = withdraw ? { account: from, roles: NO_ROLE } : { account: to, roles: MINTER }
    const isOurs = worker.ports.keys.operators.some((operator) => operator === owner)
    // Its owner may have called setRoles by now.
    if (!isOurs && !withdraw && (await hasRole(worker, collection, to, 'MINTER')))
      await withinTransaction(worker, collection.organizationId, (tx) => changeMinter(tx, id, to))
    else if (!isOurs) rotated.byOwner.push({ id, contract, owner })
    else if (await isChangingRoles(worker, id, payload)) rotated.underWay.push(id)
    else if (withdraw && owner !== from && (await isSending(worker, collection, from))) rotated.waiting.push(id)
    else {
      const action = withdraw ? 'collection.minter_withdrawn' : 'collection.minter_rotated'
      await requestRoles(worker, collection, payload, action)
      crashPoint('minter_requested')
      rotated.requested.push(id)
    }
  }
  return rotated
}

type Rotating = { id: string; organizationId: string; networkId: number; contract: Address; owner: string | null }

async function findCollections(worker: SystemContext, minter: Address): Promise<Rotating[]> {
  const rows = await worker.db.collection.findMany({
    where: { deploymentType: 'PLATFORM', deploymentStatus: 'SUCCESS', minter },
    orderBy: { id: 'asc' },
    select: { id: true, organizationId: true, networkId: true, contractAddress: true, owner: true },
  })
  return rows.map(({ networkId, contractAddress, ...row }) => ({
    ...row,
    networkId: networkId!,
    contract: contractAddress as Address,
  }))
}

/**
 * Whether a transaction that the operator signed for the collection may still be mined: it would revert after a
 * transaction that another account sends. Transactions that the operator sends itself are mined before its own next
 * nonce.
 */
async function isSending(worker: SystemContext, { id, networkId }: Rotating, operator: Address): Promise<boolean> {
  const isFinalSometime = worker.ports.chains.get(networkId)?.network.finality !== 'never'
  const count = await worker.db.transaction.count({
    where: {
      collectionId: id,
      operator,
      OR: [{ state: 'SUBMITTED' }, ...(isFinalSometime ? [{ blockNumber: { not: null }, finalAt: null }] : [])],
    },
  })
  return count > 0
}
