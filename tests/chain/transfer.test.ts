import { createWalletClient, encodeFunctionData, http, parseEther, parseGwei, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { claimContext, workerContext } from '../../lib/platform/auth/authenticate.ts'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeAdminMint721, encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { rememberOperators } from '../../lib/onchain/indexer/remember-operators.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { countInLane, recover, sendForgotten } from '../support/by-hand.ts'
import { call } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress, caller } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import {
  buy,
  connectCards,
  deliverCardEvents,
  FREE_PRICE,
  cancelPurchase,
  makeListing,
  pay,
  readPurchase,
} from '../support/selling.ts'
import { makeOnChainCollection, tokenAbi721 } from '../support/sending.ts'

let testChain: TestChain
let mailbox: Mailbox
let organization: TestOrganization
/** A worker context with the current ports. */
const worker = () => workerContext('test')

beforeAll(async () => {
  testChain = await startChain()
  mailbox = await startMailbox()
  organization = await makeOrganization()
  await connectCards(organization)
})
afterEach(async () => {
  resetClock()
  await catchUp()
  expect(await verifyRecords(worker())).toEqual([])
})

async function catchUp(): Promise<void> {
  while ((await indexOnce(worker(), testChain.chain)) === 'more');
}

const itemOf = (id: string) =>
  organization.ctx.db.item.findFirstOrThrow({
    where: { id },
    select: { held: true, minting: true, minted: true, custodian: true },
  })
const holdsOf = async (itemId: string) =>
  (await organization.ctx.db.hold.findMany({ where: { itemId }, orderBy: { id: 'asc' } })).map(
    ({ holderType, state }) => [holderType, state],
  )
const historyOf = async (itemId: string) =>
  (await organization.ctx.db.itemHistory.findMany({ where: { itemId }, orderBy: { id: 'asc' } })).map(
    ({ type, toAddress }) => [type, toAddress],
  )
const ownerOf = (contract: Address, id = 1n) =>
  testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [id] })
const reorg = (depth: number) => testChain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
const custodian = () => testChain.operator.address
const IN_CUSTODY = () => ({ held: 0n, minting: 0n, minted: 1n, custodian: custodian() })
const HANDED_OVER = { held: 0n, minting: 0n, minted: 1n, custodian: null }

/** Sends a transaction without a row in the database. */
async function sendAs(account: ReturnType<typeof privateKeyToAccount>, to: Address, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account, chain: foundry, transport: http(testChain.rpcUrl) })
  const hash = await wallet.sendTransaction({ to, data, gas: 400_000n })
  expect((await testChain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
  await countInLane(testChain, account.address)
}

/** Items minted to our own operator, and so in custody. */
async function makeInCustody(items = 1, platform: object = {}) {
  const made = await makeOnChainCollection(organization, testChain, { items, platform })
  const { status, body } = await made.api.post('/v1/mint-requests', { item_ids: made.itemIds, to_address: custodian() })
  expect(status, JSON.stringify(body)).toBe(201)
  await made.sender.run()
  await catchUp()
  return { ...made, itemId: made.itemIds[0]! }
}

async function makeClaim(itemId: string, txPayer: 'SELLER' | 'BUYER' = 'SELLER') {
  const email = `${newId()}@example.com`
  const { id, claim_url } = await createClaim(organization.ctx, { email, item_id: itemId, tx_payer: txPayer })
  return openClaim({ id, claim_url, email })
}

async function openClaim({ id, claim_url, email }: { id: string; claim_url: string | null; email: string }) {
  const ctx = await claimContext(claim_url!.split('/').at(-1)!, caller)
  const redeem = async (address: Address) => {
    await sendPin(ctx)
    return redeemClaim(ctx, { pin: await mailbox.pinOf(email), address })
  }
  return { id, ctx, redeem, email }
}

const transactionsOf = (collectionId: string) =>
  organization.ctx.db.transaction.findMany({
    where: { collectionId, txType: { not: 'DEPLOY_TOKEN_CONTRACT' } },
    orderBy: { id: 'asc' },
    select: { id: true, txType: true, state: true, operator: true, mintCount: true },
  })

test('a claimed token in custody is transferred once to the redeeming address, and every record shows it', async () => {
  const { itemId, contract, collectionId, sender, api } = await makeInCustody()
  expect(await itemOf(itemId)).toEqual(IN_CUSTODY())
  expect((await api.get(`/v1/items/${itemId}`)).body).toMatchObject({ token_status: 'MINTED', kept_by: custodian() })
  const ledger = async () => (await api.get(`/v1/items/${itemId}/holds`)).body
  expect(await ledger()).toMatchObject({ max_supply: 1, minted: 1, kept: 1, kept_by: custodian(), held: 0, free: 1 })
  const claim = await makeClaim(itemId)
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
  const to = makeRandomAddress()
  expect(await ledger()).toMatchObject({
    minted: 1,
    kept: 1,
    held: 1,
    free: 0,
    results: [{ holder_type: 'CLAIM', holder_id: claim.id }],
  })
  expect(await claim.redeem(to)).toEqual({ status: 'CLAIMED', voucher: null })
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('QUEUED')
  await sender.run()
  expect((await getClaimView(claim.ctx)).delivery).toMatchObject({ state: 'CONFIRMED', token_id: '1' })
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['MINT_REQUEST', 'CONSUMED'],
  ])
  expect(await historyOf(itemId)).toEqual([
    ['MINT', custodian()],
    ['TRANSFER', to],
  ])
  const sent = await transactionsOf(collectionId)
  expect(sent).toMatchObject([
    { txType: 'ADMIN_MINT', state: 'COMPLETED' },
    { txType: 'TRANSFER_TOKEN', state: 'COMPLETED', operator: custodian(), mintCount: 1 },
  ])
  expect((await api.get(`/v1/transactions/${sent[1]!.id}`)).body).toMatchObject({
    tx_type: 'TRANSFER_TOKEN',
    on_chain_status: 'SUCCESS',
    mint_requests: 1,
  })
  expect(
    (await api.get(`/v1/mint-requests?item_id=${itemId}`)).body.results.map(
      (request: { tx_type: string }) => request.tx_type,
    ),
  ).toEqual(['TRANSFER_TOKEN', 'ADMIN_MINT'])
  expect(await ledger()).toMatchObject({ minted: 1, kept: 0, kept_by: null, held: 0, free: 0 })
  expect((await api.get(`/public/v1/items/${itemId}/owners`)).body.results).toEqual([{ address: to, quantity: 1 }])
  expect(await organization.ctx.db.event.count({ where: { type: 'claim.delivered', key: claim.id } })).toBe(1)
  expect(
    await organization.ctx.db.outboxMessage.count({ where: { templateType: 'CLAIMED_NFT', toEmail: claim.email } }),
  ).toBe(1)
  expect((await api.post('/v1/mint-requests', { item_id: itemId, to_address: makeRandomAddress() })).body.code).toBe(
    'already_minted',
  )
})

test('three claims at once for one token in custody: one claim, two sold_out', async () => {
  const { itemId } = await makeInCustody()
  const claimToken = () => createClaim(organization.ctx, { email: `${newId()}@example.com`, item_id: itemId })
  const outcomes = await Promise.allSettled([claimToken(), claimToken(), claimToken()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'sold_out', status: 409 })
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
})

test('collection-wide listings and mints exclude tokens in custody; a mint request by token id hands one over', async () => {
  const { collectionId, itemIds, sender, api, contract } = await makeInCustody(2)
  const offered = await api.post('/v1/listings', {
    collection_id: collectionId,
    quantity_listed: 1,
    payment_providers: ['ORGANIZATION'],
    ...FREE_PRICE,
  })
  expect([offered.status, offered.body.code]).toEqual([409, 'sold_out'])
  const rest = await api.post('/v1/mint-requests', { collection_id: collectionId, to_address: makeRandomAddress() })
  expect([rest.status, rest.body.code]).toEqual([409, 'sold_out'])
  const to = makeRandomAddress()
  const named = await api.post('/v1/mint-requests', { collection_id: collectionId, token_ids: [2], to_address: to })
  expect(named.status, JSON.stringify(named.body)).toBe(201)
  expect((await api.get(`/v1/mint-requests/${named.body.mint_requests[0].transaction_id}`)).body).toMatchObject({
    state: 'WAITING',
    to_address: to,
  })
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract, 2n)).toBe(to)
  expect(await itemOf(itemIds[0]!)).toEqual(IN_CUSTODY())
  expect(await itemOf(itemIds[1]!)).toEqual(HANDED_OVER)
})

test('a token in custody can be sold by card and, after its buyer sends it back, given away again', async () => {
  const { itemId, contract, sender } = await makeInCustody()
  const buyer = privateKeyToAccount(generatePrivateKey())
  const listing = await makeListing(organization, { item_id: itemId, price: 1500, currency: 'EUR' })
  const { body } = await buy(listing.id, { buyer: { email: `${newId()}@example.com`, eth_address: buyer.address } })
  await pay(body.data)
  await deliverCardEvents()
  await sender.run()
  await catchUp()
  expect(await readPurchase(body)).toMatchObject({
    status: 'CONFIRMED',
    fulfillment_status: 'COMPLETED',
    delivery: { state: 'CONFIRMED' },
  })
  expect(await ownerOf(contract)).toBe(buyer.address)

  await testChain.node.setBalance({ address: buyer.address, value: parseEther('1') })
  await sendAs(buyer, contract, encodeTransfer721(buyer.address, custodian(), 1n))
  await catchUp()
  expect(await itemOf(itemId)).toEqual(IN_CUSTODY())
  const free = await makeListing(organization, {
    item_id: itemId,
    ...FREE_PRICE,
    payment_providers: ['BETA_FREE_MINT', 'EMAIL_CLAIM'],
  })
  const to = makeRandomAddress()
  const given = await buy(free.id, { provider: 'BETA_FREE_MINT', buyer: { eth_address: to } })
  expect(given.status, JSON.stringify(given.body)).toBe(201)
  await sender.run()
  await catchUp()
  expect(await readPurchase(given.body)).toMatchObject({
    fulfillment_status: 'COMPLETED',
    delivery: { state: 'CONFIRMED' },
  })
  expect(await historyOf(itemId)).toEqual([
    ['MINT', custodian()],
    ['TRANSFER', buyer.address],
    ['TRANSFER', custodian()],
    ['TRANSFER', to],
  ])
  expect(
    await organization.ctx.db.event.count({
      where: { type: 'purchase.fulfilled', key: { in: [body.id, given.body.id] } },
    }),
  ).toBe(2)
})

test('a card purchase by email becomes a claim that hands over the token in custody', async () => {
  const { itemId, sender, contract } = await makeInCustody()
  const listing = await makeListing(organization, { item_id: itemId, price: 1500, currency: 'EUR' })
  const email = `${newId()}@example.com`
  const { body } = await buy(listing.id, { buyer: { email } })
  await pay(body.data)
  await deliverCardEvents()
  const { id } = await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { email } })
  const claim = await openClaim(await getClaim(organization.ctx, id))
  const to = makeRandomAddress()
  await claim.redeem(to)
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await readPurchase(body)).toMatchObject({ fulfillment_status: 'COMPLETED', delivery: { state: 'CONFIRMED' } })
})

test('a claim import gives a token in custody by its item id, once, and not with tx_payer BUYER', async () => {
  const { itemIds, api, collectionId } = await makeInCustody(2)
  const address = () => `${newId()}@example.com`
  const csv = [
    'email,item_id,tx_payer',
    `${address()},${itemIds[0]},SELLER`,
    `${address()},${itemIds[0]},SELLER`,
    `${address()},${itemIds[1]},BUYER`,
  ].join('\n')
  const { status, body } = await api.post('/v1/email-claims/import', { csv })
  expect(status, JSON.stringify(body)).toBe(201)
  expect(body.rows.map(({ reasons }: { reasons: string[] }) => reasons.join(' '))).toEqual([
    '',
    'item_id: No unit of this item is left for this line.',
    expect.stringContaining('minted already'),
  ])
  expect((await api.post(`/v1/imports/${body.id}/start`, { skip_invalid: true })).status).toBe(200)
  await runImports(worker())
  expect((await api.get(`/v1/imports/${body.id}`)).body).toMatchObject({ state: 'COMPLETED', done_count: 1 })
  expect(await itemOf(itemIds[0]!)).toEqual({ ...IN_CUSTODY(), held: 1n })
  const next = await api.post('/v1/email-claims/import', {
    collection_id: collectionId,
    csv: ['email,item', `${address()},next`].join('\n'),
  })
  expect(next.body.rows[0].reasons.join(' ')).toContain('No free item')
})

test('a token in custody cannot be minted by voucher: claims, listings and purchases are refused', async () => {
  const { itemIds, itemId, api, contract, sender } = await makeInCustody()
  const refused = async (path: string, body: object) => {
    const answer = await api.post(path, body)
    return [answer.status, answer.body.code, answer.body.errors?.[0]?.field]
  }
  expect(await refused('/v1/email-claims', { email: 'a@example.com', item_id: itemId, tx_payer: 'BUYER' })).toEqual([
    422,
    'voucher_unsupported',
    'tx_payer',
  ])
  const listing = { item_id: itemId, quantity_listed: 1, ...FREE_PRICE, payment_providers: ['EMAIL_CLAIM'] }
  expect(await refused('/v1/listings', { ...listing, policy: { tx_payer: 'BUYER' } })).toEqual([
    422,
    'voucher_unsupported',
    'policy.tx_payer',
  ])
  await api.patch(`/v1/organizations/${organization.id}`, { payout_address: makeRandomAddress() })
  expect(
    await refused('/v1/listings', {
      ...listing,
      currency: 'ETH',
      payment_providers: ['MINT_VOUCHER'],
      status: 'DRAFT',
    }),
  ).toEqual([422, 'voucher_unsupported', 'payment_providers'])
  expect(await itemOf(itemIds[0]!)).toEqual(IN_CUSTODY())

  // Claimed and listed first, then minted to our operator without a row in the database.
  const other = await makeOnChainCollection(organization, testChain, { items: 2 })
  const claim = await makeClaim(other.itemIds[0]!, 'BUYER')
  const offer = await makeListing(organization, {
    item_id: other.itemIds[1]!,
    price: '1000',
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
  })
  await sendAs(
    testChain.operator,
    other.contract,
    encodeAdminMint721([1n, 2n].map((tokenId) => ({ to: custodian(), tokenId }))),
  )
  await catchUp()
  expect(await itemOf(other.itemIds[0]!)).toEqual({ ...IN_CUSTODY(), held: 1n })
  await expect(claim.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'voucher_unsupported', status: 422 })
  expect(await organization.ctx.db.voucher.count({ where: { claimId: claim.id } })).toBe(0)
  expect((await getClaim(organization.ctx, claim.id)).active).toBe(true)
  const bought = await buy(offer.id, { buyer: { eth_address: makeRandomAddress() } })
  expect([bought.status, bought.body.code]).toEqual([422, 'voucher_unsupported'])
  expect(await ownerOf(contract)).toBe(custodian())
  await sender.run()
})

test('a claimed item that is then minted to our operator is handed over', async () => {
  const { itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const claim = await makeClaim(itemIds[0]!)
  await sendAs(testChain.operator, contract, encodeAdminMint721([{ to: custodian(), tokenId: 1n }]))
  await catchUp()
  expect(await holdsOf(itemIds[0]!)).toEqual([['CLAIM', 'HELD']])
  const to = makeRandomAddress()
  await claim.redeem(to)
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
})

test('a hand-over undone by a reorg is rebroadcast from its stored bytes and announced once', async () => {
  const { itemId, sender, contract, collectionId } = await makeInCustody()
  await testChain.node.mine({ blocks: 3 })
  const claim = await makeClaim(itemId)
  const to = makeRandomAddress()
  await claim.redeem(to)
  await sender.run()
  await catchUp()
  const before = (await getClaimView(claim.ctx)).delivery.tx_hash
  await testChain.node.setAutomine(false)
  await reorg(1)
  await sender.watch()
  await catchUp()
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('SUBMITTED')
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n, minting: 1n })
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  await catchUp()
  expect((await getClaimView(claim.ctx)).delivery).toMatchObject({ state: 'CONFIRMED', tx_hash: before })
  expect(await ownerOf(contract)).toBe(to)
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  expect((await transactionsOf(collectionId)).map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
  expect(await organization.ctx.db.event.count({ where: { type: 'claim.delivered', key: claim.id } })).toBe(1)
  expect(
    await organization.ctx.db.event.count({
      where: { type: 'item.transferred', data: { path: ['item_id'], equals: itemId } },
    }),
  ).toBe(1)
})

test('a reorg that also undoes the mint: the hand-over waits for it, and both are mined again in order', async () => {
  const { itemIds, sender, contract, api } = await makeOnChainCollection(organization, testChain, { items: 2 })
  const itemId = itemIds[0]!
  await testChain.node.mine({ blocks: 5 })
  await api.post('/v1/mint-requests', { item_ids: itemIds, to_address: custodian() })
  await sender.run()
  await catchUp()
  const [claim, open] = [await makeClaim(itemId), await makeClaim(itemIds[1]!)]
  const to = makeRandomAddress()
  await claim.redeem(to)
  await testChain.node.setAutomine(false)
  await reorg(1)
  await catchUp()
  expect(await itemOf(itemId)).toEqual({ held: 1n, minting: 1n, minted: 0n, custodian: null })
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'HELD'],
    ['MINT_REQUEST', 'EXCEPTION'],
  ])
  // Without the mint nothing is sent, and nothing fails.
  expect(await sender.submit()).toBe('idle')
  await expect(open.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'unavailable' })
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  await catchUp()
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n, minting: 1n })
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('CONFIRMED')
  await testChain.node.setAutomine(false)
  await reorg(3)
  await sender.watch()
  await catchUp()
  expect((await itemOf(itemId)).minted).toBe(0n)
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['MINT_REQUEST', 'CONSUMED'],
  ])
  expect(await organization.ctx.db.alarm.count({ where: { subject: itemId, resolvedAt: null } })).toBe(0)
})

test('a mint to custody undone by a reorg and then cancelled: the claim mints the token instead', async () => {
  const { itemIds, sender, contract, api } = await makeOnChainCollection(organization, testChain)
  const itemId = itemIds[0]!
  await testChain.node.mine({ blocks: 5 })
  const minting = (await api.post('/v1/mint-requests', { item_id: itemId, to_address: custodian() })).body
    .mint_requests[0].transaction_id as string
  await sender.run()
  await catchUp()
  const claim = await makeClaim(itemId)
  await testChain.node.setAutomine(false)
  await reorg(1)
  await catchUp()
  await sender.watch()
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'HELD'],
    ['CLAIM', 'EXCEPTION'],
  ])
  await api.post(`/v1/transactions/${minting}/cancel`)
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect((await api.get(`/v1/transactions/${minting}`)).body.state).toBe('CANCELLED')
  await catchUp()
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'RELEASED'],
    ['CLAIM', 'HELD'],
  ])
  expect(await organization.ctx.db.alarm.count({ where: { subject: itemId, resolvedAt: null } })).toBe(0)
  const to = makeRandomAddress()
  await claim.redeem(to)
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await historyOf(itemId)).toEqual([['MINT', to]])
})

test('a token that arrived in custody is handed over once its arrival is confirmed', async () => {
  const { itemId, contract, sender } = await makeInCustody()
  const slow = { ...testChain.chain, network: { ...testChain.chain.network, confirmations: 3 } }
  const claim = await makeClaim(itemId)
  const to = makeRandomAddress()
  await claim.redeem(to)
  expect(await submitNext(worker(), slow, custodian())).toBe('idle')
  await testChain.node.mine({ blocks: 2 })
  await catchUp()
  expect(await submitNext(worker(), slow, custodian())).toBe('sent')
  await sender.mined()
  expect(await ownerOf(contract)).toBe(to)
})

test('a cancelled purchase puts the token in custody on sale again; a refunded one leaves it in custody', async () => {
  const { itemId, api } = await makeInCustody()
  const listing = await makeListing(organization, { item_id: itemId, price: 1500, currency: 'EUR' })
  const first = await buy(listing.id)
  expect((await cancelPurchase(first.body)).status).toBe(204)
  expect((await call('GET', `/public/v1/listings/${listing.id}`)).body).toMatchObject({
    status: 'ACTIVE',
    quantity_remaining: 1,
    sold_out: false,
  })
  const { body } = await buy(listing.id)
  await pay(body.data)
  await deliverCardEvents()
  const { id } = await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { purchaseIntentId: body.id } })
  expect((await api.delete(`/v1/email-claims/${id}`)).status).toBe(204)
  await deliverCardEvents()
  await deliverCardEvents()
  expect(await readPurchase(body)).toMatchObject({ status: 'REFUNDED' })
  expect(await itemOf(itemId)).toEqual(IN_CUSTODY())
})

test('a claimed token that leaves custody: EXCEPTION or FAILED with the reason; its return restores an open claim', async () => {
  const { itemIds, contract, sender } = await makeInCustody(2)
  const [open, redeemed] = [await makeClaim(itemIds[0]!), await makeClaim(itemIds[1]!)]
  await redeemed.redeem(makeRandomAddress())
  const foreign = privateKeyToAccount(generatePrivateKey())
  await testChain.node.setBalance({ address: foreign.address, value: parseEther('1') })
  for (const id of [1n, 2n])
    await sendAs(testChain.operator, contract, encodeTransfer721(custodian(), foreign.address, id))
  // The chain is ahead of our index, so the hand-over is not decided before the index has caught up.
  expect(await sender.submit()).toBe('idle')
  await catchUp()
  expect(await holdsOf(itemIds[0]!)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['CLAIM', 'EXCEPTION'],
  ])
  expect(
    await organization.ctx.db.alarm.count({
      where: { kind: 'token_gone', subject: { in: itemIds }, resolvedAt: null },
    }),
  ).toBe(2)
  await sender.run()
  expect(await getClaim(organization.ctx, redeemed.id)).toMatchObject({
    active: false,
    inactive_reason: 'REVOKED',
    delivery: { state: 'FAILED', failure: 'The token has another owner.' },
  })
  expect(await holdsOf(itemIds[1]!)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['CLAIM', 'RELEASED'],
  ])
  await expect(open.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'sold_out' })

  for (const id of [1n, 2n]) await sendAs(foreign, contract, encodeTransfer721(foreign.address, custodian(), id))
  await catchUp()
  expect(await itemOf(itemIds[0]!)).toEqual({ ...IN_CUSTODY(), held: 1n })
  expect(await itemOf(itemIds[1]!)).toEqual(IN_CUSTODY())
  expect(await organization.ctx.db.alarm.count({ where: { subject: itemIds[0]!, resolvedAt: null } })).toBe(0)
  moveClock(61_000)
  const to = makeRandomAddress()
  await open.redeem(to)
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
})

test('an approved third party takes the token first: our transfer fails, the claim reopens, then is sold_out', async () => {
  const { itemId, contract, sender, collectionId } = await makeInCustody()
  const thief = privateKeyToAccount(generatePrivateKey())
  await testChain.node.setBalance({ address: thief.address, value: parseEther('1') })
  await sendAs(
    testChain.operator,
    contract,
    encodeFunctionData({ abi: vitrine721Abi, functionName: 'setApprovalForAll', args: [thief.address, true] }),
  )
  const claim = await makeClaim(itemId)
  await claim.redeem(makeRandomAddress())
  await testChain.node.setAutomine(false)
  await sender.submitAll()
  const wallet = createWalletClient({ account: thief, chain: foundry, transport: http(testChain.rpcUrl) })
  await wallet.sendTransaction({
    to: contract,
    data: encodeTransfer721(custodian(), thief.address, 1n),
    gas: 400_000n,
    maxFeePerGas: parseGwei('500'),
    maxPriorityFeePerGas: parseGwei('400'),
  })
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect(await ownerOf(contract)).toBe(thief.address)
  expect((await transactionsOf(collectionId)).at(-1)).toMatchObject({ txType: 'TRANSFER_TOKEN', state: 'COMPLETED' })
  expect(await getClaim(organization.ctx, claim.id)).toMatchObject({
    active: true,
    claimed: false,
    delivery: { state: 'FAILED' },
  })
  await catchUp()
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['CLAIM', 'EXCEPTION'],
  ])
  moveClock(61_000)
  await expect(claim.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'sold_out' })
})

test('a transfer whose nonce was used by a foreign transaction is sent again by the custodian', async () => {
  const { itemId, contract, sender } = await makeInCustody()
  const claim = await makeClaim(itemId)
  const to = makeRandomAddress()
  await claim.redeem(to)
  await testChain.node.setAutomine(false)
  await sender.submitAll()
  const [signed] = await organization.ctx.db.signedTransaction.findMany({
    where: { transaction: { txType: 'TRANSFER_TOKEN' } },
    orderBy: { id: 'desc' },
    take: 1,
  })
  await testChain.node.dropTransaction({ hash: signed!.hash as Hex })
  await sendForgotten(testChain, { to: makeRandomAddress(), nonce: signed!.nonce })
  await testChain.node.mine({ blocks: 1 })
  for (let pass = 0; pass < 3; pass++) await sender.watch()
  await testChain.node.setAutomine(true)
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n, minting: 1n })
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await historyOf(itemId)).toEqual([
    ['MINT', custodian()],
    ['TRANSFER', to],
  ])
})

test('a paid token that leaves custody before delivery is refunded', async () => {
  const { itemId, contract, sender } = await makeInCustody()
  const listing = await makeListing(organization, { item_id: itemId, price: 1500, currency: 'EUR' })
  const { body } = await buy(listing.id, {
    buyer: { email: `${newId()}@example.com`, eth_address: makeRandomAddress() },
  })
  await pay(body.data)
  await deliverCardEvents()
  await sendAs(testChain.operator, contract, encodeTransfer721(custodian(), makeRandomAddress(), 1n))
  await recover(testChain)
  await sender.run()
  await drainJobs()
  await deliverCardEvents()
  await deliverCardEvents()
  expect(await readPurchase(body)).toMatchObject({ status: 'REFUNDED', fulfillment_status: 'EXCEPTION' })
  expect((await holdsOf(itemId)).filter(([, state]) => state === 'HELD' || state === 'EXCEPTION')).toEqual([])
})

test('only the custodian sends a token; without its key new commitments are refused and pending ones wait', async () => {
  const { itemId: uncommitted, itemIds } = await makeInCustody(3)
  const free = await makeListing(organization, {
    item_id: itemIds[1],
    ...FREE_PRICE,
    payment_providers: ['ORGANIZATION'],
  })
  const open = await makeClaim(itemIds[2]!)
  const { itemId, contract, sender, collectionId, api } = await makeInCustody()
  const otherKey = generatePrivateKey()
  const other = privateKeyToAccount(otherKey)
  await testChain.node.setBalance({ address: other.address, value: parseEther('100') })
  const claim = await makeClaim(itemId)
  const to = makeRandomAddress()
  await claim.redeem(to)
  const both = ports().keys
  // The old key is removed from the settings, as after a restart.
  replacePorts({ keys: envKeyring([otherKey], keyFor('voucher-signer')) })
  try {
    await rememberOperators(worker(), testChain.chain)
    await catchUp()
    expect(await submitNext(worker(), testChain.chain, other.address)).toBe('idle')
    expect((await transactionsOf(collectionId)).at(-1)).toMatchObject({
      txType: 'TRANSFER_TOKEN',
      state: 'PENDING',
      operator: null,
    })
    expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n, minting: 1n })
    for (const [path, more] of [
      ['/v1/email-claims', { email: 'a@example.com' }],
      ['/v1/mint-requests', { to_address: to }],
      ['/v1/listings', { quantity_listed: 1, ...FREE_PRICE, payment_providers: ['ORGANIZATION'] }],
    ] as const) {
      const answer = await api.post(path, { item_id: uncommitted, ...more })
      expect([answer.status, answer.body.code], path).toEqual([409, 'operator_gone'])
    }
    expect(await itemOf(uncommitted)).toEqual(IN_CUSTODY())
    const buyer = await buy(free.id, { buyer: { eth_address: to } })
    expect([buyer.status, buyer.body.code]).toEqual([409, 'operator_gone'])
    const again = await openClaim(await getClaim(organization.ctx, open.id))
    await expect(again.redeem(to)).rejects.toMatchObject({ code: 'operator_gone' })
  } finally {
    replacePorts({ keys: both })
  }
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
})

test('a committed token moved to another operator of ours is handed over by that operator', async () => {
  const { itemId, contract, collectionId, sender } = await makeInCustody()
  const claim = await makeClaim(itemId)
  const to = makeRandomAddress()
  await claim.redeem(to)
  const nextKey = generatePrivateKey()
  const next = privateKeyToAccount(nextKey)
  await testChain.node.setBalance({ address: next.address, value: parseEther('100') })
  const before = ports().keys
  replacePorts({ keys: envKeyring([nextKey], keyFor('voucher-signer')) })
  try {
    await rememberOperators(worker(), testChain.chain)
    await sendAs(testChain.operator, contract, encodeTransfer721(custodian(), next.address, 1n))
    await catchUp()
    expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n, minting: 1n, custodian: next.address })
    expect(await submitNext(worker(), testChain.chain, next.address)).toBe('sent')
    await sender.mined()
    await sender.watch()
    await catchUp()
  } finally {
    replacePorts({ keys: before })
  }
  expect(await ownerOf(contract)).toBe(to)
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  expect((await transactionsOf(collectionId)).at(-1)).toMatchObject({
    txType: 'TRANSFER_TOKEN',
    state: 'COMPLETED',
    operator: next.address,
  })
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('CONFIRMED')
})

test('a refund cancels the pending transfer of a custodian whose key is gone', async () => {
  const { itemId, collectionId, sender, api } = await makeInCustody()
  const listing = await makeListing(organization, { item_id: itemId, price: 1500, currency: 'EUR' })
  const { body } = await buy(listing.id, {
    buyer: { email: `${newId()}@example.com`, eth_address: makeRandomAddress() },
  })
  await pay(body.data)
  await deliverCardEvents()
  const before = ports().keys
  const otherKey = generatePrivateKey()
  replacePorts({ keys: envKeyring([otherKey], keyFor('voucher-signer')) })
  try {
    expect((await api.post(`/v1/purchase-intents/${body.id}/refund`)).status).toBe(200)
    await deliverCardEvents()
    await deliverCardEvents()
    expect(await readPurchase(body)).toMatchObject({ status: 'REFUNDED' })
    expect(await submitNext(worker(), testChain.chain, privateKeyToAccount(otherKey).address)).toBe('changed')
  } finally {
    replacePorts({ keys: before })
  }
  expect((await transactionsOf(collectionId)).at(-1)).toMatchObject({ txType: 'TRANSFER_TOKEN', state: 'CANCELLED' })
  expect(await itemOf(itemId)).toEqual(IN_CUSTODY())
  await sender.run()
})

test('a token of an address that later becomes our operator is then in custody', async () => {
  const { itemIds, sender, api } = await makeOnChainCollection(organization, testChain)
  const laterKey = generatePrivateKey()
  const later = privateKeyToAccount(laterKey)
  await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: later.address })
  await sender.run()
  await catchUp()
  expect(await itemOf(itemIds[0]!)).toEqual(HANDED_OVER)
  const before = ports().keys
  replacePorts({ keys: envKeyring([testChain.operatorKey, laterKey], keyFor('voucher-signer')) })
  try {
    await rememberOperators(worker(), testChain.chain)
    await rememberOperators(worker(), testChain.chain)
    expect(await itemOf(itemIds[0]!)).toEqual({ ...HANDED_OVER, custodian: later.address })
    expect((await api.post('/v1/email-claims', { email: 'a@example.com', item_id: itemIds[0] })).status).toBe(201)
  } finally {
    replacePorts({ keys: before })
  }
})

test('a soulbound token minted to our operator is not in custody and cannot be given', async () => {
  const { itemId, api } = await makeInCustody(1, { soulbound: true })
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  expect((await api.post('/v1/email-claims', { email: 'a@example.com', item_id: itemId })).body.code).toBe('sold_out')
})

test('rebuilt projections are the same, with tokens in custody, claimed, listed and being transferred', async () => {
  const { itemIds, collectionId, sender, api } = await makeInCustody(4)
  const delivered = await makeClaim(itemIds[0]!)
  await delivered.redeem(makeRandomAddress())
  await sender.run()
  await catchUp()
  await makeClaim(itemIds[1]!)
  const waiting = await makeClaim(itemIds[2]!)
  await waiting.redeem(makeRandomAddress())
  const listing = (
    await api.post('/v1/listings', {
      item_id: itemIds[3],
      quantity_listed: 1,
      payment_providers: ['ORGANIZATION'],
      ...FREE_PRICE,
    })
  ).body
  const everything = async () =>
    JSON.stringify(
      [
        await organization.ctx.db.item.findMany({
          where: { collectionId },
          orderBy: { id: 'asc' },
          select: { id: true, minted: true, burned: true, held: true, minting: true, custodian: true },
        }),
        await organization.ctx.db.hold.findMany({
          where: { collectionId },
          orderBy: { id: 'asc' },
          select: { id: true, state: true, quantity: true, holderId: true },
        }),
        await organization.ctx.db.itemHistory.findMany({ where: { collectionId }, orderBy: { id: 'asc' } }),
        await organization.ctx.db.itemOwner.findMany({
          where: { item: { collectionId } },
          orderBy: [{ itemId: 'asc' }, { address: 'asc' }],
        }),
        await organization.ctx.db.alarm.count({ where: { subject: { in: itemIds } } }),
      ],
      (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    )
  const before = await everything()
  await rebuildProjections(worker(), collectionId)
  expect(await everything()).toBe(before)
  expect((await call('GET', `/public/v1/listings/${listing.id}`)).body.status).toBe('ACTIVE')
})

test('a transfer cancelled before or after sending leaves the token in custody', async () => {
  const { itemIds, api, sender, contract } = await makeInCustody(2)
  const requestTransfer = async (item_id: string) =>
    (await api.post('/v1/mint-requests', { item_id, to_address: makeRandomAddress() })).body.mint_requests[0]
      .transaction_id as string
  const waiting = await requestTransfer(itemIds[0]!)
  expect((await api.post(`/v1/transactions/${waiting}/cancel`)).body.state).toBe('CANCELLED')
  expect(await itemOf(itemIds[0]!)).toEqual(IN_CUSTODY())
  await testChain.node.setAutomine(false)
  const sent = await requestTransfer(itemIds[1]!)
  await sender.submitAll()
  await api.post(`/v1/transactions/${sent}/cancel`)
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect((await api.get(`/v1/transactions/${sent}`)).body.state).toBe('CANCELLED')
  expect(await itemOf(itemIds[1]!)).toEqual(IN_CUSTODY())
  expect(await ownerOf(contract, 2n)).toBe(custodian())
})
