import { declineClaim } from '../../lib/giving/decline-claim.ts'
import { encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { expireTransfers } from '../../lib/onchain/transfers/expire-transfers.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { expect, test } from 'vitest'
import { parseEther } from 'viem'
import { asOwner } from '../support/as-owner.ts'
import { makeRandomAddress } from '../support/claims.ts'
import {
  catchUp,
  custodian,
  holdsOf,
  IN_CUSTODY,
  itemOf,
  ownerOf,
  reorg,
  sendAs,
  setUpCustody,
  testChain,
  worker,
} from '../support/custody.ts'
import { getTransfer, relayElsewhere, secondsAhead } from '../support/held-tokens.ts'
import {
  alarmsOf,
  claimOf,
  handedOver,
  mailsTo,
  makeOffered,
  makeSent,
  passTime,
  settle,
  setUpEscrow,
  stateOf,
} from '../support/escrow.ts'

setUpCustody()

setUpEscrow()

test('the recipient declines it: it goes back, and a reorg of the return makes it again from the stored bytes', async () => {
  const { id, holder, contract, collectionId, sender, claim } = await makeOffered()
  await sendPin(claim.ctx)
  await declineClaim(claim.ctx, { pin: await claim.pin() })
  await testChain.node.mine({ blocks: 3 })
  await catchUp()
  expect(await settle()).toBe(1)
  await sender.run()
  await catchUp()
  expect(await stateOf(id)).toBe('RETURNED')
  await testChain.node.setAutomine(false)
  await reorg(1)
  await sender.watch()
  await catchUp()
  expect(await stateOf(id)).toBe('RETURNING')
  expect(await settle()).toBe(0)
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  await catchUp()
  expect(await stateOf(id)).toBe('RETURNED')
  expect(await ownerOf(contract)).toBe(holder.address)
  expect(await handedOver(collectionId)).toEqual(['COMPLETED'])
})

test('a reorg takes the arrival away: nothing can be redeemed until it is there again', async () => {
  const sent = await makeSent({ deadline: secondsAhead(86_000) })
  const { id, itemId, sender, contract } = sent
  await testChain.node.mine({ blocks: 2 })
  await sender.run()
  await catchUp()
  expect(await settle()).toBe(1)
  const claim = await claimOf(sent)
  await testChain.node.setAutomine(false)
  await reorg(1)
  await sender.watch()
  await catchUp()
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['CLAIM', 'EXCEPTION'],
  ])
  await sendPin(claim.ctx)
  const pin = await claim.pin()
  const to = makeRandomAddress()
  const redeem = () => redeemClaim(claim.ctx, { pin, address: to })
  await expect(redeem()).rejects.toMatchObject({ code: 'unavailable' })
  expect(await settle()).toBe(0)
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  await catchUp()
  expect(await holdsOf(itemId)).toContainEqual(['CLAIM', 'HELD'])
  expect(await alarmsOf('token_gone', itemId)).toBe(0)
  await redeem()
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await stateOf(id)).toBe('TAKEN')
  expect(await mailsTo(sent.email)).toBe(3)
})

test('a reorg takes the arrival away after it was redeemed: the delivery waits, and arrives after it', async () => {
  const sent = await makeSent({ deadline: secondsAhead(86_000) })
  const { id, itemId, sender, contract, collectionId } = sent
  await testChain.node.mine({ blocks: 2 })
  await sender.run()
  await catchUp()
  expect(await settle()).toBe(1)
  const claim = await claimOf(sent)
  const to = makeRandomAddress()
  await claim.redeem(to)
  await testChain.node.setAutomine(false)
  await reorg(1)
  await catchUp()
  expect((await itemOf(itemId)).custodian).toBeNull()
  // Neither sent nor given up.
  expect(await sender.submit()).toBe('idle')
  expect(await handedOver(collectionId)).toEqual(['PENDING'])
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  await catchUp()
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await stateOf(id)).toBe('TAKEN')
  expect(await handedOver(collectionId)).toEqual(['COMPLETED'])
})

test('a reorg takes the arrival away for good: escrow and claim end, and the holder has the token', async () => {
  const sent = await makeSent()
  const { id, itemId, sender, contract, holder } = sent
  await testChain.node.setBalance({ address: holder.address, value: parseEther('1') })
  await testChain.node.mine({ blocks: 2 })
  await sender.run()
  await catchUp()
  expect(await settle()).toBe(1)
  const claim = await claimOf(sent)
  await reorg(1)
  const elsewhere = makeRandomAddress()
  await sendAs(holder, contract, encodeTransfer721(holder.address, elsewhere, 1n))
  await catchUp()
  await sender.watch()
  await sender.mined()
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await catchUp()
  await sender.watch()
  expect(await settle()).toBe(0)
  await passTime(600 + 3700)
  expect(await settle()).toBe(1)
  expect(await getTransfer(id)).toMatchObject({ state: 'FAILED', escrow: { state: 'ENDED' } })
  expect(await holdsOf(itemId)).toContainEqual(['CLAIM', 'RELEASED'])
  await expect(claim.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'claim_not_active' })
  expect(await ownerOf(contract)).toBe(elsewhere)
  expect(await alarmsOf('token_gone', itemId)).toBe(0)
})

test('a transfer that fails: its escrow ends after its deadline, and nobody is mailed', async () => {
  const { id, email, sender } = await makeSent({ deadline: secondsAhead(120) })
  const { address } = testChain.operator
  const balance = await testChain.client.getBalance({ address })
  await testChain.node.setBalance({ address, value: 1n })
  expect(await sender.submit()).toBe('short')
  await passTime(180)
  expect(await settle()).toBe(0)
  expect(await expireTransfers(worker(), testChain.chain)).toBe(1)
  expect(await stateOf(id)).toBe('ENDED')
  await passTime(3700)
  expect(await settle()).toBe(1)
  expect(await settle()).toBe(0)
  expect(await stateOf(id)).toBe('ENDED')
  expect(await mailsTo(email)).toBe(0)
  await testChain.node.setBalance({ address, value: balance })
})

test('another relayer sends it: the same escrow', async () => {
  const { id, itemId, contract, data, sender } = await makeSent()
  await relayElsewhere(contract, data)
  await sender.mined()
  await catchUp()
  expect(await holdsOf(itemId)).toContainEqual(['ESCROW', 'HELD'])
  await sender.run()
  expect(await getTransfer(id)).toMatchObject({ state: 'COMPLETED', escrow: { state: 'HELD' } })
  expect(await settle()).toBe(1)
})

test('the holder sends the token himself while the transfer waits: it is held for the mailbox all the same', async () => {
  const { id, itemId, contract, holder, sender } = await makeSent()
  await testChain.node.setBalance({ address: holder.address, value: parseEther('1') })
  await sendAs(holder, contract, encodeTransfer721(holder.address, custodian(), 1n))
  await catchUp()
  expect(await holdsOf(itemId)).toContainEqual(['ESCROW', 'HELD'])
  await sender.run()
  expect(await getTransfer(id)).toMatchObject({ state: 'FAILED', escrow: { state: 'HELD' } })
  expect(await settle()).toBe(1)
})

test('a database that refuses the hold: the token isn’t entered as in custody either', async () => {
  const { itemId, collectionId, sender } = await makeSent()
  await asOwner(
    `ALTER TABLE holds ADD CONSTRAINT none_in_escrow CHECK (collection_id <> '${collectionId}' OR holder_type::text <> 'ESCROW') NOT VALID`,
  )
  await sender.run()
  await catchUp()
  expect((await itemOf(itemId)).custodian).toBeNull()
  await asOwner('ALTER TABLE holds DROP CONSTRAINT none_in_escrow')
  await catchUp()
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
  expect(await settle()).toBe(1)
})
