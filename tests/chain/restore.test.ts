import { createWalletClient, http, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { readSentTransaction } from '../../lib/core/contracts/sent-transaction.ts'
import { encodeMintWithVoucher, voucherTypedData } from '../../lib/core/contracts/vouchers.ts'
import { encodeSetRoles, ROLES } from '../../lib/core/contracts/calls.ts'
import { DAY, HOUR, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { claimTokenOf } from '../../lib/giving/claim-token.ts'
import { expireClaims } from '../../lib/giving/expire-claims.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { findOurSender } from '../../lib/onchain/mints/find-our-sender.ts'
import { compareLanes } from '../../lib/onchain/recovery/compare-lanes.ts'
import { decideUnmatchedMints } from '../../lib/onchain/recovery/decide-unmatched-mints.ts'
import { settleItem } from '../../lib/onchain/recovery/settle-item.ts'
import { continuePurchases } from '../../lib/selling/purchases/continue-purchases.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { checkAccounts } from '../../lib/selling/payments/list-accounts.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { isLaneRecovering } from '../../lib/orders/recovering.ts'
import { putBackupBack, takeBackup } from '../support/backup.ts'
import { recover, sendByHand, sendForgotten } from '../support/by-hand.ts'
import { callerOf } from '../support/call.ts'
import { reorganized, startChain, type TestChain, withReads } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import {
  buy,
  connectCards,
  deliverCardEvents,
  makeListing,
  pay,
  readPurchase,
  setPayoutAddress,
} from '../support/selling.ts'
import { makeOnChainCollection, tokenAbi1155, tokenAbi721 } from '../support/sending.ts'
import { makeTerms } from '../support/voucher-terms.ts'
import { sendVoucher } from '../support/vouchers.ts'

let local: TestChain
let mailbox: Mailbox
let organization: TestOrganization
const buyer = privateKeyToAccount(generatePrivateKey())
const anyone = callerOf()
const worker = () => systemContext('test')

beforeAll(async () => {
  mailbox = await startMailbox()
  local = await startChain()
  await local.node.setBalance({ address: buyer.address, value: parseEther('100') })
  organization = await makeOrganization()
  await setPayoutAddress(organization)
})
afterEach(resetClock)

type OnChain = Awaited<ReturnType<typeof makeOnChainCollection>>

/** An email claim, and how its recipient redeems it. */
async function give({ api }: OnChain, itemId: string, terms: object = {}) {
  const email = `${newId()}@example.com`
  const { status, body } = await api.post('/v1/email-claims', { email, item_id: itemId, ...terms })
  expect(status, JSON.stringify(body)).toBe(201)
  const path = `/public/v1/email-claims/${body.claim_url.split('/').at(-1)}`
  return {
    id: body.id as string,
    view: async () => (await anyone.get(path)).body,
    redeem: async (address: string) => {
      expect((await anyone.post(`${path}/verify`)).status).toBe(201)
      return anyone.post(`${path}/redeem`, { address, pin: await mailbox.pinOf(email) })
    },
  }
}

const redeemVoucher = async (entry: unknown): Promise<void> =>
  expect((await sendVoucher(local, buyer, entry)).status).toBe('success')

const ownerOf = ({ contract }: OnChain, tokenId: bigint) =>
  local.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [tokenId] })
const unitsOf = ({ contract }: OnChain, address: Address, tokenId: bigint) =>
  local.client.readContract({
    address: contract,
    abi: tokenAbi1155,
    functionName: 'balanceOf',
    args: [address, tokenId],
  })
/** Those that are open, but for the one that tells which collections promise nothing for a week. */
const openAlarms = async () =>
  (
    await worker().db.alarm.findMany({
      where: { resolvedAt: null, NOT: { subject: { startsWith: 'promises' } } },
      orderBy: { kind: 'asc' },
    })
  ).map(({ kind }) => kind)

test('a database put back from a backup: what was delivered since isn’t delivered again, and the rest goes on', async () => {
  const tokens = await makeOnChainCollection(organization, local, { items: 6 })
  const editions = await makeOnChainCollection(organization, local, { items: 2, variant: 'ERC1155', max_supply: 20 })
  const [first, second, third, fourth, fifth, sixth] = tokens.itemIds as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [edition, other] = editions.itemIds as [string, string]
  await catchUpWith(local.chain)
  const { api, sender } = tokens
  const mintTo = async (item_id: string, to_address: string, quantity = 1): Promise<string> => {
    const { status, body } = await api.post('/v1/mint-requests', { item_id, to_address, quantity })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.mint_requests[0].id
  }
  const mintOf = async (id: string) => (await api.get(`/v1/mint-requests/${id}`)).body

  // In the backup: open claims, mints that wait, a listing.
  const claim = await give(tokens, first)
  const byVoucher = await give(tokens, second, { tx_payer: 'BUYER' })
  const ofEdition = await give(editions, edition, { quantity: 2 })
  const ofOther = await give(editions, other)
  const unredeemed = await give(tokens, sixth)
  const waiting = await mintTo(third, makeRandomAddress())
  const editionTo = makeRandomAddress()
  const waitingEdition = await mintTo(edition, editionTo, 3)
  const listing = await makeListing(organization, {
    item_id: fourth,
    price: parseEther('0.1').toString(),
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
  })
  await takeBackup()

  // After the backup: all of it is delivered, and more.
  const [home, editionHome, otherHome] = [makeRandomAddress(), makeRandomAddress(), makeRandomAddress()]
  expect((await claim.redeem(home)).status).toBe(201)
  expect((await ofEdition.redeem(editionHome)).status).toBe(201)
  expect((await ofOther.redeem(otherHome)).status).toBe(201)
  await redeemVoucher((await byVoucher.redeem(buyer.address)).body.voucher)
  await redeemVoucher((await buy(listing.id, { buyer: { eth_address: buyer.address } })).body.data)
  const lostTo = makeRandomAddress()
  await mintTo(fifth, lostTo)
  await sender.run()
  await catchUpWith(local.chain)
  expect(await unitsOf(editions, editionHome, 1n)).toBe(2n)

  await putBackupBack()

  // Before the index has caught up, nothing is sent and nothing ends.
  expect(await compareLanes(worker(), local.chain)).toEqual([local.operator.address])
  expect(await sender.submitAll()).toEqual(['idle'])
  moveClock(40 * DAY * 1000)
  expect(await expireClaims(worker())).toBe(0)
  resetClock()
  expect(await openAlarms()).toEqual(['books_behind'])
  expect((await api.delete(`/v1/email-claims/${claim.id}`)).body).toMatchObject({ code: 'recovering' })

  await recover(local)
  expect(await isLaneRecovering(worker(), 31337, local.operator.address)).toBe(false)
  expect(await claim.view()).toMatchObject({
    is_claimed: true,
    delivery: { state: 'CONFIRMED', tx_hash: expect.stringMatching(/^0x/) },
  })
  expect(await byVoucher.view()).toMatchObject({ is_claimed: true })

  // The waiting mints were made before: they are delivered, and nothing of them is sent.
  await sender.run()
  await recover(local)
  expect(await mintOf(waiting)).toMatchObject({ state: 'COMPLETED', to_address: await ownerOf(tokens, 3n) })
  expect(await mintOf(waitingEdition)).toMatchObject({ state: 'COMPLETED' })
  expect(await unitsOf(editions, editionTo, 1n)).toBe(3n)

  // A claim of editions redeemed to the same address finds its mint.
  expect((await ofEdition.redeem(editionHome)).status).toBe(201)
  await sender.run()
  expect(await ofEdition.view()).toMatchObject({ is_claimed: true, delivery: { state: 'CONFIRMED' } })
  expect(await unitsOf(editions, editionHome, 1n)).toBe(2n)

  // One redeemed to another address waits for a person.
  const elsewhere = makeRandomAddress()
  expect((await ofOther.redeem(elsewhere)).status).toBe(201)
  await sender.run()
  await recover(local)
  expect(await unitsOf(editions, elsewhere, 2n)).toBe(0n)
  expect(await openAlarms()).toContain('unmatched_mint')
  expect(await settleItem(worker(), other)).toBe(1)
  await sender.run()
  await recover(local)
  expect(await unitsOf(editions, elsewhere, 2n)).toBe(1n)

  // What nobody had redeemed is still there.
  const late = makeRandomAddress()
  expect((await unredeemed.redeem(late)).status).toBe(201)
  await sender.run()
  expect(await ownerOf(tokens, 6n)).toBe(late)
  expect(await ownerOf(tokens, 5n)).toBe(lostTo)

  // Lost vouchers may be valid for a week: no unit is promised before. Request numbers have jumped.
  const promise = () => api.post('/v1/email-claims', { email: `${newId()}@example.com`, item_id: edition })
  expect((await promise()).body).toMatchObject({ code: 'recovering' })
  moveClock((7 * DAY + 60) * 1000)
  expect((await promise()).status).toBe(201)
  const { nextRequestId } = await organization.ctx.db.collection.findFirstOrThrow({
    where: { id: editions.collectionId },
  })
  expect(nextRequestId).toBeGreaterThan(2n ** 32n)
  expect(nextRequestId).toBeLessThan(2n ** 53n)
  resetClock()
  await catchUpWith(local.chain)
  expect(await openAlarms()).toEqual([])
  expect(await verifyRecords(worker())).toEqual([])
  // The history can still be built again from the logs.
  const history = () => worker().db.itemHistory.findMany({ orderBy: { id: 'asc' } })
  const before = await history()
  await rebuildProjections(worker())
  expect(await history()).toEqual(before)
  expect(await verifyRecords(worker())).toEqual([])
})

test('a used voucher of ours that the books don’t know begins a recovery', async () => {
  const tokens = await makeOnChainCollection(organization, local, { items: 2 })
  await catchUpWith(local.chain)
  const claim = await give(tokens, tokens.itemIds[0]!, { tx_payer: 'BUYER' })
  await takeBackup()
  const { voucher } = (await claim.redeem(buyer.address)).body
  await redeemVoucher(voucher)
  await putBackupBack()
  const recoveries = () => worker().db.recovery.count({ where: { operator: local.operator.address } })
  const before = await recoveries()
  expect(await compareLanes(worker(), local.chain)).toEqual([])
  await recover(local)
  // The local chain is never final, so that the recovery ends at once.
  expect(await recoveries()).toBe(before + 1)
  const { promisesFrom } = await worker().db.collection.findFirstOrThrow({ where: { id: tokens.collectionId } })
  expect(promisesFrom!.getTime()).toBeGreaterThan(Date.now() + 6 * DAY * 1000)
  expect(await openAlarms()).toEqual([])
  expect(await claim.view()).toMatchObject({ is_claimed: true })
  expect(await verifyRecords(worker())).toEqual([])
})

test('a voucher that another key signed for our contract begins no recovery', async () => {
  const { contract, itemIds, collectionId } = await makeOnChainCollection(organization, local)
  await catchUpWith(local.chain)
  const stranger = privateKeyToAccount(generatePrivateKey())
  // The contract's owner may let others sign vouchers.
  await sendByHand(local, { to: contract, data: encodeSetRoles(stranger.address, ROLES.SIGNER) })
  const terms = makeTerms({ minter: buyer.address, nonce: 77n })
  const signature = await stranger.signTypedData(voucherTypedData(31337, contract, terms))
  const wallet = createWalletClient({ account: buyer, chain: foundry, transport: http(local.rpcUrl) })
  const hash = await wallet.sendTransaction({
    to: contract,
    data: encodeMintWithVoucher(terms, signature),
    gas: 400_000n,
  })
  expect((await receiptOf(local.client, hash)).status).toBe('success')
  await catchUpWith(local.chain)
  const unmatched = () => worker().db.unmatchedMint.findMany({ where: { collectionId } })
  // Nothing is decided while the index is on a branch that a reorg left.
  expect(await decideUnmatchedMints(worker(), reorganized(local.chain))).toBe(0)
  expect(await unmatched()).toMatchObject([{ itemId: itemIds[0], state: 'UNCHECKED' }])
  await recover(local)
  expect(await worker().db.recovery.count({ where: { endedAt: null } })).toBe(0)
  expect(await unmatched()).toMatchObject([{ itemId: itemIds[0], state: 'FOREIGN' }])
})

test('a transaction of our operator is ours only at the contract that it was sent to', async () => {
  const { contract, collectionId } = await makeOnChainCollection(organization, local)
  const [there, elsewhere] = [
    await sendForgotten(local, { to: contract, data: encodeSetRoles(makeRandomAddress(), ROLES.SIGNER) }),
    await sendForgotten(local, { to: makeRandomAddress() }),
  ]
  await recover(local)
  const tokens = { id: collectionId, contractAddress: contract, signer: null }
  const senderOf = (hash: Hex) => findOurSender(worker(), local.chain, tokens, hash)
  expect([await senderOf(there), await senderOf(elsewhere)]).toEqual(['operator', null])
  expect(await senderOf(`0x${'1'.repeat(64)}`)).toBe('unknown')
})

test('a transaction that somebody sent with the operator’s key holds the lane up only until the index is there', async () => {
  const { itemIds, api, sender, contract } = await makeOnChainCollection(organization, local)
  await catchUpWith(local.chain)
  await sendForgotten(local, { to: makeRandomAddress() })
  const to = makeRandomAddress()
  await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })
  expect(await sender.submitAll()).toEqual(['idle'])
  expect(await openAlarms()).toEqual(['books_behind'])
  await recover(local)
  expect(await openAlarms()).toEqual([])
  await sender.run()
  expect(
    await local.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [1n] }),
  ).toBe(to)
})

test('a nonce that a node made up holds nothing up for longer than the comparison takes', async () => {
  const tokens = await makeOnChainCollection(organization, local)
  await catchUpWith(local.chain)
  await give(tokens, tokens.itemIds[0]!, { tx_payer: 'BUYER' })
  const lying = withReads(local.chain, {
    nonce: async (operator, at) => (await local.chain.nonce(operator, at)) + 2,
  })
  expect(await compareLanes(worker(), lying)).toEqual([local.operator.address])
  const heldUntil = async () =>
    (await worker().db.collection.findFirstOrThrow({ where: { id: tokens.collectionId } })).promisesFrom
  expect(await heldUntil()).not.toBeNull()
  await recover(local)
  expect(await heldUntil()).toBeNull()
  expect(await openAlarms()).toEqual([])
})

test('what a node says of a transaction is believed only as far as its hash goes', async () => {
  const hash = await sendForgotten(local, { to: makeRandomAddress(), data: '0x1234' })
  await recover(local)
  const told = (await local.client.request({ method: 'eth_getTransactionByHash', params: [hash] }))!
  expect(await readSentTransaction(hash, told)).toEqual({
    from: local.operator.address,
    to: told.to,
    input: '0x1234',
  })
  // The sender follows from the signature, whatever the node says of it.
  expect(await readSentTransaction(hash, { ...told, from: makeRandomAddress() })).toMatchObject({
    from: local.operator.address,
  })
  for (const lie of [{ to: makeRandomAddress() }, { input: '0x12' }, { r: told.s }])
    expect(await readSentTransaction(hash, { ...told, ...lie })).toBeNull()
})

test('a card purchase that was paid and delivered after the backup is known as delivered again, and not refunded', async () => {
  await connectCards(organization)
  const tokens = await makeOnChainCollection(organization, local, { items: 3 })
  await catchUpWith(local.chain)
  const [byMail, byAddress, after] = await Promise.all(
    tokens.itemIds.map((item_id) => makeListing(organization, { item_id, price: 1500, currency: 'EUR' })),
  )
  const email = `${newId()}@example.com`
  const mailed = (await buy(byMail.id, { buyer: { email } })).body
  const address = makeRandomAddress()
  const minted = (await buy(byAddress.id, { buyer: { email: `${newId()}@example.com`, eth_address: address } })).body
  await takeBackup()
  const home = makeRandomAddress()
  const lost = (await buy(after.id, { buyer: { email: `${newId()}@example.com`, eth_address: home } })).body
  for (const { data } of [mailed, minted, lost]) await pay(data)
  await deliverCardEvents()
  const link = claimTokenOf(await worker().db.emailClaim.findFirstOrThrow({ where: { email } }))
  expect((await anyone.post(`/public/v1/email-claims/${link}/verify`)).status).toBe(201)
  const redeemed = { address: home, pin: await mailbox.pinOf(email) }
  expect((await anyone.post(`/public/v1/email-claims/${link}/redeem`, redeemed)).status).toBe(201)
  await tokens.sender.run()
  await catchUpWith(local.chain)
  expect([await ownerOf(tokens, 1n), await ownerOf(tokens, 2n), await ownerOf(tokens, 3n)].sort()).toEqual(
    [home, home, address].sort(),
  )

  await putBackupBack()
  await compareLanes(worker(), local.chain)
  moveClock(HOUR * 1000)
  const settle = async () => {
    await reconcileOpenPayments(worker())
    await expirePurchases(worker())
    await continuePurchases(worker())
    await deliverCardEvents()
  }
  await settle()
  expect(await readPurchase(mailed)).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'PENDING' })
  for (let round = 0; round < 3; round++) {
    await recover(local)
    moveClock(60_000)
    await settle()
    await tokens.sender.run()
  }
  for (const purchase of [mailed, minted])
    expect(await readPurchase(purchase)).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'COMPLETED' })
  // A purchase that the books don't have is found at the card provider, and a person decides about it.
  const [account] = await checkAccounts(worker())
  expect(account).toMatchObject({ found: [expect.stringMatching(/^pi_/)], recovering: false, failure: null })
  expect(await readPurchase(lost)).toMatchObject({ status: 'UNRESOLVED' })
  expect(await openAlarms()).toEqual(['purchase_recovered'])
  const { status } = await tokens.api.post(`/v1/purchase-intents/${lost.id}/resolve`, { outcome: 'DELIVERED' })
  expect(status).toBe(200)
  expect(await worker().db.sandboxRefund.count()).toBe(0)
  expect([await ownerOf(tokens, 1n), await ownerOf(tokens, 2n), await ownerOf(tokens, 3n)].sort()).toEqual(
    [home, home, address].sort(),
  )
  expect(await openAlarms()).toEqual([])
  expect(await verifyRecords(worker())).toEqual([])
})
