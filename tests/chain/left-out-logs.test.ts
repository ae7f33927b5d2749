import { parseEther, toEventSelector } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY, moveClock, resetClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Chain, RawLog } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { startChain, type TestChain, withReads } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, redeem } from '../support/redeemable-claims.ts'
import { makeOnChainCollection, makeSender } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

let local: TestChain
/** The local chain as one that is final 8 blocks deep. */
let chain: Chain
/** What watches transactions on it. */
let final: ReturnType<typeof makeSender>
let organization: TestOrganization
const recipient = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  local = await startChain()
  chain = viemChain({ ...local.network, finality: 'depth', reorgWindow: 8 }, [local.rpcUrl])
  final = makeSender({ ...local, chain })
  await local.node.setBalance({ address: recipient.address, value: parseEther('10') })
  organization = await makeOrganization()
})
beforeEach(async () => {
  resetClock()
  // The chain's clock is ahead of ours where a test moved it.
  moveClock(Number((await chain.head()).timestamp) - Date.now())
})
afterEach(resetClock)

const worker = () => systemContext('test')

/** The chain as nodes tell it that leave out the logs that `keeps` doesn't name. */
const leavingOut = (keeps: (log: RawLog) => boolean): Chain =>
  withReads(chain, {
    logs: async (filter) => (await chain.logs(filter)).filter(keeps),
    blockLogs: async (filter) => (await chain.blockLogs(filter)).filter(keeps),
  })
const leavingOutAll = () => leavingOut(() => false)

/** Enters all blocks, and reads them once more when they are final. */
async function enterFinally(from: Chain): Promise<void> {
  await catchUpWith(from)
  await local.node.mine({ blocks: 32 })
  await catchUpWith(from)
}

test('a mint of ours whose log every node leaves out is entered from its receipt', async () => {
  const { api, itemIds, sender } = await makeOnChainCollection(organization, local)
  await enterFinally(chain)
  const to = makeRandomAddress()
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })
  expect(body.mint_requests).toHaveLength(1)
  await sender.run()
  await enterFinally(leavingOutAll())
  const owners = await organization.ctx.db.itemOwner.findMany({ where: { itemId: itemIds[0]! } })
  expect(owners.map(({ address }) => address)).toEqual([to])
  expect(await verifyRecords(worker())).toEqual([])
})

test('a mint of ours that is completed after its block was read twice is entered from its receipt', async () => {
  const { api, itemIds, sender } = await makeOnChainCollection(organization, local)
  await enterFinally(chain)
  const to = makeRandomAddress()
  expect((await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })).status).toBe(201)
  await sender.submitAll()
  await sender.mined()
  await enterFinally(leavingOutAll())
  await final.watch()
  await enterFinally(leavingOutAll())
  const owners = await organization.ctx.db.itemOwner.findMany({ where: { itemId: itemIds[0]! } })
  expect(owners.map(({ address }) => address)).toEqual([to])
  expect(await verifyRecords(worker())).toEqual([])
})

test('a mint of ours that is completed while its block is read twice is entered from its receipt', async () => {
  const { api, itemIds, sender } = await makeOnChainCollection(organization, local, { items: 2 })
  await enterFinally(chain)
  const to_address = makeRandomAddress()
  const mint = (id: string | undefined) => api.post('/v1/mint-requests', { item_id: id, to_address })
  await mint(itemIds[0])
  await sender.run()
  await mint(itemIds[1])
  await sender.submitAll()
  await sender.mined()
  let isCompleted = false
  const slow = withReads(leavingOutAll(), {
    receipt: async (hash) => {
      if (!isCompleted) {
        isCompleted = true
        await final.watch()
      }
      return chain.receipt(hash)
    },
  })
  await catchUpWith(slow)
  expect(isCompleted).toBe(false)
  await local.node.mine({ blocks: 32 })
  await catchUpWith(slow)
  expect(isCompleted).toBe(true)
  const owners = await organization.ctx.db.itemOwner.findMany({ where: { itemId: { in: itemIds } } })
  expect(owners.map(({ address }) => address)).toEqual([to_address, to_address])
  expect(await verifyRecords(worker())).toEqual([])
})

test('of two mints of one item in one transaction the one that every node leaves out is entered from their receipt', async () => {
  const { api, itemIds, sender } = await makeOnChainCollection(organization, local, {
    variant: 'ERC1155',
    max_supply: 5,
  })
  await enterFinally(chain)
  const addresses = [makeRandomAddress(), makeRandomAddress()]
  for (const to_address of addresses)
    expect((await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address })).status).toBe(201)
  await sender.run()
  const mints = await organization.ctx.db.mintRequest.findMany({ where: { itemId: itemIds[0]! } })
  expect(new Set(mints.map(({ txHash }) => txHash)).size).toBe(1)
  const [first] = (await chain.receipt(mints[0]!.txHash as `0x${string}`))!.logs
  await enterFinally(leavingOut(({ logIndex }) => logIndex === first!.logIndex))
  const owners = await organization.ctx.db.itemOwner.findMany({ where: { itemId: itemIds[0]! } })
  expect(owners.map(({ address }) => address).sort()).toEqual(addresses.toSorted())
  expect(await verifyRecords(worker())).toEqual([])
})

test('a used voucher whose mint every node leaves out twice is delivered once a node tells of it', async () => {
  const { collectionId, itemIds } = await makeOnChainCollection(organization, local)
  await enterFinally(chain)
  const [claim] = await makeRedeemableClaims(organization, collectionId, itemIds, { txPayer: 'BUYER' })
  const { voucher } = await redeem(claim!, recipient.address)
  expect((await sendVoucher(local, recipient, voucher)).status).toBe('success')
  await enterFinally(leavingOutAll())
  await local.node.increaseTime({ seconds: 8 * DAY })
  await enterFinally(leavingOutAll())

  const state = async () => (await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id: claim!.id } })).state
  expect(await expireVouchers(worker(), chain)).toBe(0)
  expect(await state()).toBe('OPEN')
  await enterFinally(chain)
  expect(await state()).toBe('CLAIMED')
  moveClock(9 * DAY * 1000)
  expect(await expireVouchers(worker(), chain)).toBe(0)
  expect(await organization.ctx.db.alarm.count({ where: { resolvedAt: null } })).toBe(0)
})

test.each([
  ['the log of its voucher', toEventSelector('VoucherRedeemed(uint256)')],
  ['its transfer', toEventSelector('TransferSingle(address,address,address,uint256,uint256)')],
])('an ERC-1155 mint with a voucher of which a node leaves out %s takes no other claim’s unit', async (_, leftOut) => {
  const { collectionId, itemIds } = await makeOnChainCollection(organization, local, {
    variant: 'ERC1155',
    max_supply: 2,
  })
  await enterFinally(chain)
  const [claim, other] = await makeRedeemableClaims(organization, collectionId, [itemIds[0]!, itemIds[0]!], {
    txPayer: 'BUYER',
  })
  const { voucher } = await redeem(claim!, recipient.address)
  expect((await sendVoucher(local, recipient, voucher)).status).toBe('success')
  const lying = leavingOut(({ topics }) => topics[0] !== leftOut)
  while ((await indexOnce(worker(), lying)) !== 'caught_up');
  await catchUpWith(lying)

  const { emailClaim, hold, alarm } = organization.ctx.db
  expect(await emailClaim.findFirstOrThrow({ where: { id: claim!.id } })).toMatchObject({ state: 'CLAIMED' })
  expect(await hold.findFirstOrThrow({ where: { holderId: other!.id } })).toMatchObject({ state: 'HELD' })
  expect(await alarm.count({ where: { resolvedAt: null } })).toBe(0)
  expect(await verifyRecords(worker())).toEqual([])
})
