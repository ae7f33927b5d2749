import { keccak256, toEventSelector } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Block, type ChainReads, ChainUnavailable, type RawLog } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { HOUR, moveClock, resetClock } from '../../lib/core/clock.ts'
import { encodeAdminMint1155, encodeTransfer1155, encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { TOKEN_LOG_TOPICS } from '../../lib/core/contracts/token-logs.ts'
import { newId } from '../../lib/core/id.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { type TestChain, withReads } from '../support/chain.ts'
import { makeCollection } from '../support/chain-logs.ts'
import { startFakeNode } from '../support/fake-node.ts'
import { type Fault, startLyingNode } from '../support/lying-node.ts'
import type { TestOrganization } from '../support/organization.ts'
import { indexerStage } from '../support/indexer-stage.ts'

let local: TestChain
let organization: TestOrganization
const {
  stage,
  holder,
  other,
  catchUp,
  send,
  deploy,
  deployContract,
  mint721,
  history,
  owners,
  openAlarms,
  makeVoucher,
} = indexerStage()
beforeAll(() => void ({ local, organization } = stage))

describe('logs that a node leaves out', () => {
  const none = () => Promise.resolve([])
  const redemption = toEventSelector('VoucherRedeemed(uint256)')

  test('a new log that one node leaves out is read from another', async () => {
    const { contract, itemIds } = await deploy()
    const lying = await startLyingNode({ target: local.rpcUrl })
    const chain = viemChain(local.network, [lying.url, local.rpcUrl])
    await catchUp(chain)
    lying.lie('empty_logs', 1)
    await mint721(contract, 1n)
    await catchUp(chain)
    expect(lying.lies.empty_logs).toBe(1)
    expect(await owners(itemIds[0]!)).toEqual([{ address: holder.address, quantity: 1 }])
  })

  test('without another node the same one is asked for that block; a block without a bloom is doubtful too', async () => {
    const { contract, itemIds } = await deploy()
    await catchUp()
    await mint721(contract, 1n)
    await catchUp(withReads(local.chain, { logs: none }))
    expect((await owners(itemIds[0]!)).length).toBe(1)
    await mint721(contract, 2n)
    const withoutBloom = (block: Block | null) => block && { ...block, logsBloom: null }
    await catchUp(
      withReads(local.chain, {
        logs: none,
        head: async () => withoutBloom(await local.chain.head())!,
        block: async (number) => withoutBloom(await local.chain.block(number)),
      }),
    )
    expect((await owners(itemIds[1]!)).length).toBe(1)
  })

  test('indexing goes on while no node answers about single blocks; an error of ours is thrown', async () => {
    const { contract, itemIds } = await deploy()
    await catchUp()
    await mint721(contract, 1n)
    const withoutBlocks = (failure: Error) =>
      withReads(local.chain, { logs: none, blockLogs: () => Promise.reject(failure) })
    await expect(indexOnce(systemContext(), withoutBlocks(new Error('A defect of ours.')))).rejects.toThrow('A defect')
    await catchUp(withoutBlocks(new ChainUnavailable('Down.')))
    const { number } = await systemContext().db.chainCursor.findUniqueOrThrow({ where: { networkId: 31337 } })
    expect(number).toBe((await local.chain.head()).number)
    expect(await owners(itemIds[0]!)).toEqual([])
  })

  test('blocks whose bloom excludes our contracts are not asked for again', async () => {
    await deploy()
    await catchUp()
    let asked = 0
    const counting = withReads(local.chain, { blockLogs: (filter) => (asked++, local.chain.blockLogs(filter)) })
    await local.node.mine({ blocks: 5 })
    await send(holder, other.address, '0x')
    await catchUp(counting)
    expect(asked).toBe(0)
  })

  test('a log that was missing when its block was new is entered when the block is final, in chain order', async () => {
    const { id, contract, itemIds } = await deploy()
    await catchUp()
    const { blockNumber } = await mint721(contract, 1n)
    await mint721(contract, 2n)
    const leavingOut = withReads(local.chain, {
      logs: async (filter) => (await local.chain.logs(filter)).filter((one) => one.blockNumber !== blockNumber),
      blockLogs: none,
    })
    await catchUp(leavingOut)
    await send(holder, contract, encodeTransfer721(holder.address, other.address, 1n))
    await catchUp(leavingOut)
    expect((await history(itemIds[0]!)).map(({ type }) => type)).toEqual(['TRANSFER'])
    const alarms = await systemContext().db.alarm.count()

    await local.node.mine({ blocks: local.network.reorgWindow + 32 })
    await catchUp()
    expect((await history(itemIds[0]!)).map(({ type }) => type)).toEqual(['TRANSFER', 'MINT'])
    expect(await owners(itemIds[0]!)).toEqual([{ address: other.address, quantity: 1 }])
    expect(await owners(itemIds[1]!)).toEqual([{ address: holder.address, quantity: 1 }])
    const item = await organization.ctx.db.item.findUniqueOrThrow({ where: { id: itemIds[0]! } })
    expect([item.minted, item.burned]).toEqual([1n, 0n])
    expect(await systemContext().db.alarm.count()).toBe(alarms)
    const before = await organization.ctx.db.itemHistory.findMany({
      where: { collectionId: id },
      orderBy: { id: 'asc' },
    })
    await rebuildProjections(systemContext(), id)
    expect(
      await organization.ctx.db.itemHistory.findMany({ where: { collectionId: id }, orderBy: { id: 'asc' } }),
    ).toEqual(before)
  })

  test('a redemption of which only the mint came delivers its voucher when the block is final', async () => {
    const collection = await deploy('ERC1155')
    const { voucher, signature, states } = await makeVoucher(collection, 3n)
    await catchUp()
    await send(holder, collection.contract, encodeMintWithVoucher(voucher, signature))
    const isKept = ({ topics }: RawLog) => topics[0] !== redemption
    const leavingOut = withReads(local.chain, {
      logs: async (filter) => (await local.chain.logs(filter)).filter(isKept),
      blockLogs: none,
      receipt: async (hash) => {
        const receipt = await local.chain.receipt(hash)
        return receipt && { ...receipt, logs: receipt.logs.filter(isKept) }
      },
    })
    await catchUp(leavingOut)
    expect((await states())[0]).toBe('PENDING')
    await local.node.mine({ blocks: local.network.reorgWindow + 32 })
    await catchUp()
    expect(await states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
    expect(await owners(collection.itemIds[0]!)).toEqual([{ address: holder.address, quantity: 1 }])
  })

  test('earlier blocks of a new collection are read from two nodes', async () => {
    const contract = await deployContract(newId(), 'ERC721')
    await mint721(contract, 1n)
    await local.node.mine({ blocks: local.network.reorgWindow + 32 })
    const lying = await startLyingNode({ target: local.rpcUrl })
    await catchUp()
    lying.lie('empty_logs', 1)
    const collection = await makeCollection(organization, { contractAddress: contract, following: false })
    await catchUp(viemChain(local.network, [lying.url, local.rpcUrl]))
    expect((await owners(collection.itemIds[0]!)).length).toBe(1)
  })
})

describe('nodes that can’t be believed', () => {
  /** The local chain as one that is final 8 blocks deep. */
  const finalChain = (...urls: string[]) =>
    viemChain({ ...local.network, finality: 'depth', reorgWindow: 8 }, urls.length > 0 ? urls : [local.rpcUrl], {
      timeoutMs: 600,
    })

  test('a fork below the last final block undoes nothing: an alarm is raised, and ends when the blocks are there again', async () => {
    const { contract, itemIds } = await deploy()
    await mint721(contract, 1n)
    const chain = finalChain()
    await catchUp(chain)
    await local.node.mine({ blocks: 20 })
    await catchUp(chain)
    const other = (block: Block | null) =>
      block && { ...block, hash: keccak256(block.hash), parentHash: keccak256(block.parentHash) }
    const forked = withReads(chain, {
      head: async () => other(await chain.head())!,
      block: async (number) => other(await chain.block(number)),
    })
    const open = () =>
      systemContext().db.alarm.count({ where: { kind: 'reorg_too_deep', subject: '31337:final', resolvedAt: null } })
    expect(await indexOnce(systemContext(), forked)).toBe('unsteady')
    expect(await indexOnce(systemContext(), forked)).toBe('unsteady')
    expect(await open()).toBe(1)
    expect((await owners(itemIds[0]!)).length).toBe(1)
    await catchUp(chain)
    expect(await open()).toBe(0)
  })

  test('a reorg whose blocks became final while nobody indexed is undone', async () => {
    const { contract, itemIds } = await deploy()
    const chain = finalChain()
    await local.node.mine({ blocks: 20 })
    await mint721(contract, 1n)
    await catchUp(chain)
    expect((await owners(itemIds[0]!)).length).toBe(1)
    await local.node.request({ method: 'anvil_reorg' as never, params: [3, []] as never })
    await local.node.mine({ blocks: 30 })
    await catchUp(chain)
    expect(await owners(itemIds[0]!)).toEqual([])
    expect(await openAlarms('reorg_too_deep')).toBe(0)
  })

  test('what a node that is behind calls final on another branch isn’t taken for entered', async () => {
    const chain = finalChain()
    await catchUp(chain)
    await local.node.mine({ blocks: 40 })
    const { number: head } = await chain.head()
    const other = (block: Block | null) => block && { ...block, hash: keccak256(block.hash) }
    // It has no block at the cursor, and what it has is of another branch.
    const behind: Partial<ChainReads> = {
      block: async (number) => (number > head - 4n ? null : other(await chain.block(number))),
      finalized: () => Promise.resolve(head - 4n),
    }
    const rescannedAt = async () =>
      (await systemContext().db.chainCursor.findUniqueOrThrow({ where: { networkId: 31337 } })).rescannedTo
    const before = await rescannedAt()
    await catchUp({
      ...chain,
      atOneNode: (work, options) =>
        chain.atOneNode((node) => work(options?.not === undefined ? node : { ...node, ...behind }), options),
    })
    expect(await rescannedAt()).toBe(before)
    await local.node.mine({ blocks: 20 })
    await catchUp(chain)
    expect(await rescannedAt()).toBeGreaterThan(head - 4n)
  })

  test('a reorg above the last final block is undone as ever', async () => {
    const { contract, itemIds } = await deploy()
    const chain = finalChain()
    await local.node.mine({ blocks: 20 })
    await mint721(contract, 1n)
    await catchUp(chain)
    await local.node.request({ method: 'anvil_reorg' as never, params: [3, []] as never })
    await catchUp(chain)
    expect(await owners(itemIds[0]!)).toEqual([])
  })

  test('a reorg of the block that was the newest when a network was first seen is undone, also once its height is final', async () => {
    const chain = finalChain()
    await local.node.mine({ blocks: 20 })
    await catchUp(chain)
    const worker = systemContext()
    const alarms = () => worker.db.alarm.count({ where: { kind: 'reorg_too_deep' } })
    const before = await alarms()
    await worker.db.chainBlock.deleteMany({ where: { networkId: 31337 } })
    await worker.db.chainCursor.deleteMany({ where: { networkId: 31337 } })
    expect(await indexOnce(worker, chain)).toBe('more')
    await local.node.request({ method: 'anvil_reorg' as never, params: [1, []] as never })
    await local.node.mine({ blocks: 30 })
    await catchUp(chain)
    const { number } = await worker.db.chainCursor.findUniqueOrThrow({ where: { networkId: 31337 } })
    expect(number).toBe((await local.chain.head()).number)
    expect(await alarms()).toBe(before)
  })

  test('indexing that falls behind raises an alarm that ends when it has caught up', async () => {
    const chain = finalChain()
    await catchUp(chain)
    const open = () =>
      systemContext().db.alarm.count({ where: { kind: 'indexing_late', subject: '31337', resolvedAt: null } })
    const refusing = withReads(chain, { block: () => Promise.reject(new ChainUnavailable('The block is pruned.')) })
    await local.node.mine({ blocks: 1 })
    await catchUp(refusing).catch(() => undefined)
    expect(await open()).toBe(0)
    moveClock(HOUR * 1000)
    await catchUp(refusing).catch(() => undefined)
    expect(await open()).toBe(1)
    resetClock()
    await catchUp(chain)
    expect(await open()).toBe(0)
  })

  test('alarms that another worker raised meanwhile end with the next round of this one', async () => {
    const [mine, others] = [finalChain(), finalChain()]
    await catchUp(mine)
    const open = () =>
      systemContext().db.alarm.count({
        where: { kind: { in: ['indexing_late', 'node_of_other_chain'] }, subject: '31337', resolvedAt: null },
      })
    expect(await open()).toBe(0)
    const foreign = await startFakeNode(() => ({ result: null }), { chainId: '0x1' })
    await catchUp(finalChain(foreign.url, local.rpcUrl))
    await local.node.mine({ blocks: 1 })
    moveClock(HOUR * 1000)
    const refusing = withReads(others, { block: () => Promise.reject(new ChainUnavailable('The block is pruned.')) })
    await catchUp(refusing).catch(() => undefined)
    expect(await open()).toBe(2)
    resetClock()
    await catchUp(mine)
    expect(await open()).toBe(0)
  })

  test('a node of another chain raises an alarm that ends when the setting is mended', async () => {
    const foreign = await startFakeNode(() => ({ result: null }), { chainId: '0x1' })
    const open = () =>
      systemContext().db.alarm.count({ where: { kind: 'node_of_other_chain', subject: '31337', resolvedAt: null } })
    await catchUp(finalChain(foreign.url, local.rpcUrl))
    expect(await open()).toBe(1)
    await catchUp(finalChain(local.rpcUrl))
    expect(await open()).toBe(0)
  })

  test.each<[string, number, Fault[]]>([
    ['says is wrong', 0.2, ['duplicate', 'reorder', 'drop_log', 'empty_logs', 'old_head']],
    // Each of these ends a whole request: seven of them at a thirty-fifth are a fifth.
    ['says breaks off', 1 / 35, ['refuse', 'time_out', 'hang', 'truncate', 'status_429', 'status_503', 'other_chain']],
  ])('a fifth of what the first node %s: the books are those of the chain', async (_title, rate, faults) => {
    const single = await deploy('ERC721', { items: 12 })
    const many = await deploy('ERC1155', { items: 2, maxSupply: null })
    const lying = await startLyingNode({ target: local.rpcUrl, seed: 20 })
    const chain = finalChain(lying.url, local.rpcUrl)
    await catchUp(chain)
    lying.lie(faults, rate)
    const round = async () => {
      moveClock(61_000) // A node that failed is tried again.
      await indexOnce(systemContext(), chain).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailable)) throw error
      })
    }
    for (let at = 1; at <= 12; at++) {
      await mint721(single.contract, BigInt(at))
      await local.node.mine({ blocks: 3 })
      await round()
      const mint = { to: holder.address, tokenId: 1n, amount: 5n, requestId: BigInt(at) }
      await send(local.operator, many.contract, encodeAdminMint1155([mint]))
      await send(holder, many.contract, encodeTransfer1155(holder.address, other.address, 1n, 2n))
      if (at % 3 === 0)
        await send(holder, single.contract, encodeTransfer721(holder.address, other.address, BigInt(at)))
      await round()
    }
    await local.node.mine({ blocks: 40 })
    for (let rounds = 0; rounds < 10; rounds++) await round()
    lying.tellTheTruth()
    await local.node.mine({ blocks: 40 })
    await catchUp(chain)

    expect(Object.values(lying.lies).reduce((sum, count) => sum + count)).toBeGreaterThan(5)
    for (const [at, itemId] of single.itemIds.entries())
      expect(await owners(itemId)).toEqual([
        { address: (at + 1) % 3 === 0 ? other.address : holder.address, quantity: 1 },
      ])
    expect(new Set(await owners(many.itemIds[0]!))).toEqual(
      new Set([
        { address: holder.address, quantity: 36 },
        { address: other.address, quantity: 24 },
      ]),
    )
    const contracts = [single.contract, many.contract]
    const { number } = await local.chain.head()
    const truth = await local.chain.logs({
      addresses: contracts,
      topics: [...TOKEN_LOG_TOPICS],
      from: 0n,
      to: number,
    })
    const stored = await organization.ctx.db.chainLog.count({ where: { collectionId: { in: [single.id, many.id] } } })
    expect(stored).toBe(truth.length)
  })
})
