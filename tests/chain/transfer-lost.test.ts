import { createWalletClient, encodeFunctionData, http, parseEther, parseGwei, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { rememberOperators } from '../../lib/onchain/indexer/remember-operators.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { recover, sendForgotten } from '../support/by-hand.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { buy, deliverCardEvents, makeListing, pay, readPurchase, FREE_PRICE } from '../support/selling.ts'
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

test('an approved third party takes the token first: our transfer fails, and the claim ends', async () => {
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
  // The contract says that the token left the operator: who took it is in the index.
  await catchUp()
  await sender.watch()
  expect(await ownerOf(contract)).toBe(thief.address)
  expect((await transactionsOf(collectionId)).at(-1)).toMatchObject({ txType: 'TRANSFER_TOKEN', state: 'COMPLETED' })
  expect(await getClaim(organization.ctx, claim.id)).toMatchObject({
    active: false,
    claimed: false,
    delivery: { state: 'FAILED' },
  })
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['CLAIM', 'RELEASED'],
  ])
  await expect(claim.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'claim_not_active' })
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
