import { decodeAbiParameters, encodeFunctionData, parseAbi, type Address } from 'viem'
import { ROLES } from '../../core/contracts/calls.ts'
import { payloadOf } from '../../orders/payload.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'

const ROLES_ABI = parseAbi(['function rolesOf(address account) view returns (uint256)'])

type Contract = { networkId: number; contract: Address }

/** Whether the contract says that the account has the role, by several nodes: who signs from now on depends on it. */
export async function hasRole(
  worker: WorkerContext,
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

/** The accounts whose roles in this collection's contract are being changed, and the roles that they are to have. */
export async function changingRoles(worker: WorkerContext, collectionId: string) {
  const open = await worker.db.transaction.findMany({
    where: { collectionId, txType: 'SET_ROLES', state: { in: ['PENDING', 'SUBMITTED'] } },
    select: { payload: true },
  })
  return open.map(({ payload }) => payloadOf('SET_ROLES', payload))
}
