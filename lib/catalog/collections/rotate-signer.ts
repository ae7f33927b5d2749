import type { Address } from 'viem'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { ROLES } from '../../core/contracts/calls.ts'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Payload } from '../../orders/payload.ts'
import { changeSigner } from './change-signer.ts'
import { hasRole, isChangingRoles, requestRoles } from './roles.ts'

const SIGNER = ROLES.SIGNER.toString()
const NO_ROLE = '0'
/** Longer than any voucher lives, and than a request takes that is signing one. */
const WITHDRAWAL_SECONDS = 7 * DAY + HOUR

type Named = { id: string; contract: string; owner: string | null; signer: string }

/**
 * By collection. `requested`: a transaction was opened; `underWay`: one is open since before; `byOwner`: the owner of
 * its contract has to call `setRoles` for `signer`; `waiting`: its earlier signer keeps its role until then, since its
 * vouchers may be valid; `unrotated`: with `withdraw`, those that an earlier signer still signs for.
 */
export type RotatedSigners = {
  requested: string[]
  underWay: string[]
  byOwner: Named[]
  waiting: { id: string; until: Date }[]
  unrotated: string[]
}

type Rotating = {
  id: string
  organizationId: string
  networkId: number
  contract: Address
  owner: string | null
  signer: Address
  isDeployed: boolean
}

/**
 * Gives the signer role of every collection to the signer of the newest voucher key, by a transaction of each
 * contract's owner. Once it is mined, the new signer signs; vouchers of the earlier one stay valid. With `withdraw`,
 * takes the role of the earlier signers away where none of their vouchers can be valid any more. Only what isn't open
 * or done is opened, so it can be repeated.
 */
export async function rotateSigner(worker: SystemContext, { withdraw = false } = {}): Promise<RotatedSigners> {
  const rotated: RotatedSigners = { requested: [], underWay: [], byOwner: [], waiting: [], unrotated: [] }
  for (const collection of await findCollections(worker)) {
    const [newest, ...earlier] = worker.ports.keys.voucherSigners(collection.id)
    const isEarlier = earlier.includes(collection.signer)
    if (withdraw && isEarlier) rotated.unrotated.push(collection.id)
    if (!collection.isDeployed) continue
    if (withdraw && collection.signer === newest)
      for (const signer of earlier) await withdrawRole(worker, collection, signer, rotated)
    if (!withdraw && isEarlier) await giveRole(worker, collection, newest!, rotated)
  }
  return rotated
}

async function findCollections(worker: SystemContext): Promise<Rotating[]> {
  const rows = await worker.db.collection.findMany({
    where: { deploymentType: 'PLATFORM', deploymentStatus: { in: ['PENDING', 'SUCCESS'] }, signer: { not: null } },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      organizationId: true,
      networkId: true,
      contractAddress: true,
      owner: true,
      signer: true,
      deploymentStatus: true,
    },
  })
  return rows.map(({ networkId, contractAddress, signer, deploymentStatus, ...row }) => ({
    ...row,
    networkId: networkId!,
    contract: contractAddress as Address,
    signer: signer as Address,
    isDeployed: deploymentStatus === 'SUCCESS',
  }))
}

async function giveRole(worker: SystemContext, collection: Rotating, signer: Address, rotated: RotatedSigners) {
  const { id, organizationId, contract, owner } = collection
  if (isOurs(worker, owner)) return request(worker, collection, { account: signer, roles: SIGNER }, rotated)
  // Its owner may have called setRoles by now.
  if (await hasRole(worker, collection, signer, 'SIGNER'))
    return withinTransaction(worker, organizationId, (tx) => changeSigner(tx, id, signer))
  rotated.byOwner.push({ id, contract, owner, signer })
}

async function withdrawRole(worker: SystemContext, collection: Rotating, signer: Address, rotated: RotatedSigners) {
  if (!(await hasRole(worker, collection, signer, 'SIGNER'))) return
  const since = await findChange(worker, collection)
  const until = secondsFrom(since, WITHDRAWAL_SECONDS)
  const open = await worker.db.voucher.count({
    where: { collectionId: collection.id, state: 'PENDING', createdAt: { lt: secondsFrom(since, HOUR) } },
  })
  const { id, contract, owner } = collection
  if (until > worker.now() || open > 0) rotated.waiting.push({ id, until })
  else if (isOurs(worker, owner)) await request(worker, collection, { account: signer, roles: NO_ROLE }, rotated)
  else rotated.byOwner.push({ id, contract, owner, signer })
}

const isOurs = (worker: SystemContext, owner: string | null) =>
  worker.ports.keys.operators.some((operator) => operator === owner)

/** When the collection's signer was changed last. */
async function findChange(worker: SystemContext, { id }: Rotating): Promise<Date> {
  const change = await worker.db.auditEntry.findFirst({
    where: { action: 'collection.signer_changed', subjectId: id },
    orderBy: { createdAt: 'desc' },
    select: { createdAt: true },
  })
  return change?.createdAt ?? worker.now()
}

async function request(
  worker: SystemContext,
  collection: Rotating,
  payload: Payload<'SET_ROLES'>,
  rotated: RotatedSigners,
): Promise<void> {
  if (await isChangingRoles(worker, collection.id, payload)) return void rotated.underWay.push(collection.id)
  const action = payload.roles === NO_ROLE ? 'collection.signer_withdrawn' : 'collection.signer_rotated'
  await requestRoles(worker, collection, payload, action)
  crashPoint('signer_requested')
  rotated.requested.push(collection.id)
}
