import { numberToHex } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { ChainReads } from '../../ports/chain/chain.ts'

/**
 * The block in which a collection's logs can begin: its deployment's. 0 where it isn't known: reading too much is only
 * slow.
 */
export async function findFirstBlock(
  ctx: SystemContext,
  node: ChainReads,
  collection: { contractAddress: string; deploymentTransactionId: string | null },
  head: bigint,
): Promise<bigint> {
  const { deploymentTransactionId: id } = collection
  const deployment = id ? await ctx.db.transaction.findUnique({ where: { id }, select: { blockNumber: true } }) : null
  return deployment?.blockNumber ?? (await searchCode(node, collection.contractAddress, head))
}

/** The first block with code at the address, by bisection; 0 when a node doesn't keep old states. */
async function searchCode(node: ChainReads, address: string, head: bigint): Promise<bigint> {
  let without = -1n
  let withCode = head
  while (withCode - without > 1n) {
    const middle = (withCode + without) / 2n
    const answer = await node.forward('eth_getCode', [address, numberToHex(middle)])
    if ('error' in answer || typeof answer.result !== 'string') return 0n
    if (answer.result === '0x') without = middle
    else withCode = middle
  }
  return withCode
}
