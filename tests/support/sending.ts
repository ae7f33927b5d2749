import { parseAbi, type Address } from 'viem'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { submitNext, type Submission } from '../../lib/onchain/transactions/submit-next.ts'
import { newWatch, type Watch, watchSubmitted } from '../../lib/onchain/transactions/watch-submitted.ts'
import { callerOf } from './call.ts'
import type { TestChain } from './chain.ts'
import { makeCollection, makeItems } from './collections.ts'
import type { TestOrganization } from './organization.ts'
import { until } from './until.ts'

export const tokenAbi721 = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOf(address owner) view returns (uint256)',
])
export const tokenAbi1155 = parseAbi(['function balanceOf(address owner, uint256 id) view returns (uint256)'])

/** How many units of a token an address has, by the chain itself: of a token that isn't minted, none. */
export async function unitsOf(
  { client }: Pick<TestChain, 'client'>,
  { contract, variant }: { contract: Address; variant: 'ERC721' | 'ERC1155' },
  { owner, tokenId }: { owner: Address; tokenId: bigint },
): Promise<bigint> {
  if (variant === 'ERC1155')
    return client.readContract({
      address: contract,
      abi: tokenAbi1155,
      functionName: 'balanceOf',
      args: [owner, tokenId],
    })
  const found = await client
    .readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [tokenId] })
    .catch(() => null)
  return found === owner ? 1n : 0n
}

type Sending = Pick<TestChain, 'chain' | 'operator' | 'client' | 'node'>

/**
 * Sends while a node doesn't mine that mines on demand, and has it mine what was sent. Else it may mine a transaction
 * between its look at the next one and that one's place in its pool, where that one then waits forever.
 */
async function sendInOrder(node: TestChain['node'], send: () => Promise<Submission>): Promise<Submission> {
  if (!(await node.getAutomine().catch(() => false))) return send()
  await node.setAutomine(false)
  try {
    const outcome = await send()
    if (outcome === 'sent') await node.mine({ blocks: 1 })
    return outcome
  } finally {
    await node.setAutomine(true)
  }
}

/** Runs the worker's sending step by step: each call is one step. */
export function makeSender({ chain, operator, client, node }: Sending) {
  let state: Watch = newWatch()
  const submit = () => sendInOrder(node, () => submitNext(systemContext('test'), chain, operator.address))
  const watch = () => watchSubmitted(systemContext('test'), chain, state)
  return {
    submit,
    watch,
    /** Submits until nothing more can be submitted. */
    async submitAll(): Promise<Submission[]> {
      const outcomes: Submission[] = []
      for (let last: Submission = 'sent'; last === 'sent' || last === 'changed';) outcomes.push((last = await submit()))
      return outcomes
    },
    /** Waits until the node's pool is empty. Where not all fitted into one block, the next ones are mined. */
    mined: () =>
      until('The block', async () => {
        const { pending } = (await client.request({ method: 'txpool_status' } as never)) as { pending: string }
        if (Number(pending) > 0 && (await node.getAutomine())) await node.mine({ blocks: 1 })
        return Number(pending) === 0
      }),
    /** Submits everything that can be submitted, waits for the block and applies the receipts. */
    async run() {
      await this.submitAll()
      await this.mined()
      await watch()
    },
    /** Drops what the watcher has in memory, as a restart does. */
    restart() {
      state = newWatch()
    },
  }
}

/** A collection whose contract is deployed on the test chain, with locked items. */
export async function makeOnChainCollection(
  organization: TestOrganization,
  testChain: TestChain,
  {
    items = 1,
    variant = 'ERC721' as 'ERC721' | 'ERC1155',
    platform = {} as object,
    max_supply = undefined as number | undefined,
  } = {},
) {
  const api = callerOf(organization.key)
  const collectionId = await makeCollection(api, {
    deployment_request: { network_id: 31337, platform: { symbol: 'TEST', variant, ...platform } },
  })
  const sender = makeSender(testChain)
  await sender.run()
  const { contractAddress, deploymentStatus } = await organization.ctx.db.collection.findFirstOrThrow({
    where: { id: collectionId },
  })
  if (deploymentStatus !== 'SUCCESS') throw new Error(`The collection is ${deploymentStatus}.`)
  const itemIds = items > 0 ? await makeItems(api, collectionId, items, { max_supply }) : []
  return { collectionId, contract: contractAddress as Address, itemIds, sender, api }
}
