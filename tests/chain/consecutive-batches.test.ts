import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createWalletClient, http, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { CONTRACTS_VERSION, vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeAdminMint721, encodeSetRoles, ROLES } from '../../lib/core/contracts/calls.ts'
import { VERSION_BEFORE_ID_LIMIT } from '../../lib/catalog/collections/read-contract-version.ts'
import { VERSION_BEFORE_SIGNED_TRANSFERS } from '../../lib/core/contracts/signed-transfers.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { isConsecutiveBatch } from '../../lib/onchain/transactions/prepare-transaction.ts'
import { sendByHand } from '../support/by-hand.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain, withoutMining } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeCollection, makeItems } from '../support/collections.ts'
import { VERSION_BEFORE_BATCHES, vitrine721BeforeBatches } from '../support/contracts-before-batches.ts'
import { vitrine721BeforeIdLimit, withEarlierContracts } from '../support/earlier-contracts.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { makeRedeemableClaims, redeem } from '../support/redeemable-claims.ts'
import { makeOnChainCollection, makeSender, tokenAbi721 } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

// A hundred redemptions are slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

let testChain: TestChain
let organization: TestOrganization
/** Mints on collections without the application, and buys. */
const outsider = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  await testChain.node.setBalance({ address: outsider.address, value: parseEther('10') })
})
afterEach(async () => {
  resetClock()
  await catchUpWith(testChain.chain)
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

const walletOf = (account: typeof outsider) =>
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

/**
 * The mint transactions of a collection by nonce: their state, number of mints, and whether all their signed bytes are
 * a consecutive batch.
 */
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
    consecutive: signed.length > 0 && signed.every(({ raw }) => isConsecutiveBatch(raw as Hex)),
    gasUsed,
  }))
}
const mintStates = async (collectionId: string) => {
  const rows = await organization.ctx.db.mintRequest.findMany({ where: { collectionId }, include: { item: true } })
  return new Map(rows.map(({ item, state }) => [Number(item.tokenId), state]))
}

async function catchUp(): Promise<void> {
  for (let rounds = 0; rounds < 100; rounds++)
    if ((await indexOnce(systemContext('test'), testChain.chain)) === 'caught_up') return
  throw new Error('The indexer never caught up.')
}

type OnChain = Awaited<ReturnType<typeof makeOnChainCollection>>

/** Requests mints of these items in one batch, each to a new address. */
async function requestMints({ api }: Pick<OnChain, 'api'>, itemIds: readonly string[]): Promise<Address[]> {
  const to_addresses = itemIds.map(() => makeRandomAddress())
  const { status, body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses })
  expect(status, JSON.stringify(body)).toBe(201)
  return to_addresses
}

/** Gives the outsider the minter's role on a contract. */
async function allowOutsiderToMint(contract: Address): Promise<void> {
  await sendByHand(testChain, { to: contract, data: encodeSetRoles(outsider.address, ROLES.MINTER) })
}
const mintAsOutsider = (contract: Address, tokenId: number) =>
  walletOf(outsider).sendTransaction({
    to: contract,
    data: encodeAdminMint721([{ to: outsider.address, tokenId: BigInt(tokenId) }]),
    gas: 300_000n,
    maxPriorityFeePerGas: 90_000_000_000n,
    maxFeePerGas: 100_000_000_000n,
  })

test('100 redeemed claims on consecutive ids leave in one transaction of at most 3,200,000 gas, with the right owners, counts and history', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 100 })
  const { contract, collectionId, itemIds, sender } = onChain
  await catchUp()
  const claims = await makeRedeemableClaims(organization, collectionId, itemIds)
  const recipients = claims.map(() => makeRandomAddress())
  // Redeemed in random order, as the order must not matter.
  const order = claims
    .map((claim, at) => ({ claim, to: recipients[at]! }))
    .sort((a, b) => (a.claim.token < b.claim.token ? -1 : 1))
  for (let at = 0; at < order.length; at += 10)
    await Promise.all(order.slice(at, at + 10).map(({ claim, to }) => redeem(claim, to)))
  await sender.run()
  const [sent, ...others] = await sentFor(collectionId)
  expect(others).toEqual([])
  expect(sent).toMatchObject({ state: 'COMPLETED', onChainStatus: 'SUCCESS', mints: 100, consecutive: true })
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

test('20 mints on consecutive ids are sent as a consecutive batch, 19 are not', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 39 })
  const first = await requestMints(onChain, onChain.itemIds.slice(0, 19))
  await onChain.sender.run()
  const then = await requestMints(onChain, onChain.itemIds.slice(19))
  await onChain.sender.run()
  expect(await sentFor(onChain.collectionId)).toMatchObject([
    { mints: 19, consecutive: false },
    { mints: 20, consecutive: true },
  ])
  expect(await ownersOf(onChain.contract, upTo(39))).toEqual([...first, ...then])
})

test('consecutive ids in a larger batch are sent as a transaction of their own', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 40 })
  const ids = [...upTo(30), 33, 35, 37]
  const recipients = await requestMints(
    onChain,
    ids.map((id) => onChain.itemIds[id - 1]!),
  )
  await onChain.sender.run()
  const sent = await sentFor(onChain.collectionId)
  expect(sent.map(({ state, mints, consecutive }) => [state, mints, consecutive]).sort()).toEqual([
    ['COMPLETED', 3, false],
    ['COMPLETED', 30, true],
  ])
  expect(await ownersOf(onChain.contract, ids)).toEqual(recipients)
})

test('an id that is minted already doesn’t leave: it fails alone, and the others are sent', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 25 })
  await allowOutsiderToMint(onChain.contract)
  const recipients = await requestMints(onChain, onChain.itemIds)
  await receiptOf(testChain.client, await mintAsOutsider(onChain.contract, 13))
  await catchUp()
  await onChain.sender.run()
  expect(await sentFor(onChain.collectionId)).toMatchObject([
    { state: 'COMPLETED', mints: 24, consecutive: false },
    { state: 'FAILED', mints: 1 },
  ])
  expect((await mintStates(onChain.collectionId)).get(13)).toBe('FAILED')
  expect(await ownersOf(onChain.contract, upTo(25))).toEqual(
    recipients.map((to, at) => (at === 12 ? outsider.address : to)),
  )
})

test('an id that is minted after submission: the consecutive batch reverts, and its mints are sent again as an ordinary batch', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 25 })
  await allowOutsiderToMint(onChain.contract)
  const recipients = await requestMints(onChain, onChain.itemIds)
  await withoutMining(testChain, async () => {
    expect(await onChain.sender.submitAll()).toEqual(['sent', 'idle'])
    await mintAsOutsider(onChain.contract, 7)
    await testChain.node.mine({ blocks: 1 })
    await onChain.sender.watch()
  })
  expect(await sentFor(onChain.collectionId)).toMatchObject([
    { state: 'COMPLETED', onChainStatus: 'FAILURE', mints: 0, consecutive: true },
    { state: 'PENDING', mints: 25 },
  ])
  expect(new Set((await mintStates(onChain.collectionId)).values())).toEqual(new Set(['WAITING']))
  await catchUp()
  await onChain.sender.run()
  const states = await mintStates(onChain.collectionId)
  expect([...states].filter(([, state]) => state !== 'COMPLETED')).toEqual([[7, 'FAILED']])
  expect(await ownersOf(onChain.contract, upTo(25))).toEqual(
    recipients.map((to, at) => (at === 6 ? outsider.address : to)),
  )
})

test('a consecutive batch that a reorg removed is sent again from the stored bytes', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20 })
  const recipients = await requestMints(onChain, onChain.itemIds)
  await onChain.sender.run()
  await testChain.node.setAutomine(false)
  await testChain.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
  await onChain.sender.watch()
  expect(new Set((await mintStates(onChain.collectionId)).values())).toEqual(new Set(['SUBMITTED']))
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await onChain.sender.watch()
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ state: 'COMPLETED', mints: 20, consecutive: true }])
  expect(await ownersOf(onChain.contract, upTo(20))).toEqual(recipients)
})

test('a consecutive batch that isn’t mined in time is replaced by the same one at a higher gas price', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20 })
  const recipients = await requestMints(onChain, onChain.itemIds)
  await withoutMining(testChain, async () => {
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

test('a consecutive batch that no node accepts for a while is mined from its stored bytes when one does', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20 })
  const recipients = await requestMints(onChain, onChain.itemIds)
  await withoutMining(testChain, async () => {
    await onChain.sender.submitAll()
    const signed = await organization.ctx.db.signedTransaction.findFirstOrThrow({
      where: { transaction: { collectionId: onChain.collectionId, txType: 'ADMIN_MINT' } },
    })
    await testChain.node.dropTransaction({ hash: signed.hash as Hex })
    await testChain.node.setBlockGasLimit({ gasLimit: 40_000n })
    await testChain.node.mine({ blocks: 1 })
    moveClock(6_000)
    await onChain.sender.watch()
    await testChain.node.setBlockGasLimit({ gasLimit: 30_000_000n })
    await testChain.node.mine({ blocks: 1 })
    expect(new Set((await mintStates(onChain.collectionId)).values())).toEqual(new Set(['SUBMITTED']))
    moveClock(61_000)
    await onChain.sender.watch()
    await testChain.node.mine({ blocks: 1 })
    await onChain.sender.watch()
  })
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ state: 'COMPLETED', mints: 20, consecutive: true }])
  expect(await ownersOf(onChain.contract, upTo(20))).toEqual(recipients)
})

test('soulbound tokens of a consecutive batch can’t be transferred', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 20, platform: { soulbound: true } })
  const recipients = await requestMints(onChain, onChain.itemIds.slice(0, 20))
  await onChain.sender.run()
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ consecutive: true, state: 'COMPLETED' }])
  const move = {
    address: onChain.contract,
    abi: vitrine721Abi,
    functionName: 'transferFrom',
    args: [recipients[0]!, outsider.address, 1n],
    account: recipients[0]!,
  } as const
  await expect(testChain.client.simulateContract(move)).rejects.toThrow('TokenIsSoulbound')
})

test('with ids given by hand, a consecutive batch starts at any id and may cross the bounds of a blob', async () => {
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
  const recipients = await requestMints({ api }, itemIds)
  await sender.run()
  expect(await sentFor(collectionId)).toMatchObject([{ consecutive: true, state: 'COMPLETED', mints: 24 }])
  const { contractAddress } = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })
  expect(await ownersOf(contractAddress as Address, ids)).toEqual(recipients)
})

test('vouchers for ids before and after a consecutive batch can be redeemed', async () => {
  const onChain = await makeOnChainCollection(organization, testChain, { items: 22 })
  const [before, after] = await makeRedeemableClaims(
    organization,
    onChain.collectionId,
    [onChain.itemIds[0]!, onChain.itemIds[21]!],
    { txPayer: 'BUYER' },
  )
  const vouchers = await Promise.all([before!, after!].map((claim) => redeem(claim, outsider.address)))
  const recipients = await requestMints(onChain, onChain.itemIds.slice(1, 21))
  await onChain.sender.run()
  for (const { voucher } of vouchers) expect((await sendVoucher(testChain, outsider, voucher)).status).toBe('success')
  expect(await sentFor(onChain.collectionId)).toMatchObject([{ consecutive: true, state: 'COMPLETED', mints: 20 }])
  expect(await ownersOf(onChain.contract, upTo(22))).toEqual([outsider.address, ...recipients, outsider.address])
})

const makeEarlierCollection = () =>
  withEarlierContracts(testChain, vitrine721BeforeBatches, (earlier) =>
    makeOnChainCollection(organization, earlier, { items: 20 }),
  )

test('a deployed contract is asked what it can do: clones of earlier implementations have their versions', async () => {
  const versionOf = async ({ collectionId }: { collectionId: string }) =>
    (await organization.ctx.db.collection.findUniqueOrThrow({ where: { id: collectionId } })).contractVersion
  expect(await versionOf(await makeEarlierCollection())).toBe(VERSION_BEFORE_SIGNED_TRANSFERS)
  const beforeLimit = await withEarlierContracts(testChain, vitrine721BeforeIdLimit, (earlier) =>
    makeOnChainCollection(organization, earlier, { items: 1 }),
  )
  expect(await versionOf(beforeLimit)).toBe(VERSION_BEFORE_ID_LIMIT)
  expect(await versionOf(await makeOnChainCollection(organization, testChain, { items: 1 }))).toBe(CONTRACTS_VERSION)
})

test.each([
  ['when its version says so', VERSION_BEFORE_BATCHES],
  ['when its version is unknown', 'another'],
])(
  'a collection whose contract has no consecutive batches mints with ordinary batches, %s',
  async (_, contractVersion) => {
    const onChain = await makeEarlierCollection()
    await organization.ctx.db.collection.updateMany({ where: { id: onChain.collectionId }, data: { contractVersion } })
    const recipients = await requestMints(onChain, onChain.itemIds)
    await onChain.sender.run()
    expect(await sentFor(onChain.collectionId)).toMatchObject([{ state: 'COMPLETED', mints: 20, consecutive: false }])
    expect(await ownersOf(onChain.contract, upTo(20))).toEqual(recipients)
  },
)
