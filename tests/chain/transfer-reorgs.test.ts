import { FREE_PRICE } from '../support/selling.ts'
import { expect, test } from 'vitest'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { call } from '../support/call.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import {
  catchUp,
  custodian,
  HANDED_OVER,
  historyOf,
  holdsOf,
  itemOf,
  makeClaim,
  makeInCustody,
  organization,
  ownerOf,
  reorg,
  setUpCustody,
  testChain,
  transactionsOf,
  worker,
  IN_CUSTODY,
} from '../support/custody.ts'

setUpCustody()

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

test('a mint to custody that a reorg undoes and that is then cancelled leaves the claim to mint the token instead', async () => {
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
  await testChain.node.mine({ blocks: 1 })
  await catchUp()
  expect(await submitNext(worker(), slow, custodian())).toBe('idle')
  await testChain.node.mine({ blocks: 1 })
  await catchUp()
  expect(await submitNext(worker(), slow, custodian())).toBe('sent')
  await sender.mined()
  expect(await ownerOf(contract)).toBe(to)
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
