import {
  createWalletClient,
  getAddress,
  http,
  keccak256,
  parseEther,
  toEventSelector,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { env } from '../../lib/core/env.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { type Block, type Chain, type ChainReads, ChainUnavailable, type RawLog } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { HOUR, moveClock, resetClock } from '../../lib/core/clock.ts'
import {
  cloneAddress,
  encodeAdminMint1155,
  encodeAdminMint721,
  encodeCloneArgs,
  encodeCreate,
  encodeTransfer1155,
  encodeTransfer721,
  saltOf,
  type TokenType,
} from '../../lib/core/contracts/calls.ts'
import { encodeCancelVoucher, encodeMintWithVoucher, type MintVoucher } from '../../lib/core/contracts/vouchers.ts'
import { TOKEN_LOG_TOPICS } from '../../lib/core/contracts/token-logs.ts'
import { newId } from '../../lib/core/id.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { indexNetwork } from '../../lib/worker/index-network.ts'
import { openLeadership } from '../../lib/worker/leadership.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain, withReads } from '../support/chain.ts'
import { makeCollection } from '../support/chain-logs.ts'
import { startFakeNode } from '../support/fake-node.ts'
import { type Fault, startLyingNode } from '../support/lying-node.ts'
import { until } from '../support/until.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let local: TestChain
let organization: TestOrganization
const holder = privateKeyToAccount(generatePrivateKey())
const other = privateKeyToAccount(generatePrivateKey())
const api = callerOf()

beforeAll(async () => {
  local = await startChain()
  for (const { address } of [holder, other]) await local.node.setBalance({ address, value: parseEther('100') })
  organization = await makeOrganization()
})

beforeEach(() => catchUp())
afterEach(resetClock)

const catchUp = (chain: Chain = local.chain) => catchUpWith(chain)

async function send(
  from: { address: Address } & ReturnType<typeof privateKeyToAccount>,
  to: Address,
  data: Hex,
  value = 0n,
) {
  const wallet = createWalletClient({ account: from, chain: foundry, transport: http(local.rpcUrl) })
  const hash = await wallet.sendTransaction({ to, data, value })
  return local.client.waitForTransactionReceipt({ hash })
}

/** A collection on the chain, and its rows. The contract is deployed before the rows are made. */
async function deploy(tokenType: TokenType = 'ERC721', { items = 3, maxSupply = 1n as bigint | null } = {}) {
  const contract = await deployContract(newId(), tokenType)
  const collection = await makeCollection(organization, {
    tokenType,
    items,
    maxSupply,
    contractAddress: contract,
    following: false,
  })
  return { ...collection, contract }
}

async function deployContract(collectionId: string, tokenType: TokenType): Promise<Address> {
  const { factory, implementation721, implementation1155 } = local.contracts
  const args = encodeCloneArgs({
    tokenType,
    collectionId,
    name: 'Test',
    symbol: 'T',
    owner: local.operator.address,
    minter: local.operator.address,
    signer: ports().keys.voucherSigner(collectionId),
    maxSupply: null,
    manualIds: false,
    soulbound: false,
    royaltyReceiver: null,
    royaltyBps: 0,
  })
  signers.set(
    cloneAddress({
      factory,
      implementation: tokenType === 'ERC721' ? implementation721 : implementation1155,
      salt: saltOf(collectionId),
      args,
    }),
    collectionId,
  )
  const clone = {
    factory,
    implementation: tokenType === 'ERC721' ? implementation721 : implementation1155,
    salt: saltOf(collectionId),
    args,
  }
  await send(local.operator, factory, encodeCreate(clone))
  return getAddress(cloneAddress(clone))
}

/** Collection ids by contract; a collection's id selects the key that signs its vouchers. */
const signers = new Map<string, string>()

const mint721 = (contract: Address, tokenId: bigint, to: Address = holder.address) =>
  send(local.operator, contract, encodeAdminMint721([{ to, tokenId }]))
const history = async (itemId: string) =>
  (await api.get(`/public/v1/items/${itemId}/history`)).body.results as { type: string; quantity: number }[]
const owners = async (itemId: string) =>
  (await api.get(`/public/v1/items/${itemId}/owners?order_direction=ASC`)).body.results as {
    address: string
    quantity: number
  }[]
const openAlarms = (kind: string) => organization.ctx.db.alarm.count({ where: { kind, resolvedAt: null } })

test('a mint, a transfer and a burn appear in the history and change the owners', async () => {
  const { contract, itemIds } = await deploy()
  await catchUp()
  const minted = await mint721(contract, 1n)
  await send(holder, contract, encodeTransfer721(holder.address, other.address, 1n))
  await catchUp()
  expect(await owners(itemIds[0]!)).toEqual([{ address: other.address, quantity: 1 }])
  const [transfer, mint] = await history(itemIds[0]!)
  expect(transfer).toMatchObject({
    type: 'TRANSFER',
    quantity: 1,
    data: { from: { address: holder.address }, to: { address: other.address } },
  })
  expect(mint).toMatchObject({
    type: 'MINT',
    data: {
      from: { address: zeroAddress },
      to: { address: holder.address },
      transaction: { tx_hash: minted.transactionHash, block_number: Number(minted.blockNumber), log_index: 0 },
    },
  })
  await send(other, contract, '0x42966c680000000000000000000000000000000000000000000000000000000000000001')
  await catchUp()
  expect(await owners(itemIds[0]!)).toEqual([])
  expect((await history(itemIds[0]!)).map(({ type }) => type)).toEqual(['BURN', 'TRANSFER', 'MINT'])
})

test('ERC-1155 units minted to several owners at once and partly transferred are counted per owner', async () => {
  const { contract, itemIds } = await deploy('ERC1155', { items: 2, maxSupply: null })
  await send(
    local.operator,
    contract,
    encodeAdminMint1155([
      { to: holder.address, tokenId: 1n, amount: 10n, requestId: 1n },
      { to: other.address, tokenId: 1n, amount: 5n, requestId: 2n },
      { to: holder.address, tokenId: 2n, amount: 7n, requestId: 3n },
    ]),
  )
  await send(holder, contract, encodeTransfer1155(holder.address, other.address, 1n, 4n))
  await catchUp()
  const expected = [
    { address: holder.address, quantity: 6 },
    { address: other.address, quantity: 9 },
  ]
  expect(await owners(itemIds[0]!)).toEqual(expect.arrayContaining(expected))
  expect(await owners(itemIds[1]!)).toEqual([{ address: holder.address, quantity: 7 }])
  const item = await organization.ctx.db.item.findUniqueOrThrow({ where: { id: itemIds[0]! } })
  expect(item.minted).toBe(15n)
})

test('a collection added later is backfilled from its deployment on, then followed', async () => {
  const contract = await deployContract(newId(), 'ERC721')
  await mint721(contract, 1n)
  await local.node.mine({ blocks: 50 })
  await mint721(contract, 2n)
  await catchUp()
  const collection = await makeCollection(organization, { contractAddress: contract, following: false })
  await catchUp()
  expect((await history(collection.itemIds[0]!)).length).toBe(1)
  expect((await history(collection.itemIds[1]!)).length).toBe(1)
  await mint721(contract, 3n)
  await catchUp()
  expect((await owners(collection.itemIds[2]!)).length).toBe(1)
  expect(await organization.ctx.db.collection.findUniqueOrThrow({ where: { id: collection.id } })).toMatchObject({
    following: true,
  })
})

for (const depth of [1, 3, 12])
  test(`a reorg of ${depth} blocks undoes the logs of the removed blocks only`, async () => {
    const { contract, itemIds } = await deploy()
    await mint721(contract, 1n)
    await catchUp()
    await send(holder, contract, encodeTransfer721(holder.address, other.address, 1n))
    for (let block = 1; block < depth; block++) await local.node.mine({ blocks: 1 })
    await catchUp()
    expect(await owners(itemIds[0]!)).toEqual([{ address: other.address, quantity: 1 }])

    await local.node.request({ method: 'anvil_reorg' as never, params: [depth, []] as never })
    await catchUp()
    expect(await owners(itemIds[0]!)).toEqual([{ address: holder.address, quantity: 1 }])
    expect((await history(itemIds[0]!)).map(({ type }) => type)).toEqual(['MINT'])
    expect(await openAlarms('reorg_too_deep')).toBe(0)

    // The same transfer, in another block.
    await send(holder, contract, encodeTransfer721(holder.address, other.address, 1n))
    await catchUp()
    expect(await owners(itemIds[0]!)).toEqual([{ address: other.address, quantity: 1 }])
    expect((await history(itemIds[0]!)).map(({ type }) => type)).toEqual(['TRANSFER', 'MINT'])
  })

test('a chain that has fewer blocks than before is treated as a reorg', async () => {
  const { contract, itemIds } = await deploy()
  const state = await local.node.snapshot()
  await mint721(contract, 1n)
  await local.node.mine({ blocks: 5 })
  await catchUp()
  expect((await owners(itemIds[0]!)).length).toBe(1)
  await local.node.revert({ id: state })
  await catchUp()
  expect(await owners(itemIds[0]!)).toEqual([])
  expect(await history(itemIds[0]!)).toEqual([])
  await mint721(contract, 1n, other.address)
  await catchUp()
  expect(await owners(itemIds[0]!)).toEqual([{ address: other.address, quantity: 1 }])
})

test('a reorg deeper than the window raises an alarm, and the tables are rebuilt from the chain', async () => {
  const { contract, itemIds } = await deploy()
  await mint721(contract, 1n)
  const state = await local.node.snapshot()
  await mint721(contract, 2n)
  await local.node.mine({ blocks: 200 })
  await catchUp()
  await local.node.revert({ id: state })
  await mint721(contract, 3n)
  await local.node.mine({ blocks: 300 })
  await catchUp()
  expect(await workerContext().db.alarm.count({ where: { kind: 'reorg_too_deep', resolvedAt: null } })).toBe(1)
  expect(await Promise.all(itemIds.map(async (id) => (await owners(id)).length))).toEqual([1, 0, 1])
})

test('a reorg during a backfill is noticed', async () => {
  const contract = await deployContract(newId(), 'ERC721')
  await mint721(contract, 1n)
  await catchUp()
  const state = await local.node.snapshot()
  await mint721(contract, 2n)
  await catchUp()
  const collection = await makeCollection(organization, { contractAddress: contract, following: false })
  await local.node.revert({ id: state })
  await local.node.mine({ blocks: 3 })
  await catchUp()
  expect((await owners(collection.itemIds[0]!)).length).toBe(1)
  expect(await owners(collection.itemIds[1]!)).toEqual([])
})

test('three indexers of one network at once record each log once', async () => {
  const { contract, itemIds } = await deploy('ERC1155', { items: 1, maxSupply: null })
  for (let request = 1n; request <= 5n; request++)
    await send(
      local.operator,
      contract,
      encodeAdminMint1155([{ to: holder.address, tokenId: 1n, amount: 2n, requestId: request }]),
    )
  await Promise.all([catchUp(), catchUp(), catchUp()])
  expect(await owners(itemIds[0]!)).toEqual([{ address: holder.address, quantity: 10 }])
  expect((await history(itemIds[0]!)).length).toBe(5)
})

test('a reorg between reading blocks and reading logs leaves nothing half-read', async () => {
  const { contract, itemIds } = await deploy()
  await catchUp()
  await mint721(contract, 1n)
  // The reorg happens after the blocks are read and before the logs are read.
  let once = true
  const unsteady = withReads(local.chain, {
    logs: async (filter) => {
      if (once) {
        once = false
        await local.node.request({ method: 'anvil_reorg' as never, params: [1, []] as never })
      }
      return local.chain.logs(filter)
    },
  })
  expect(await indexOnce(workerContext(), unsteady)).toBe('unsteady')
  await catchUp()
  expect(await history(itemIds[0]!)).toEqual([])
  await mint721(contract, 1n)
  await catchUp()
  expect((await history(itemIds[0]!)).length).toBe(1)
})

/** A claim's voucher for the first item, signed by the collection's key. */
async function makeVoucher({ id: collectionId, itemIds, contract }: Awaited<ReturnType<typeof deploy>>, nonce: bigint) {
  const { ctx, id: organizationId } = organization
  const own = { organizationId, collectionId, itemId: itemIds[0]! }
  const claim = await ctx.db.emailClaim.create({
    data: { id: newId(), ...own, email: 'ada@example.com', quantity: 1n, txPayer: 'BUYER' },
  })
  const hold = await ctx.db.hold.create({
    data: { id: newId(), ...own, holderType: 'CLAIM', holderId: claim.id, quantity: 1n },
  })
  const voucher: MintVoucher = {
    minter: holder.address,
    netRecipient: zeroAddress,
    initialRecipient: zeroAddress,
    initialRecipientAmount: 0n,
    quantity: 1n,
    nonce,
    expiry: 4_000_000_000n,
    price: 0n,
    tokenId: 1n,
    currency: zeroAddress,
  }
  const signature = await ports().keys.signVoucher(signers.get(contract)!, 31337, contract, voucher)
  const row = await ctx.db.voucher.create({
    data: {
      id: newId(),
      ...own,
      claimId: claim.id,
      networkId: 31337,
      contract,
      minter: voucher.minter,
      netRecipient: zeroAddress,
      initialRecipient: zeroAddress,
      initialRecipientAmount: 0,
      quantity: 1n,
      nonce,
      expiry: voucher.expiry,
      price: 0,
      tokenId: '1',
      currency: zeroAddress,
      signature,
    },
  })
  const states = async () => [
    (await ctx.db.voucher.findUniqueOrThrow({ where: { id: row.id } })).state,
    (await ctx.db.emailClaim.findUniqueOrThrow({ where: { id: claim.id } })).state,
    (await ctx.db.hold.findUniqueOrThrow({ where: { id: hold.id } })).state,
  ]
  return { voucher, signature, states }
}

for (const tokenType of ['ERC721', 'ERC1155'] as const) {
  test(`a voucher minted on a ${tokenType} contract delivers its claim, and a reorg undoes it`, async () => {
    const collection = await deploy(tokenType)
    const { voucher, signature, states } = await makeVoucher(collection, 3n)
    await catchUp()
    await send(holder, collection.contract, encodeMintWithVoucher(voucher, signature))
    await catchUp()
    expect(await states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
    await local.node.request({ method: 'anvil_reorg' as never, params: [1, []] as never })
    await catchUp()
    expect(await states()).toEqual(['PENDING', 'OPEN', 'HELD'])
    await send(holder, collection.contract, encodeMintWithVoucher(voucher, signature))
    await catchUp()
    expect(await states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
    expect(
      await organization.ctx.db.event.count({
        where: { type: 'item.minted', data: { path: ['item_id'], equals: collection.itemIds[0]! } },
      }),
    ).toBe(1)
  })

  test(`a voucher cancelled on a ${tokenType} contract becomes CANCELLED`, async () => {
    const collection = await deploy(tokenType)
    const { voucher, signature, states } = await makeVoucher(collection, 3n)
    await catchUp()
    await send(holder, collection.contract, encodeCancelVoucher(voucher, signature))
    await catchUp()
    expect((await states())[0]).toBe('CANCELLED')
  })
}

test('projections rebuilt from the stored logs are the same', async () => {
  const { id, contract, itemIds } = await deploy('ERC1155', { items: 2, maxSupply: null })
  const mints = [1n, 2n].map((tokenId) => ({ to: holder.address, tokenId, amount: 10n, requestId: tokenId }))
  await send(local.operator, contract, encodeAdminMint1155(mints))
  await send(holder, contract, encodeTransfer1155(holder.address, other.address, 2n, 4n))
  await catchUp()
  const tables = async () => [
    await Promise.all(itemIds.map(history)),
    await Promise.all(itemIds.map(owners)),
    await organization.ctx.db.itemHistory.findMany({ where: { collectionId: id }, orderBy: { id: 'asc' } }),
  ]
  const before = await tables()
  await rebuildProjections(workerContext(), id)
  expect(await tables()).toEqual(before)
})

test('an outage of the chain changes nothing, and indexing resumes after it', async () => {
  const { contract, itemIds } = await deploy()
  await mint721(contract, 1n)
  const down = withReads(local.chain, { logs: () => Promise.reject(new Error('No node answers.')) })
  await expect(catchUp(down)).rejects.toThrow('No node answers.')
  await catchUp()
  expect((await owners(itemIds[0]!)).length).toBe(1)
})

test('a collection whose logs fail to apply gets an alarm, and the other collections are still indexed', async () => {
  const [broken, sound] = [await deploy(), await deploy()]
  await catchUp()
  const pool = (units: bigint) =>
    organization.ctx.db.collection.update({ where: { id: broken.id }, data: { poolFree: units } })
  await pool(0n) // A wrong counter, so that the database refuses to subtract one more unit.
  await mint721(broken.contract, 1n)
  await mint721(sound.contract, 1n)
  await catchUp()
  expect((await owners(sound.itemIds[0]!)).length).toBe(1)
  expect(await owners(broken.itemIds[0]!)).toEqual([])
  expect(
    await organization.ctx.db.alarm.count({ where: { kind: 'indexing_stuck', subject: broken.id, resolvedAt: null } }),
  ).toBe(1)

  await mint721(broken.contract, 2n)
  await pool(3n)
  await catchUp()
  await catchUp()
  expect((await owners(broken.itemIds[0]!)).length).toBe(1)
  expect((await owners(broken.itemIds[1]!)).length).toBe(1)
  expect(await openAlarms('indexing_stuck')).toBe(0)
})

test('the indexing loop continues after failures, and stops on abort', async () => {
  const { contract, itemIds } = await deploy()
  await mint721(contract, 1n)
  let failures = 2
  const shaky = withReads(local.chain, {
    head: () => (failures-- > 0 ? Promise.reject(new Error('No node answers.')) : local.chain.head()),
  })
  const stop = new AbortController()
  const leadership = openLeadership(newId())
  const loop = indexNetwork(shaky, leadership, stop.signal)
  await until('The mint', async () => (await owners(itemIds[0]!)).length === 1)
  stop.abort()
  await loop
  await leadership.close()
})

test('logs are requested for at most 500 addresses at a time', async () => {
  const { contract, itemIds } = await deploy()
  await catchUp()
  const others = Array.from({ length: 600 }, () => ({
    id: newId(),
    address: privateKeyToAccount(generatePrivateKey()).address,
  }))
  await organization.ctx.db.collection.createMany({
    data: others.map(({ id, address }) => ({
      id,
      organizationId: organization.id,
      name: id,
      deploymentStatus: 'SUCCESS' as const,
      networkId: 31337,
      contractAddress: address,
      tokenType: 'ERC721' as const,
      following: true,
    })),
  })
  const asked: number[] = []
  const counting = withReads(local.chain, {
    logs: (filter) => (asked.push(filter.addresses.length), local.chain.logs(filter)),
  })
  await mint721(contract, 1n)
  await catchUp(counting)
  expect(Math.max(...asked)).toBe(500)
  expect((await owners(itemIds[0]!)).length).toBe(1)
  await workerContext().sql(Prisma.sql`DELETE FROM collections WHERE id = ANY(${others.map(({ id }) => id)}::uuid[])`)
})

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
    const alarms = await workerContext().db.alarm.count()

    await local.node.mine({ blocks: local.network.reorgWindow + 32 })
    await catchUp()
    expect((await history(itemIds[0]!)).map(({ type }) => type)).toEqual(['TRANSFER', 'MINT'])
    expect(await owners(itemIds[0]!)).toEqual([{ address: other.address, quantity: 1 }])
    expect(await owners(itemIds[1]!)).toEqual([{ address: holder.address, quantity: 1 }])
    const item = await organization.ctx.db.item.findUniqueOrThrow({ where: { id: itemIds[0]! } })
    expect([item.minted, item.burned]).toEqual([1n, 0n])
    expect(await workerContext().db.alarm.count()).toBe(alarms)
    const before = await organization.ctx.db.itemHistory.findMany({
      where: { collectionId: id },
      orderBy: { id: 'asc' },
    })
    await rebuildProjections(workerContext(), id)
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
      workerContext().db.alarm.count({ where: { kind: 'reorg_too_deep', subject: '31337:final', resolvedAt: null } })
    expect(await indexOnce(workerContext(), forked)).toBe('unsteady')
    expect(await indexOnce(workerContext(), forked)).toBe('unsteady')
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
      (await workerContext().db.chainCursor.findUniqueOrThrow({ where: { networkId: 31337 } })).rescannedTo
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
    const worker = workerContext()
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
      workerContext().db.alarm.count({ where: { kind: 'indexing_late', subject: '31337', resolvedAt: null } })
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
      workerContext().db.alarm.count({
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
      workerContext().db.alarm.count({ where: { kind: 'node_of_other_chain', subject: '31337', resolvedAt: null } })
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
      await indexOnce(workerContext(), chain).catch((error: unknown) => {
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

test('the relay answers the reads that sending needs, and sends only voucher mints to our collections', async () => {
  const collection = await deploy()
  const { voucher, signature } = await makeVoucher(collection, 1n)
  const ask = (method: string, ...params: unknown[]) =>
    api.post('/public/v1/relay/31337', { jsonrpc: '2.0', id: 7, method, params })
  const ok = async (method: string, ...params: unknown[]) => {
    const answer = await ask(method, ...params)
    expect(answer.body, method).toMatchObject({ jsonrpc: '2.0', id: 7 })
    expect(answer.body.error, method).toBeUndefined()
    return answer.body.result
  }
  expect(await ok('eth_chainId')).toBe('0x7a69')
  expect(BigInt(await ok('eth_blockNumber'))).toBeGreaterThan(0n)
  expect(BigInt(await ok('eth_getBalance', holder.address, 'latest'))).toBeGreaterThan(0n)
  expect(await ok('eth_feeHistory', '0x1', 'latest', [])).toHaveProperty('baseFeePerGas')
  expect(await ok('eth_getTransactionReceipt', `0x${'12'.repeat(32)}`)).toBeNull()
  await ok('eth_maxPriorityFeePerGas')
  await ok('eth_gasPrice')
  const data = encodeMintWithVoucher(voucher, signature)
  const gas = BigInt(await ok('eth_estimateGas', { from: holder.address, to: collection.contract, data }))
  const nonce = Number(await ok('eth_getTransactionCount', holder.address, 'pending'))

  const sign = (change: object) =>
    holder.signTransaction({
      type: 'eip1559',
      chainId: 31337,
      nonce,
      gas: gas + 10_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
      to: collection.contract,
      data,
      ...change,
    } as never)
  const refusals = [
    await sign({ to: other.address, data: '0x', value: 1n }),
    await sign({ data: encodeTransfer721(holder.address, other.address, 1n) }),
    await sign({ to: local.contracts.factory }),
    await sign({ to: undefined }),
    await sign({ chainId: 1 }),
    await sign({ type: 'eip7702', authorizationList: [] }),
    '0x02',
    'hello',
    undefined,
  ]
  for (const raw of refusals) {
    const answer = await ask('eth_sendRawTransaction', raw)
    expect([answer.status, answer.body.code], String(raw)).toEqual([422, 'voucher_refused'])
  }
  expect((await ask('eth_estimateGas', { from: holder.address, to: other.address, data: '0x' })).body.code).toBe(
    'voucher_refused',
  )
  expect((await ask('eth_call', {})).status).toBe(400)
  expect((await ask('eth_getBalance', 'nobody')).status).toBe(400)
  expect((await ask('eth_feeHistory', '0x400', 'latest', [])).status).toBe(400)
  expect((await api.post('/public/v1/relay/1', { method: 'eth_chainId' })).status).toBe(404)

  const raw = await sign({})
  const hash = await ok('eth_sendRawTransaction', raw)
  const receipt = await local.client.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  await catchUp()
  expect(await owners(collection.itemIds[0]!)).toEqual([{ address: holder.address, quantity: 1 }])
  expect((await ask('eth_sendRawTransaction', raw)).status).toBe(200)
})

test('the status shows each chain and how far it was read, and the web process is ready while one is unreachable', async () => {
  const { GET: getReady } = await import('../../app/health/ready/route.ts')
  const { GET: getStatus } = await import('../../app/health/status/route.ts')
  env.HEALTH_KEY = 'a-key-for-the-health-of-this-test'
  const headers = { authorization: `Bearer ${env.HEALTH_KEY}` }
  const read = async () => (await getStatus(new Request('http://localhost/health/status', { headers }))).json()
  expect(await read()).toMatchObject({
    database: { up: true },
    networks: [{ id: 31337, up: true, behind: 0 }],
  })
  const { chains } = ports()
  const unreachable: Chain = { ...local.chain, head: () => Promise.reject(new Error('gone')) }
  replacePorts({ chains: new Map([[31337, unreachable]]) })
  const [down, ready] = [await read(), await getReady()]
  replacePorts({ chains })
  expect(down).toMatchObject({ ok: false, networks: [{ up: false, head: null }] })
  expect(ready.status).toBe(200)
})
