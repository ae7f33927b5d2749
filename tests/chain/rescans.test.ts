import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { findFirstBlock } from '../../lib/onchain/indexer/find-first-block.ts'
import { lastBlockAt } from '../../lib/onchain/indexer/last-block-at.ts'
import { deleteUnmatchedMintsAbove } from '../../lib/onchain/indexer/unmatched-mints.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { readCursor } from '../../lib/onchain/indexer/cursor.ts'
import { rescanFinal } from '../../lib/onchain/indexer/rescan-final.ts'
import { walkBack } from '../../lib/onchain/indexer/walk-back.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Chain, type ChainReads, ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { type TestChain, withReads } from '../support/chain.ts'
import { indexerStage } from '../support/indexer-stage.ts'

let local: TestChain
const { stage, catchUp, deploy, mint721, owners } = indexerStage()
beforeAll(() => void ({ local } = stage))

const worker = () => systemContext('test')
const cursor = async () => (await readCursor(worker(), 31337))!
/** The local chain as one that is final 8 blocks deep. */
const finalChain = () => viemChain({ ...local.network, finality: 'depth', reorgWindow: 8 }, [local.rpcUrl])

test('final blocks wait to be read once more while no node answers; an error of ours is thrown', async () => {
  const { chain } = local
  const step = { node: 'another node', head: await chain.head(), isOnChain: true, read: null }
  const rescan = (failure: Error) =>
    rescanFinal(
      worker(),
      withReads({ ...chain, network: { ...chain.network } }, { block: () => Promise.reject(failure) }),
      step,
    )
  await mint721((await deploy()).contract, 1n)
  await catchUp()
  expect(await rescan(new ChainUnavailable('Down.'))).toBe('caught_up')
  await expect(rescan(new Error('A defect of ours.'))).rejects.toThrow('A defect of ours.')
})

test('what a node that is behind calls final on the chain’s own branch is read once more', async () => {
  const chain = finalChain()
  await catchUp(chain)
  await local.node.mine({ blocks: 40 })
  const { number: head } = await chain.head()
  const behind: Partial<ChainReads> = {
    block: async (number) => (number > head - 4n ? null : chain.block(number)),
    finalized: () => Promise.resolve(head - 4n),
  }
  await catchUp({
    ...chain,
    atOneNode: (work, options) =>
      chain.atOneNode((node) => work(options?.not === undefined ? node : { ...node, ...behind }), options),
  })
  expect((await cursor()).rescannedTo).toBe(head - 4n)
})

test('a rescan enters nothing where the cursor was moved meanwhile', async () => {
  await catchUp()
  await local.node.mine({ blocks: 40 })
  await catchUp()
  const chain = finalChain()
  const { rescannedTo: before, number } = await cursor()
  const where = { networkId: 31337 }
  const moving = withReads(chain, {
    finalized: async () => {
      await worker().db.chainCursor.update({ where, data: { number: number - 1n } })
      return chain.finalized()
    },
  })
  const step = { node: 'another node', head: await chain.head(), isOnChain: true, read: null }
  expect(await rescanFinal(worker(), moving, step)).toBe('more')
  expect((await cursor()).rescannedTo).toBe(before)
  await worker().db.chainCursor.update({ where, data: { number } })
})

/** A chain with a mint in its last block, which is entered and not final. */
async function enterMint(): Promise<Chain> {
  const chain = finalChain()
  const { contract } = await deploy()
  await local.node.mine({ blocks: 20 })
  await mint721(contract, 1n)
  await catchUp(chain)
  return chain
}

/**
 * A chain that loses its last transaction by a reorg, and goes on until the new blocks are final, right before it says
 * what is final.
 */
const reorganizedBeforeFinal = (chain: Chain) =>
  withReads(chain, {
    finalized: async () => {
      await local.node.request({ method: 'anvil_reorg' as never, params: [5, []] as never })
      await local.node.mine({ blocks: 20 })
      return chain.finalized()
    },
  })
const tooDeep = () => worker().db.alarm.count({ where: { kind: 'reorg_too_deep', resolvedAt: null } })

test('a reorg that comes while a network is seen for the first time is no reorg of final blocks', async () => {
  const chain = await enterMint()
  const before = await tooDeep()
  await worker().db.chainBlock.deleteMany({ where: { networkId: 31337 } })
  await worker().db.chainCursor.deleteMany({ where: { networkId: 31337 } })
  expect(await indexOnce(worker(), reorganizedBeforeFinal(chain))).toBe('more')
  await catchUp(chain)
  expect((await cursor()).number).toBe((await chain.head()).number)
  expect(await tooDeep()).toBe(before)
})

test('a reorg that comes while it is looked for what is final leaves nothing final that was entered before', async () => {
  const chain = await enterMint()
  const { number: entered } = await cursor()
  const before = await tooDeep()
  const step = { node: 'another node', head: await chain.head(), isOnChain: true, read: null }
  // Another network, which was never looked at.
  await rescanFinal(worker(), reorganizedBeforeFinal(finalChain()), step)
  expect((await cursor()).rescannedTo).toBeLessThanOrEqual(entered - 5n)
  await catchUp(chain)
  expect((await cursor()).number).toBe((await chain.head()).number)
  expect(await tooDeep()).toBe(before)
})

test('a reorg forgets only the unmatched mints of the blocks that it undid', async () => {
  const { id: collectionId, itemIds } = await deploy()
  const row = (blockNumber: bigint) => ({
    id: newId(),
    organizationId: stage.organization.id,
    collectionId,
    itemId: itemIds[0]!,
    networkId: 31337,
    blockNumber,
    txHash: `0x${String(blockNumber).repeat(64)}`,
    toAddress: collectionId,
    quantity: 1n,
    state: 'FOREIGN' as const,
  })
  await worker().db.unmatchedMint.createMany({ data: [row(5n), row(6n), { ...row(6n), id: newId(), networkId: 1 }] })
  await deleteUnmatchedMintsAbove(worker(), 31337, 5n)
  const left = await worker().db.unmatchedMint.findMany({ where: { collectionId }, orderBy: { blockNumber: 'asc' } })
  expect(left.map(({ networkId, blockNumber }) => [networkId, blockNumber])).toEqual([
    [31337, 5n],
    [1, 6n],
  ])
  await worker().db.unmatchedMint.deleteMany({ where: { collectionId } })
})

test('the first block with code is found wherever it is, and 0 where a node keeps no old states', async () => {
  const collection = { contractAddress: `0x${'1'.repeat(40)}`, deploymentTransactionId: null }
  const firstOf = (first: number | null) => {
    const forward: ChainReads['forward'] = (_, [, number]) =>
      Promise.resolve(
        first === null
          ? { error: { code: -32000, message: 'missing trie node' } }
          : { result: Number(number) < first ? '0x' : '0x60' },
      )
    return findFirstBlock(worker(), { ...local.chain, forward }, collection, 20n)
  }
  for (let first = 0; first <= 20; first++) expect(await firstOf(first)).toBe(BigInt(first))
  expect(await firstOf(null)).toBe(0n)
})

test('the last block not after a time is found among a thousand by looking at a few', async () => {
  const { chain } = local
  let asked = 0
  const block: ChainReads['block'] = async (number) => {
    asked++
    return { ...(await chain.head()), number, timestamp: new Date(Number(number) * 1000) }
  }
  for (const second of [0, 1, 499, 998]) {
    asked = 0
    expect(await lastBlockAt({ ...chain, block }, new Date(second * 1000 + 500), 999n)).toBe(BigInt(second))
    expect(asked).toBeLessThan(15)
  }
  expect(await lastBlockAt({ ...chain, block }, new Date(999_500), 999n)).toBeNull()
})

test('blocks that are there again once the fork is looked for stay entered', async () => {
  const { contract, itemIds } = await deploy()
  const chain = finalChain()
  await mint721(contract, 1n)
  await catchUp(chain)
  const before = await cursor()
  expect(await walkBack(worker(), chain, before)).toBe(true)
  expect((await cursor()).number).toBe(before.number)
  expect(await owners(itemIds[0]!)).toHaveLength(1)
})
