import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { jumpRequestNumbers } from '../../lib/orders/jump-request-numbers.ts'
import { noticeDatabaseServer } from '../../lib/orders/notice-database-server.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { putBackupBack, takeBackup } from '../support/backup.ts'
import { recover } from '../support/by-hand.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, makeListing, readPurchase, setPayoutAddress } from '../support/selling.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

let local: TestChain
let organization: TestOrganization
const worker = () => systemContext('test')

beforeAll(async () => {
  local = await startChain()
  organization = await makeOrganization()
  await setPayoutAddress(organization)
})
afterEach(resetClock)

const JUMP = 2n ** 32n

async function makeBuyer() {
  const account = privateKeyToAccount(generatePrivateKey())
  await local.node.setBalance({ address: account.address, value: parseEther('10') })
  return account
}

/** Editions that buyers mint by vouchers. */
async function makeShop() {
  const made = await makeOnChainCollection(organization, local, { items: 1, variant: 'ERC1155', max_supply: 10 })
  await catchUpWith(local.chain)
  const { id } = await makeListing(organization, {
    item_id: made.itemIds[0]!,
    quantity_listed: 5,
    price: parseEther('0.1').toString(),
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
  })
  const order = async (buyer: { address: string }) => (await buy(id, { buyer: { eth_address: buyer.address } })).body
  const nextNumber = async () =>
    (await organization.ctx.db.collection.findFirstOrThrow({ where: { id: made.collectionId } })).nextRequestId
  return { ...made, listingId: id, order, nextNumber }
}

test('after a restore without any other evidence, a new voucher doesn’t get the number of a lost one', async () => {
  const { order, nextNumber } = await makeShop()
  await takeBackup()
  const [lostBuyer, buyer] = [await makeBuyer(), await makeBuyer()]
  const lost = await order(lostBuyer)
  const before = await nextNumber()
  await putBackupBack()
  expect(await nextNumber()).toBeGreaterThanOrEqual(before + JUMP - 1n)
  const { data, ...intent } = await order(buyer)
  expect((await sendVoucher(local, lostBuyer, lost.data)).status).toBe('success')
  expect((await sendVoucher(local, buyer, data)).status).toBe('success')
  await recover(local)
  await recover(local)
  expect(await readPurchase(intent)).toMatchObject({ status: 'CONFIRMED' })
})

test('a purchase whose voucher’s number was used by a lost one ends, and its units are free', async () => {
  const { order, nextNumber, collectionId, listingId } = await makeShop()
  await takeBackup()
  const [lostBuyer, buyer] = [await makeBuyer(), await makeBuyer()]
  const lost = await order(lostBuyer)
  const before = await nextNumber()
  await putBackupBack()
  // As where a server took over, and a voucher was signed before a worker noticed it.
  await organization.ctx.db.collection.updateMany({ where: { id: collectionId }, data: { nextRequestId: before - 1n } })
  const { data, ...intent } = await order(buyer)
  expect(data.voucher.nonce).toBe(lost.data.voucher.nonce)
  expect((await sendVoucher(local, lostBuyer, lost.data)).status).toBe('success')
  await local.node.increaseTime({ seconds: 8 * 86_400 })
  await local.node.mine({ blocks: 2 })
  moveClock(8 * 86_400_000)
  await recover(local)
  await recover(local)
  expect(await expireVouchers(worker(), local.chain)).toBe(1)
  expect(await readPurchase(intent)).toMatchObject({ status: 'EXPIRED' })
  expect(await organization.ctx.db.hold.count({ where: { collectionId, holderType: 'PURCHASE', state: 'HELD' } })).toBe(
    0,
  )
  const { quantityOpen } = await organization.ctx.db.listing.findFirstOrThrow({ where: { id: listingId } })
  expect(quantityOpen).toBe(0n)
  expect(await verifyRecords(worker())).toEqual([])
})

test('numbers jump once where the database is elsewhere than noted, and in no new installation', async () => {
  const { nextNumber } = await makeShop()
  const { db } = worker()
  await db.databaseServer.deleteMany()
  const before = await nextNumber()
  expect(await noticeDatabaseServer(worker())).toBe(false)
  expect(await noticeDatabaseServer(worker())).toBe(false)
  expect(await nextNumber()).toBe(before)
  const places = [{ systemIdentifier: '1' }, { timeline: 7n }, { databaseOid: 1n }]
  for (const [at, elsewhere] of places.entries()) {
    await db.databaseServer.updateMany({ data: elsewhere })
    const jumped = await Promise.all([1, 2, 3].map(() => noticeDatabaseServer(worker())))
    expect(jumped.filter(Boolean)).toHaveLength(1)
    expect(await nextNumber()).toBe(before + JUMP * BigInt(at + 1))
  }
  expect(await db.databaseServer.findMany()).toMatchObject([{ jumps: 3 }])
  expect(await noticeDatabaseServer(worker(), { always: true })).toBe(true)
  expect(await nextNumber()).toBe(before + 4n * JUMP)
})

test('numbers stay below 2^53, and an alarm says in time that they run out', async () => {
  const { collectionId, nextNumber } = await makeShop()
  const set = (next: bigint) =>
    systemClient().$executeRaw(
      Prisma.sql`UPDATE collections SET next_request_id = ${next} WHERE id = ${collectionId}::uuid`,
    )
  const alarms = () => worker().db.alarm.count({ where: { kind: 'request_numbers_short', resolvedAt: null } })
  const jump = () => inTransaction(worker(), (tx) => jumpRequestNumbers(tx, null))
  await jump()
  expect(await alarms()).toBe(0)
  await set(2n ** 52n - 1n)
  await jump()
  expect(await alarms()).toBe(1)
  await set(2n ** 53n - 10n)
  await jump()
  expect(await nextNumber()).toBe(2n ** 53n - 10n)
  await expect(set(2n ** 53n)).rejects.toThrow('collections_request_numbers_end')
})
