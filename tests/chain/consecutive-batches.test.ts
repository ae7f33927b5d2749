import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createWalletClient, encodeDeployData, http, parseAbi, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeAdminMint721, encodeSetRoles, ROLES } from '../../lib/core/contracts/calls.ts'
import { encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { isConsecutiveBatch } from '../../lib/onchain/transactions/prepare-transaction.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeCollection, makeItems } from '../support/collections.ts'
import { VERSION_BEFORE_BATCHES, vitrine721BeforeBatches } from '../support/contracts-before-batches.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, redeem } from '../support/redeemable-claims.ts'
import { makeOnChainCollection, makeSender, tokenAbi721 } from '../support/sending.ts'

// A hundred redemptions take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

let testChain: TestChain
let organization: TestOrganization
/** May mint on collections beside us, and buys. */
const stranger = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  await testChain.node.setBalance({ address: stranger.address, value: parseEther('10') })
})
afterEach(resetClock)

const walletOf = (account: typeof stranger) =>
  createWalletClient({ account, chain: foundry, transport: http(testChain.rpcUrl) })
const ownerOf = (contract: Address, tokenId: number) =>
  testChain.client.readContract({
    address: contract,
    abi: tokenAbi721,
    functionName: 'ownerOf',
    args: [BigInt(tokenId)],
  })
const ownersOf = (contract: Address, tokenIds: readonly number[]) =>
  Promise.all(tokenIds.map((id) => ownerOf(contract, id)))
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

/** What was sent for the mints of a collection, in order: each with its state, how many it carries, and whether it was a run. */
async function sentFor(collectionId: string) {
  const rows = await organization.ctx.db.transaction.findMany({
    where: { collectionId, txType: 'ADMIN_MINT' },
    include: { signed: { orderBy: { id: 'asc' } } },
    orderBy: { nonce: 'asc' },
  })
  return rows.map(({ state, onChainStatus, mintCount, signed, gasUsed }) => ({
    state,
    onChainStatus,
    mints: mintCount,
    run: signed.length > 0 && signed.every(({ raw }) => isConsecutiveBatch(raw as Hex)),
    gasUsed,
  }))
}
const mintStates = async (collectionId: string) => {
  const rows = await organization.ctx.db.mintRequest.findMany({ where: { collectionId }, include: { item: true } })
  return new Map(rows.map(({ item, state }) => [Number(item.tokenId), state]))
}

async function withoutMining(work: () => Promise<void>): Promise<void> {
  await testChain.node.setAutomine(false)
  try {
    await work()
  } finally {
    await testChain.node.setAutomine(true)
  }
}

async function catchUp(): Promise<void> {
  for (let rounds = 0; rounds < 100; rounds++)
    if ((await indexOnce(workerContext('test'), testChain.chain)) === 'caught_up') return
  throw new Error('The indexer never caught up.')
}

type OnChain = Awaited<ReturnType<typeof makeOnChainCollection>>

/** Orders mints of these items, each to an address of its own, in one batch. */
async function order({ api }: Pick<OnChain, 'api'>, itemIds: readonly string[]): Promise<Address[]> {
  const to_addresses = itemIds.map(() => makeRandomAddress())
  const { status, body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses })
  expect(status, JSON.stringify(body)).toBe(201)
  return to_addresses
}

/** Lets a stranger's key mint, past us. */
async function letMint(contract: Address): Promise<void> {
  const hash = await walletOf(testChain.operator).sendTransaction({
    to: contract,
    data: encodeSetRoles(stranger.address, ROLES.MINTER),
    gas: 200_000n,
  })
  await testChain.client.waitForTransactionReceipt({ hash })
}
const mintByHand = (contract: Address, tokenId: number) =>
  walletOf(stranger).sendTransaction({
    to: contract,
    data: encodeAdminMint721([{ to: stranger.address, tokenId: BigInt(tokenId) }]),
    gas: 300_000n,
    maxPriorityFeePerGas: 90_000_000_000n,
    maxFeePerGas: 100_000_000_000n,
  })

test('100 redeemed claims on consecutive ids: one transaction of at most 3,200,000 gas, and every owner, count and history is right', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 100 })
  const { contract, collectionId, itemIds, sender } = onChain
  await catchUp()
  const claims = await makeRedeemableClaims(organization, collectionId, itemIds)
  const recipients = claims.map(() => makeRandomAddress())
  // Redeemed in no order; who was quicker doesn't matter.
  const order = claims
    .map((claim, at) => ({ claim, to: recipients[at]! }))
    .sort((a, b) => (a.claim.token < b.claim.token ? -1 : 1))
  for (let at = 0; at < order.length; at += 10)
    await Promise.all(order.slice(at, at + 10).map(({ claim, to }) => redeem(claim, to)))
  await sender.run()
  const [sent, ...others] = await sentFor(collectionId)
  expect(others).toEqual([])
  expect(sent).toMatchObject({ state: 'COMPLETED', onChainStatus: 'SUCCESS', mints: 100, run: true })
  expect(Number(sent!.gasUsed)).toBeLessThanOrEqual(3_200_000)
  expect(await ownersOf(contract, upTo(100))).toEqual(recipients)
  expect(
    await testChain.client.readContract({
      address: contract,
      abi: tokenAbi721,
      functionName: 'balanceOf',
      args: [recipients[0]!],
    }),
  ).toBe(1n)
  await catchUp()
  const history = await organization.ctx.db.itemHistory.findMany({ where: { collectionId }, orderBy: { id: 'asc' } })
  expect(history.map(({ type, tokenId, toAddress, itemId }) => [type, tokenId, toAddress, itemId])).toEqual(
    recipients.map((to, at) => ['MINT', String(at + 1), to, itemIds[at]]),
  )
  const owners = await organization.ctx.db.itemOwner.findMany({ where: { itemId: { in: itemIds } } })
  expect(new Map(owners.map(({ itemId, address }) => [itemId, address]))).toEqual(
    new Map(itemIds.map((id, at) => [id, recipients[at]])),
  )
  expect(await organization.ctx.db.emailClaim.count({ where: { collectionId, state: 'CLAIMED' } })).toBe(100)
})

test('19 consecutive ids aren’t a run; 20 are', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 39 })
  const first = await order(onChain, onChain.itemIds.slice(0, 19))
  await onChain.sender.run()
  const then = await order(onChain, onChain.itemIds.slice(19))
  await onChain.sender.run()
  expect(await sentFor(onChain.collectionId)).toMatchObject([
    { mints: 19, run: false },
    { mints: 20, run: true },
  ])
  expect(await ownersOf(onChain.contract, upTo(39))).toEqual([...first, ...then])
})

test('a batch of a run and others: the run leaves by itself, the rest as before', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 40 })
  const ids = [...upTo(30), 33, 35, 37]
  const recipients = await order(
    onChain,
    ids.map((id) => onChain.itemIds[id - 1]!),
  )
  await onChain.sender.run()
  const sent = await sentFor(onChain.collectionId)
  expect(sent.map(({ state, mints, run }) => [state, mints, run]).sort()).toEqual([
    ['COMPLETED', 3, false],
    ['COMPLETED', 30, true],
  ])
  expect(await ownersOf(onChain.contract, ids)).toEqual(recipients)
})

test('an id that is taken already: the batch goes the ordinary way, and that mint fails alone', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 25 })
  await letMint(onChain.contract)
  const recipients = await order(onChain, onChain.itemIds)
  await testChain.client.waitForTransactionReceipt({ hash: await mintByHand(onChain.contract, 13) })
  await onChain.sender.run()
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ state: 'COMPLETED', mints: 25, run: false }])
  expect((await mintStates(onChain.collectionId)).get(13)).toBe('FAILED')
  expect(await ownersOf(onChain.contract, upTo(25))).toEqual(
    recipients.map((to, at) => (at === 12 ? stranger.address : to)),
  )
})

test('an id that is taken while the run is on its way: the run reverts, its mints wait again and go the ordinary way', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 25 })
  await letMint(onChain.contract)
  const recipients = await order(onChain, onChain.itemIds)
  await withoutMining(async () => {
    expect(await onChain.sender.submitAll()).toEqual(['sent', 'idle'])
    await mintByHand(onChain.contract, 7)
    await testChain.node.mine({ blocks: 1 })
    await onChain.sender.watch()
  })
  expect(await sentFor(onChain.collectionId)).toMatchObject([
    { state: 'COMPLETED', onChainStatus: 'FAILURE', mints: 0, run: true },
    { state: 'PENDING', mints: 25 },
  ])
  expect(new Set((await mintStates(onChain.collectionId)).values())).toEqual(new Set(['WAITING']))
  await onChain.sender.run()
  const states = await mintStates(onChain.collectionId)
  expect([...states].filter(([, state]) => state !== 'COMPLETED')).toEqual([[7, 'FAILED']])
  expect(await ownersOf(onChain.contract, upTo(25))).toEqual(
    recipients.map((to, at) => (at === 6 ? stranger.address : to)),
  )
})

test('a run that a reorg undid is sent again from the stored bytes', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20 })
  const recipients = await order(onChain, onChain.itemIds)
  await onChain.sender.run()
  await testChain.node.setAutomine(false)
  await testChain.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
  await onChain.sender.watch()
  expect(new Set((await mintStates(onChain.collectionId)).values())).toEqual(new Set(['SUBMITTED']))
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await onChain.sender.watch()
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ state: 'COMPLETED', mints: 20, run: true }])
  expect(await ownersOf(onChain.contract, upTo(20))).toEqual(recipients)
})

test('a run that isn’t mined in time is replaced by the same run at a higher price', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20 })
  const recipients = await order(onChain, onChain.itemIds)
  await withoutMining(async () => {
    await onChain.sender.submitAll()
    moveClock(31_000)
    await onChain.sender.watch()
    await testChain.node.mine({ blocks: 1 })
    await onChain.sender.watch()
  })
  const signed = await organization.ctx.db.signedTransaction.findMany({
    where: { transaction: { collectionId: onChain.collectionId, txType: 'ADMIN_MINT' } },
  })
  expect(signed.map(({ raw }) => isConsecutiveBatch(raw as Hex))).toEqual([true, true])
  expect(await sentFor(onChain.collectionId)).toMatchObject([
    { state: 'COMPLETED', onChainStatus: 'SUCCESS', mints: 20 },
  ])
  expect(await ownersOf(onChain.contract, upTo(20))).toEqual(recipients)
})

test('a run that no node takes: an empty transaction uses its nonce up, and its mints go the ordinary way', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20 })
  const recipients = await order(onChain, onChain.itemIds)
  await withoutMining(async () => {
    await onChain.sender.submitAll()
    const signed = await organization.ctx.db.signedTransaction.findFirstOrThrow({
      where: { transaction: { collectionId: onChain.collectionId, txType: 'ADMIN_MINT' } },
    })
    expect(isConsecutiveBatch(signed.raw as Hex)).toBe(true)
    await testChain.node.dropTransaction({ hash: signed.hash as Hex })
    await testChain.node.setBlockGasLimit({ gasLimit: 40_000n })
    await testChain.node.mine({ blocks: 1 })
    moveClock(6_000)
    await onChain.sender.watch()
    await testChain.node.mine({ blocks: 1 })
    await onChain.sender.watch()
    await testChain.node.setBlockGasLimit({ gasLimit: 30_000_000n })
    await testChain.node.mine({ blocks: 1 })
  })
  expect(await sentFor(onChain.collectionId)).toMatchObject([
    { state: 'FAILED', mints: 0 },
    { state: 'PENDING', mints: 20 },
  ])
  expect(new Set((await mintStates(onChain.collectionId)).values())).toEqual(new Set(['WAITING']))
  await onChain.sender.run()
  expect((await sentFor(onChain.collectionId)).at(-1)).toMatchObject({
    state: 'COMPLETED',
    onChainStatus: 'SUCCESS',
    mints: 20,
    run: false,
  })
  expect(await ownersOf(onChain.contract, upTo(20))).toEqual(recipients)
})

test('soulbound: a run’s tokens can’t be transferred', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20, platform: { soulbound: true } })
  const recipients = await order(onChain, onChain.itemIds.slice(0, 20))
  await onChain.sender.run()
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ run: true, state: 'COMPLETED' }])
  const move = {
    address: onChain.contract,
    abi: vitrine721Abi,
    functionName: 'transferFrom',
    args: [recipients[0]!, stranger.address, 1n],
    account: recipients[0]!,
  } as const
  await expect(testChain.client.simulateContract(move)).rejects.toThrow('TokenIsSoulbound')
})

test('ids given by hand: runs begin wherever they do, also across the bounds of a blob', async () => {
  const api = callerOf(organization.key)
  const collectionId = await makeCollection(api, {
    deployment_request: {
      network_id: 31337,
      token_id_assignment_strategy: 'MANUAL',
      platform: { symbol: 'TEST', variant: 'ERC721', max_supply: 30 },
    },
  })
  const sender = makeSender(testChain)
  await sender.run()
  const itemIds = await makeItems(api, collectionId, 24, { lock: false })
  const ids = upTo(1290, 1267)
  for (const [at, item_id] of itemIds.entries())
    expect((await api.post('/v1/items/lock', { item_id, token_id: ids[at] })).status).toBe(201)
  const recipients = await order({ api }, itemIds)
  await sender.run()
  expect(await sentFor(collectionId)).toMatchObject([{ run: true, state: 'COMPLETED', mints: 24 }])
  const { contractAddress } = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })
  expect(await ownersOf(contractAddress as Address, ids)).toEqual(recipients)
})

test('vouchers for ids around a run are redeemed as ever', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 22 })
  const [before, after] = await makeRedeemableClaims(
    organization,
    onChain.collectionId,
    [onChain.itemIds[0]!, onChain.itemIds[21]!],
    { txPayer: 'BUYER' },
  )
  const vouchers = await Promise.all([before!, after!].map((claim) => redeem(claim, stranger.address)))
  const recipients = await order(onChain, onChain.itemIds.slice(1, 21))
  await onChain.sender.run()
  for (const { voucher: entry } of vouchers) {
    const { voucher, signature, minter } = entry
    const terms = {
      minter,
      netRecipient: voucher.net_recipient,
      initialRecipient: voucher.initial_recipient,
      initialRecipientAmount: BigInt(voucher.initial_recipient_amount),
      quantity: BigInt(voucher.quantity),
      nonce: BigInt(voucher.nonce),
      expiry: BigInt(voucher.expiry),
      price: BigInt(voucher.price),
      tokenId: BigInt(voucher.token_id),
      currency: voucher.currency,
    }
    const hash = await walletOf(stranger).sendTransaction({
      to: onChain.contract,
      data: encodeMintWithVoucher(terms, signature),
      gas: 300_000n,
    })
    expect((await testChain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
  }
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ run: true, state: 'COMPLETED', mints: 20 }])
  expect(await ownersOf(onChain.contract, upTo(22))).toEqual([stranger.address, ...recipients, stranger.address])
})

test.each([
  ['as its version says', VERSION_BEFORE_BATCHES],
  ['whatever its version says', 'another'],
])('a collection deployed before there were runs mints as it always did, %s', async (_, contractVersion) => {
  const code = encodeDeployData({
    abi: parseAbi(['constructor(string metadataPrefix)']),
    bytecode: vitrine721BeforeBatches,
    args: ['http://localhost:3000/public/v1/metadata/'],
  })
  const hash = await walletOf(stranger).sendTransaction({ data: code, gas: 8_000_000n })
  const { contractAddress } = await testChain.client.waitForTransactionReceipt({ hash })
  const { chain, network } = testChain
  const earlier = {
    ...chain,
    network: { ...network, contracts: { ...network.contracts!, implementation721: contractAddress! } },
  }
  replacePorts({ chains: new Map([[network.id, earlier]]) })
  const onChain = await makeOnChainCollection(organization, { ...testChain, chain: earlier }, { items: 20 })
  replacePorts({ chains: new Map([[network.id, chain]]) })
  await organization.ctx.db.collection.updateMany({ where: { id: onChain.collectionId }, data: { contractVersion } })
  const recipients = await order(onChain, onChain.itemIds)
  await onChain.sender.run()
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ state: 'COMPLETED', mints: 20, run: false }])
  expect(await ownersOf(onChain.contract, upTo(20))).toEqual(recipients)
})
