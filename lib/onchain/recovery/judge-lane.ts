import { isAddressEqual, type Address, type Hex } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainNode } from '../../ports/chain/chain.ts'
import { readSentTransaction } from '../../core/contracts/sent-transaction.ts'
import { enoughOf } from '../transactions/agreed-answer.ts'

/** More unknown transactions than these aren't read. */
const MOST_READ = 200

/**
 * The verdict on a lane's unknown transactions. foreign: all up to the nonce `to` were sent by hand. lost: at least one
 * was lost with the database, or can't be read. none: there are none. waits: it can't be told yet.
 */
export type Verdict = { is: 'foreign'; to: number } | { is: 'lost' } | { is: 'none' } | { is: 'waits' }

/**
 * Reads the transactions of an operator from the nonce `from` on, which the books don't have. They were sent by hand
 * only where two nodes, or the only one there is, show each of them: without data, or to an address that is no contract
 * of ours and none in the books. One to a contract of ours, or that can't be read, was lost with the database.
 */
export async function judgeLane(
  worker: SystemContext,
  chain: Chain,
  operator: Address,
  from: number,
): Promise<Verdict> {
  const found = await chain.atSeveralNodes((node) => judgeAt(worker, chain, node, operator, from))
  // The operator's signature proves what one node shows.
  if (found.some(({ is }) => is === 'ours')) return { is: 'lost' }
  const foreign = found.flatMap((one) => (one.is === 'foreign' ? one.to : []))
  if (foreign.length >= enoughOf(found)) return { is: 'foreign', to: Math.min(...foreign) }
  if (found.every(({ is }) => is === 'none')) return { is: 'none' }
  return found.some(({ is }) => is === 'unreadable') ? { is: 'lost' } : { is: 'waits' }
}

type NonceUse = { is: 'foreign'; to: number } | { is: 'ours' | 'unreadable' | 'none' | 'waits' }

/** The verdict of one node. Only transactions as deep as the network's confirmations are judged. */
async function judgeAt(
  worker: SystemContext,
  chain: Chain,
  node: ChainNode,
  operator: Address,
  from: number,
): Promise<NonceUse> {
  const to = await node.nonce(operator, 'latest')
  if (to <= from) return { is: 'none' }
  const { number: head } = await node.head()
  if (to - from > MOST_READ) return { is: 'unreadable' }
  const { confirmations } = chain.network
  for (let nonce = from; nonce < to; nonce++) {
    const answer = await node.transactionOf(operator, nonce)
    if (answer === null) return { is: 'unreadable' }
    if (head - answer.blockNumber + 1n < BigInt(confirmations)) return { is: 'waits' }
    const sent = await readSentTransaction(answer.hash, answer.told)
    if (!sent || !isAddressEqual(sent.from, operator)) return { is: 'unreadable' }
    if (sent.input !== '0x' && (sent.to === null || (await isOurs(worker, chain, node, sent.to)))) return { is: 'ours' }
  }
  return { is: 'foreign', to }
}

/** Whether an address is our factory, has code of ours, or is a contract in the books. */
async function isOurs(worker: SystemContext, { network }: Chain, node: ChainNode, to: Address): Promise<boolean> {
  const inBooks = await worker.db.collection.count({ where: { networkId: network.id, contractAddress: to } })
  if (inBooks > 0) return true
  const cloned = await worker.db.collection.findMany({
    where: { networkId: network.id, implementation: { not: null } },
    distinct: ['implementation'],
    select: { implementation: true },
  })
  const { factory, implementation721, implementation1155 } = network.contracts ?? {}
  const implementations = [
    implementation721,
    implementation1155,
    ...cloned.map((each) => each.implementation as Address),
  ]
  if ([factory, ...implementations].some((address) => address && isAddressEqual(address, to))) return true
  const code = (await node.code(to))?.toLowerCase()
  // A clone's code contains the address of its implementation.
  return code !== undefined && implementations.some((address) => address && code.includes(bare(address)))
}

const bare = (address: Hex): string => address.slice(2).toLowerCase()
