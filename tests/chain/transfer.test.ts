import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { encodeAdminMint721, encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import { ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { newId } from '../../lib/core/id.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { call } from '../support/call.ts'
import { makeRandomAddress } from '../support/claims.ts'
import {
  buy,
  deliverCardEvents,
  cancelPurchase,
  makeListing,
  pay,
  readPurchase,
  FREE_PRICE,
} from '../support/selling.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import {
  catchUp,
  custodian,
  HANDED_OVER,
  historyOf,
  holdsOf,
  IN_CUSTODY,
  itemOf,
  makeClaim,
  makeInCustody,
  openClaim,
  organization,
  ownerOf,
  sendAs,
  setUpCustody,
  testChain,
  transactionsOf,
  worker,
} from '../support/custody.ts'

setUpCustody()

test('a token in custody whose receiver refuses, which nobody asked while no node answered, stays and is claimed again', async () => {
  const { itemId, contract, sender } = await makeInCustody()
  const code = () => Promise.reject(new ChainUnavailable('No node answers.'))
  replacePorts({ chains: new Map([[31337, { ...testChain.chain, code }]]) })
  const silent = await makeClaim(itemId)
  expect(await silent.redeem(testChain.contracts.factory)).toEqual({ status: 'CLAIMED', voucher: null })
  replacePorts({ chains: new Map([[31337, testChain.chain]]) })
  await sender.run()
  expect(await ownerOf(contract)).toBe(custodian())
  const { state } = await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id: silent.id } })
  expect(state).toBe('OPEN')
  const { claim_url } = await resendClaim(organization.ctx, silent.id, {})
  const to = makeRandomAddress()
  moveClock(61_000)
  await (await openClaim({ ...silent, claim_url })).redeem(to)
  await sender.run()
  expect(await ownerOf(contract)).toBe(to)
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

test('three claims at once for one token in custody end as one claim and two sold_out', async () => {
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
