import { createWalletClient, http, type Address, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { advanceRecoveries } from '../../lib/onchain/recovery/advance-recoveries.ts'
import { compareLanes } from '../../lib/onchain/recovery/compare-lanes.ts'
import type { TestChain } from './chain.ts'
import { catchUpWith } from './indexing.ts'
import { receiptOf } from './receipt-of.ts'

type Sent = { to: Address; data?: Hex; nonce?: number }

/**
 * Sends a transaction of the operator's key without a row in the database: what the books lost when they were put back
 * from a backup. With a given nonce the test mines the block itself.
 */
export async function sendForgotten(testChain: TestChain, { to, data = '0x', nonce }: Sent): Promise<Hex> {
  const wallet = createWalletClient({ account: testChain.operator, chain: foundry, transport: http(testChain.rpcUrl) })
  const hash = await wallet.sendTransaction({ to, data, gas: 1_000_000n, ...(nonce !== undefined && { nonce }) })
  if (nonce === undefined) await receiptOf(testChain.client, hash)
  return hash
}

/** The same where the lane's count in the books knows of it, so that no recovery begins. */
export async function sendByHand(testChain: TestChain, sent: Sent): Promise<void> {
  await sendForgotten(testChain, sent)
  await countInLane(testChain, testChain.operator.address)
}

/** Sets an operator's lane to the count of its transactions, as the end of a recovery does. */
export async function countInLane({ client }: Pick<TestChain, 'client'>, operator: Address): Promise<void> {
  const nextNonce = await client.getTransactionCount({ address: operator, blockTag: 'pending' })
  await systemContext('test').db.operatorLane.updateMany({ where: { operator }, data: { nextNonce } })
}

/** Begins what recoveries are due, indexes to the chain's head, and ends them where they have caught up. */
export async function recover({ chain }: TestChain): Promise<void> {
  const worker = systemContext('test')
  await compareLanes(worker, chain)
  await catchUpWith(chain)
  await advanceRecoveries(worker, chain)
}
