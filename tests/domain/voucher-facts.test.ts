import type { Address } from 'viem'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { DAY, moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { endTries } from '../../lib/data/retention/end-tries.ts'
import { revokeClaim } from '../../lib/giving/revoke-claim.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { undoLogsAbove } from '../../lib/onchain/indexer/undo-logs.ts'
import { advanceVoucher } from '../../lib/onchain/vouchers/advance-voucher.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { ports } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { hashOf, makeAddress, makeCollection, makeTransfer721, ZERO_ADDRESS } from '../support/chain-logs.ts'
import { enterFakeBlocks, installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, deliverCardEvents, makeListing, pay } from '../support/selling.ts'
import { refuseUpdates } from '../support/as-owner.ts'
import { makeVoucher, makeVoucherCancelled } from '../support/voucher-rows.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements(
  'Facts about vouchers are queued by hand, without a log of the chain.',
  'a voucher is redeemed exactly if a mint in the history used it, or a fact about it waits',
)

const worker = systemContext('test')
let organization: TestOrganization
let fake: ReturnType<typeof installFakeChain>
let block = 1_000

beforeAll(async () => {
  fake = installFakeChain()
  fake.head = 1_000_000n
  organization = await makeOrganization()
  await enterFakeBlocks(1_000_000n)
})
afterEach(resetClock)

const chain = () => ports().chains.get(31337)!
const apply = () => applyVoucherFacts(worker, chain())
const project = (...logs: ChainLogRow[]) => inTransaction(worker, (tx) => projectLogs(tx, logs))
const undoAbove = (at: number) => inTransaction(worker, (tx) => undoLogsAbove(tx, 31337, BigInt(at)))
const expireAt = (time: Date) => {
  fake.time = time
  return expireVouchers(worker, chain())
}

/** A claim with a voucher, and the log of its mint. */
async function makeClaim(more: Parameters<typeof makeVoucher>[3] = {}) {
  const collection = await makeCollection(organization)
  const made = await makeVoucher(organization, collection, 4n, more)
  const mintAt = (at: number, index = 0) =>
    makeTransfer721(collection, { block: at, index }, ZERO_ADDRESS, makeAddress(7), 1n)
  return { ...made, collection, mintAt }
}
const stepsOf = async (voucherId: string) =>
  (
    await organization.ctx.db.auditEntry.findMany({
      where: { subjectId: voucherId, action: 'mint_voucher.advanced' },
      orderBy: { id: 'asc' },
    })
  ).map(({ after }) => (after as { state: string }).state)

test('a mint, its reorg and its repetition are applied once each and in that order, by three workers at once', async () => {
  const { voucher, states, mintAt } = await makeClaim()
  const [first, second] = [++block, ++block]
  await project(mintAt(first))
  await undoAbove(first - 1)
  await project(mintAt(second))
  expect(await states()).toEqual(['PENDING', 'OPEN', 'CONSUMED'])
  for (let round = 0; round < 3; round++) await Promise.all([apply(), apply(), apply()])
  expect(await stepsOf(voucher.id)).toEqual(['REDEEMED', 'PENDING', 'REDEEMED'])
  expect(await states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
  expect(await worker.db.voucherFact.count({ where: { voucherId: voucher.id } })).toBe(0)
})

test('a voucher whose mint is entered but not applied yet doesn’t expire; others do meanwhile', async () => {
  const expiry = 1_900_000_000n
  const [{ states, mintAt }, unused] = [await makeClaim({ expiry }), await makeClaim({ expiry })]
  await project(mintAt(++block))
  await expireAt(new Date(Number(expiry + 1n) * 1000))
  expect(await states()).toEqual(['PENDING', 'OPEN', 'CONSUMED'])
  expect((await unused.states())[0]).toBe('EXPIRED')
  await apply()
  expect(await states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
})

test('a used ERC-1155 voucher whose mint waits to be applied isn’t reported as missing its mint', async () => {
  const expiry = 1_900_000_000n
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', maxSupply: 5n })
  const { voucher, states } = await makeVoucher(organization, collection, 4n, { expiry })
  const { id: voucherId, contract } = voucher
  fake.contracts.set(contract as Address, `0x${'0'.repeat(63)}1`)
  const fact = { organizationId: organization.id, networkId: 31337, voucherId, type: 'REDEEMED' as const, logIndex: 0 }
  await worker.db.voucherFact.create({
    data: { ...fact, txHash: hashOf('fact'), blockNumber: BigInt(++block), nextTryAt: secondsFrom(now(), DAY) },
  })
  await expireAt(new Date(Number(expiry + 1n) * 1000))
  expect((await states())[0]).toBe('PENDING')
  expect(await worker.db.rowTry.count({ where: { rowId: voucherId } })).toBe(0)
})

test('workers that look for expired vouchers at once end each of them once', async () => {
  const expiry = 1_800_000_000n
  const after = new Date(Number(expiry + 1n) * 1000)
  await expireAt(after)
  const { voucher } = await makeClaim({ expiry })
  const ended = await Promise.all([expireAt(after), expireAt(after), expireAt(after)])
  expect(ended.sort()).toEqual([0, 0, 1])
  expect(await stepsOf(voucher.id)).toEqual(['EXPIRED'])
})

test('cancellations that aren’t final yet wait on their own network only', async () => {
  const [here, elsewhere] = [await makeClaim(), await makeClaim()]
  const high = fake.head + 1_000n
  const fact = (networkId: number, voucherId: string) => ({
    ...{ organizationId: organization.id, networkId, voucherId, type: 'CANCELLED' as const, logIndex: 0 },
    ...{ txHash: hashOf('cancelled'), blockNumber: high, nextTryAt: new Date(0) },
  })
  await worker.db.voucherFact.createMany({ data: [fact(31337, here.voucher.id), fact(1, elsewhere.voucher.id)] })
  await apply()
  const waits = async (voucherId: string) =>
    (await worker.db.voucherFact.findFirstOrThrow({ where: { voucherId } })).nextTryAt > now()
  expect([await waits(here.voucher.id), await waits(elsewhere.voucher.id)]).toEqual([true, false])
  await worker.db.voucherFact.deleteMany({ where: { voucherId: { in: [here.voucher.id, elsewhere.voucher.id] } } })
})

test('a cancellation ends its voucher only when its block is final, and not at all when a reorg takes it back before', async () => {
  const [kept, undone] = [await makeClaim(), await makeClaim()]
  const [low, high] = [++block, ++block]
  await project(makeVoucherCancelled(kept.collection, { block: low }, { tokenId: 1n, nonce: 4n }))
  await project(makeVoucherCancelled(undone.collection, { block: high }, { tokenId: 1n, nonce: 4n }))
  fake.head = BigInt(low - 1)
  await apply()
  expect([(await kept.states())[0], (await undone.states())[0]]).toEqual(['PENDING', 'PENDING'])
  // The index is on a branch that a reorg left: what it says of heights that are final by now isn't the chain's.
  fake.head = 1_000_000n
  moveClock(2_000)
  await enterFakeBlocks(1_000_000n, 'left')
  await apply()
  expect([(await kept.states())[0], (await undone.states())[0]]).toEqual(['PENDING', 'PENDING'])
  await undoAbove(low)
  await enterFakeBlocks(1_000_000n)
  await apply()
  expect([(await kept.states())[0], (await undone.states())[0]]).toEqual(['CANCELLED', 'PENDING'])
})

test('a step from a state that a voucher isn’t in any more is refused and changes nothing', async () => {
  const { voucher, states } = await makeClaim()
  const { ctx } = organization
  await ctx.db.voucher.updateMany({ where: { id: voucher.id }, data: { state: 'EXPIRED' } })
  const step = inTransaction(ctx, (tx) => advanceVoucher(tx, voucher, 'CANCELLED'))
  await expect(step).rejects.toMatchObject({ code: 'conflict' })
  expect([(await states())[0], await stepsOf(voucher.id)]).toEqual(['EXPIRED', []])
})

test('a voucher minted and then void in the same block is redeemed, not cancelled', async () => {
  const { collection, states } = await makeClaim()
  const at = ++block
  await project(
    makeVoucherCancelled(collection, { block: at, index: 5 }, { tokenId: 1n, nonce: 9n }),
    makeTransfer721(collection, { block: at, index: 2 }, ZERO_ADDRESS, makeAddress(7), 1n),
  )
  await apply()
  await apply()
  expect((await states())[0]).toBe('REDEEMED')
})

test('a fact that fails is tried again with an alarm; its voucher’s later facts wait, those of others don’t', async () => {
  const [stuck, sound] = [await makeClaim(), await makeClaim()]
  const permit = await refuseUpdates('vouchers', `OLD.id = '${stuck.voucher.id}'`)
  const at = ++block
  await project(stuck.mintAt(at))
  await project(sound.mintAt(at, 1))
  await undoAbove(at - 1)
  const alarms = () =>
    organization.ctx.db.alarm.count({
      where: { kind: 'row_stuck', subject: `voucher fact ${stuck.voucher.id}`, resolvedAt: null },
    })
  for (let tries = 0; tries < 5; tries++) {
    await apply()
    await apply()
    moveClock(3_600_000)
  }
  expect(await stepsOf(sound.voucher.id)).toEqual(['REDEEMED', 'PENDING'])
  expect(await stepsOf(stuck.voucher.id)).toEqual([])
  expect(await alarms()).toBe(1)
  expect(await apply()).toBe(0)
  moveClock(3_600_000)
  await permit()
  await apply()
  await apply()
  expect(await stepsOf(stuck.voucher.id)).toEqual(['REDEEMED', 'PENDING'])
  expect(await alarms()).toBe(0)
})

test('a rebuild leaves used vouchers as they are, and queues a redemption that was missing', async () => {
  const { voucher, collection, states, mintAt } = await makeClaim()
  const logs = [mintAt(++block)]
  await worker.db.chainLog.createMany({ data: logs.map((log) => ({ id: newId(), ...log })) })
  await project(...logs)
  await apply()
  await rebuildProjections(worker, collection.id)
  expect(await apply()).toBe(0)
  expect(await stepsOf(voucher.id)).toEqual(['REDEEMED'])
  await undoAbove(block - 1)
  await apply()
  await rebuildProjections(worker, collection.id)
  await apply()
  expect(await states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
})

test('a paid purchase isn’t refunded while the chain says something of its voucher that isn’t applied yet', async () => {
  await connectCards(organization)
  const listing = await makeListing(organization, { policy: { tx_payer: 'BUYER' } })
  const { body } = await buy(listing.id)
  await pay(body.data)
  await deliverCardEvents()
  const claim = await organization.ctx.db.emailClaim.findFirstOrThrow({
    where: { purchaseIntentId: body.id },
    include: { item: { include: { collection: true } } },
  })
  expect(claim.txPayer).toBe('BUYER')
  const { collection } = claim.item
  const { voucher } = await makeVoucher(
    organization,
    { ...collection, networkId: 31337, contractAddress: collection.contractAddress!, itemIds: [claim.itemId] },
    1n,
    { state: 'EXPIRED' },
    claim.id,
  )
  await worker.db.voucherFact.create({
    data: {
      organizationId: organization.id,
      networkId: 31337,
      voucherId: voucher.id,
      type: 'REDEEMED',
      txHash: hashOf('late'),
      blockNumber: BigInt(++block),
      logIndex: 0,
      nextTryAt: new Date(),
    },
  })
  const refund = () => callerOf(organization.key).post(`/v1/purchase-intents/${body.id}/refund`, {})
  expect((await refund()).body.code).toBe('mint_in_flight')
  await revokeClaim(organization.ctx, claim.id)
  await deliverCardEvents()
  expect((await organization.ctx.db.payment.findFirstOrThrow({ where: { intentId: body.id } })).state).toBe('SUCCEEDED')
  await apply()
  expect(await organization.ctx.db.purchaseIntent.findFirstOrThrow({ where: { id: body.id } })).toMatchObject({
    fulfillmentStatus: 'COMPLETED',
  })
})

test('the alarm about a voucher whose expiry failed ends when its mint is entered', async () => {
  const { voucher, mintAt } = await makeClaim({ expiry: BigInt(Math.floor(now().getTime() / 1000) - 1) })
  const permit = await refuseUpdates('vouchers', `OLD.id = '${voucher.id}'`)
  const alarms = () =>
    organization.ctx.db.alarm.count({
      where: { kind: 'row_stuck', subject: `expire vouchers ${voucher.id}`, resolvedAt: null },
    })
  for (let tries = 0; tries < 5; tries++) {
    await expireAt(now())
    moveClock(3_600_000)
  }
  await permit()
  await endTries(worker)
  expect(await alarms()).toBe(1)
  await project(mintAt(++block))
  await apply()
  await expireAt(now())
  await endTries(worker)
  expect(await alarms()).toBe(0)
})
