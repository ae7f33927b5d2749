import { zeroAddress } from 'viem'
import { env } from '../../lib/core/env.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Chain } from '../../lib/ports/chain/chain.ts'
import { encodeAdminMint1155, encodeTransfer1155, encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { encodeCancelVoucher, encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { newId } from '../../lib/core/id.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { indexNetwork } from '../../lib/worker/index-network.ts'
import { runTimer } from '../../lib/worker/run-timer.ts'
import { openLeadership } from '../../lib/worker/leadership.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { type TestChain, withReads } from '../support/chain.ts'
import { makeCollection } from '../support/chain-logs.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { until } from '../support/until.ts'
import type { TestOrganization } from '../support/organization.ts'
import { indexerStage } from '../support/indexer-stage.ts'

let local: TestChain
let organization: TestOrganization
const {
  stage,
  api,
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
  expect(await systemContext().db.alarm.count({ where: { kind: 'reorg_too_deep', resolvedAt: null } })).toBe(1)
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
  expect(await indexOnce(systemContext(), unsteady)).toBe('unsteady')
  await catchUp()
  expect(await history(itemIds[0]!)).toEqual([])
  await mint721(contract, 1n)
  await catchUp()
  expect((await history(itemIds[0]!)).length).toBe(1)
})

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
  await rebuildProjections(systemContext(), id)
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
  const loop = runTimer(indexNetwork(shaky), leadership, stop.signal)
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
  await systemContext().sql(Prisma.sql`DELETE FROM collections WHERE id = ANY(${others.map(({ id }) => id)}::uuid[])`)
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
  const receipt = await receiptOf(local.client, hash)
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
