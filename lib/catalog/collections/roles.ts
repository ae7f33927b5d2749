import { decodeAbiParameters, encodeFunctionData, parseAbi, type Address } from 'viem'
import { ROLES } from '../../core/contracts/calls.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import { type Payload, payloadOf } from '../../orders/payload.ts'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'

const ROLES_ABI = parseAbi(['function rolesOf(address account) view returns (uint256)'])

type Contract = { networkId: number; contract: Address }

/** Whether the contract says that the account has the role, by several nodes: who signs from now on depends on it. */
export async function hasRole(
  worker: SystemContext,
  { networkId, contract }: Contract,
  account: Address,
  role: keyof typeof ROLES,
): Promise<boolean> {
  const chain = worker.ports.chains.get(networkId)
  if (!chain) throw new Error(`RPC_URLS names no node of network ${networkId}.`)
  const data = encodeFunctionData({ abi: ROLES_ABI, functionName: 'rolesOf', args: [account] })
  const answers = await chain.atSeveralNodes(async (node) => {
    const [roles] = decodeAbiParameters([{ type: 'uint256' }], await node.read({ to: contract, data }))
    return (roles & ROLES[role]) !== 0n
  })
  if (new Set(answers).size > 1)
    throw new Error(
      `Nodes of network ${networkId} don’t agree about the roles of ${account} in ${contract}. Try again.`,
    )
  return answers[0]!
}

type OfCollection = { id: string; organizationId: string; networkId: number }

/** Whether a transaction is open that gives the account these roles in the collection's contract. */
export async function isChangingRoles(worker: SystemContext, collectionId: string, change: Payload<'SET_ROLES'>) {
  const open = await worker.db.transaction.findMany({
    where: { collectionId, txType: 'SET_ROLES', state: { in: ['PENDING', 'SUBMITTED'] } },
    select: { payload: true },
  })
  const payloads = open.map(({ payload }) => payloadOf('SET_ROLES', payload))
  return payloads.some(({ account, roles }) => account === change.account && roles === change.roles)
}

/**
 * Opens the transaction that gives an account its roles in the collection's contract. `action`: as the audit log names
 * it.
 */
export async function requestRoles(
  worker: SystemContext,
  { id, organizationId, networkId }: OfCollection,
  payload: Payload<'SET_ROLES'>,
  action: string,
): Promise<void> {
  await withinTransaction(worker, organizationId, async (tx) => {
    await openTransaction(tx, { collectionId: id, networkId, txType: 'SET_ROLES', payload })
    await recordAudit(tx, { action, subject: { type: 'collection', id }, after: payload })
  })
}
