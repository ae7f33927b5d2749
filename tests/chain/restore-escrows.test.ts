import { beforeEach, expect, test } from 'vitest'
import { moveClock, now } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { declineClaim } from '../../lib/giving/decline-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { settleEscrows } from '../../lib/giving/settle-escrows.ts'
import { nameMailbox } from '../../lib/onchain/escrows/name-mailbox.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { decideArrivals } from '../../lib/onchain/recovery/decide-arrivals.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { putBackupBack, takeBackup } from '../support/backup.ts'
import { recover, sendForgotten } from '../support/by-hand.ts'
import { call } from '../support/call.ts'
import { makeRandomAddress } from '../support/claims.ts'
import {
  catchUp,
  custodian,
  HANDED_OVER,
  holdsOf,
  IN_CUSTODY,
  itemOf,
  mailbox,
  openClaim,
  organization,
  ownerOf,
  reorg,
  setUpCustody,
  testChain,
  worker,
} from '../support/custody.ts'
import { catchUpWith } from '../support/indexing.ts'
import { accepted, anyone, getTransfer, makeHeld, relayElsewhere, signedBody } from '../support/held-tokens.ts'
import { encodeTransfer721 } from '../../lib/core/contracts/calls.ts'

setUpCustody()

/** A test that moves the clock moves the chain, which doesn't go back. */
beforeEach(async () => {
  const { timestamp } = await testChain.client.getBlock()
  moveClock(Math.max(0, Number(timestamp) * 1000 - Date.now()))
})

const settle = () => settleEscrows(worker(), testChain.chain)
const newMailbox = () => `${newId()}@example.com`
const openAlarms = async (subject: string) =>
  (await worker().db.alarm.findMany({ where: { subject, resolvedAt: null } })).map(({ kind }) => kind)
const claimsOf = async (email: string) =>
  (await call('GET', `/v1/email-claims?email=${email}`, { key: organization.key })).body.results
const escrowOf = (itemId: string) => organization.ctx.db.escrow.findFirstOrThrow({ where: { itemId } })

/** A holder's token, which he sends to a mailbox after the backup was taken. */
async function makeLost() {
  const held = await makeHeld()
  await takeBackup()
  const email = newMailbox()
  const { body } = await signedBody(held, { to: custodian() })
  const sent = await accepted({ ...body, email })
  await held.sender.run()
  await putBackupBack()
  return { ...held, email, lostId: sent.id as string, itemId: held.itemIds[0]! }
}

test('a token that a holder sent to a mailbox since the backup is nobody else’s, and its sender gets it back', async () => {
  const { itemId, contract, holder, api, lostId, sender, collectionId } = await makeLost()
  expect((await anyone.get(`/public/v1/transfers/${lostId}`)).status).toBe(404)
  // From the first moment, while nobody has looked who sent it.
  await catchUp()
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
  const take = () => api.post('/v1/mint-requests', { item_id: itemId, to_address: makeRandomAddress() })
  expect((await take()).status).toBe(409)
  await recover(testChain)
  await recover(testChain)
  const { id, email, fromAddress } = await escrowOf(itemId)
  expect([email, fromAddress]).toEqual([null, holder.address])
  expect(await getTransfer(id)).toMatchObject({ state: 'COMPLETED', escrow: { state: 'HELD', held_until: null } })
  expect(await openAlarms(id)).toEqual(['mailbox_lost'])
  expect((await take()).body.code).toBe('in_escrow')
  expect((await api.post('/v1/email-claims', { item_id: itemId, email: newMailbox() })).body.code).toBe('in_escrow')
  expect(await settle()).toBe(0)
  await rebuildProjections(worker(), collectionId)
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })

  expect((await api.post(`/v1/transfers/${id}/return`, {})).status).toBe(200)
  expect((await api.post(`/v1/transfers/${id}/return`, {})).body.code).toBe('conflict')
  expect(await openAlarms(id)).toEqual([])
  expect(await settle()).toBe(1)
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(holder.address)
  expect((await escrowOf(itemId)).state).toBe('RETURNED')
})

test('its mailbox is offered the token once a person names it, and takes it', async () => {
  const { itemId, contract, email, sender } = await makeLost()
  await recover(testChain)
  await recover(testChain)
  const { id } = await escrowOf(itemId)
  await nameMailbox(worker(), id, email)
  await expect(nameMailbox(worker(), id, newMailbox())).rejects.toMatchObject({ code: 'conflict' })
  expect(await openAlarms(id)).toEqual([])
  expect(await settle()).toBe(1)
  const [{ id: claimId, claim_url }] = await claimsOf(email)
  const claim = await openClaim({ id: claimId, claim_url, email })
  // What was handed over before the token came here isn't this claim's.
  await recover(testChain)
  const to = makeRandomAddress()
  await claim.redeem(to)
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(to)
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  expect((await escrowOf(itemId)).state).toBe('TAKEN')
})

test('what no node tells who sent it is held until one does, and then in custody where somebody else sent it', async () => {
  const held = await makeHeld()
  const itemId = held.itemIds[0]!
  const { data } = await signedBody(held, { to: custodian() })
  await relayElsewhere(held.contract, data)
  const { chain } = testChain
  const silent: Chain = {
    ...chain,
    forward: (method, params) =>
      method === 'eth_getTransactionByHash' ? Promise.resolve({ result: null }) : chain.forward(method, params),
  }
  await catchUpWith(silent)
  expect(await holdsOf(itemId)).toContainEqual(['ARRIVAL', 'HELD'])
  await decideArrivals(worker(), silent)
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
  moveClock(now().getTime() - Date.now() + 600_000)
  await decideArrivals(worker(), chain)
  expect(await itemOf(itemId)).toEqual(IN_CUSTODY())
  expect(await organization.ctx.db.escrow.count({ where: { itemId } })).toBe(0)
})

test('a reorg takes an unknown arrival away: nothing is held until it comes again', async () => {
  const held = await makeHeld()
  const itemId = held.itemIds[0]!
  const { data } = await signedBody(held, { to: custodian() })
  await testChain.node.mine({ blocks: 2 })
  await sendForgotten(testChain, { to: held.contract, data })
  await catchUp()
  expect(await holdsOf(itemId)).toContainEqual(['ARRIVAL', 'HELD'])
  await reorg(1)
  await testChain.node.mine({ blocks: 2 })
  await catchUp()
  expect(await openAlarms(itemId)).toEqual([])
  const isBack = (await ownerOf(held.contract)) === held.holder.address
  expect((await itemOf(itemId)).held).toBe(isBack ? 0n : 1n)
})

/** The token of a claim that was offered before the backup. */
async function makeOffered() {
  const held = await makeHeld()
  const email = newMailbox()
  const { body } = await signedBody(held, { to: custodian() })
  const sent = await accepted({ ...body, email })
  await held.sender.run()
  await catchUp()
  return { ...held, email, id: sent.id as string, itemId: held.itemIds[0]! }
}

test('a token in escrow that went back to its sender since the backup was returned, and nobody is told that it is theirs', async () => {
  const { id, email, itemId, contract, holder, sender } = await makeOffered()
  expect(await settle()).toBe(1)
  const [{ id: claimId, claim_url }] = await claimsOf(email)
  await takeBackup()
  const claim = await openClaim({ id: claimId, claim_url, email })
  await sendPin(claim.ctx)
  await declineClaim(claim.ctx, { pin: await mailbox.pinOf(email) })
  expect(await settle()).toBe(1)
  await sender.run()
  expect(await ownerOf(contract)).toBe(holder.address)
  await putBackupBack()
  const mails = () => systemClient().outboxMessage.count({ where: { toEmail: email } })
  const before = await mails()
  await recover(testChain)
  await recover(testChain)
  expect((await getTransfer(id)).escrow.state).toBe('RETURNED')
  expect(await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id: claimId } })).toMatchObject({
    state: 'REVOKED',
    claimedAt: null,
  })
  expect(await mails()).toBe(before)
  expect(await systemClient().event.count({ where: { key: claimId, type: 'claim.delivered' } })).toBe(0)
  expect(await openAlarms(itemId)).toEqual([])
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
})

test('a token in escrow that was taken since the backup, by a claim that was lost, was taken', async () => {
  const { id, email, itemId, contract, sender } = await makeOffered()
  await takeBackup()
  expect(await settle()).toBe(1)
  const [{ id: claimId, claim_url }] = await claimsOf(email)
  const to = makeRandomAddress()
  await (await openClaim({ id: claimId, claim_url, email })).redeem(to)
  await sender.run()
  expect(await ownerOf(contract)).toBe(to)
  await putBackupBack()
  await recover(testChain)
  await recover(testChain)
  expect((await getTransfer(id)).escrow.state).toBe('TAKEN')
  expect(await settle()).toBe(0)
  expect(await openAlarms(itemId)).toEqual([])
})

test('a token whose mailbox was lost and that we handed over since the backup ends as taken, without an alarm', async () => {
  const { itemId, contract } = await makeLost()
  await catchUp()
  await sendForgotten(testChain, { to: contract, data: encodeTransfer721(custodian(), makeRandomAddress(), 1n) })
  await catchUp()
  for (let round = 0; round < 3; round++) await recover(testChain)
  const { id, state } = await escrowOf(itemId)
  expect(state).toBe('TAKEN')
  expect([...(await openAlarms(id)), ...(await openAlarms(itemId))]).toEqual([])
})

test('the alarm about a token that was gone ends once no promise is broken by it', async () => {
  const { itemId, contract } = await makeOffered()
  expect(await settle()).toBe(1)
  await sendForgotten(testChain, {
    to: contract,
    data: encodeTransfer721(custodian(), makeRandomAddress(), 1n),
  })
  await catchUp()
  expect(await openAlarms(itemId)).toEqual(['token_gone'])
  await recover(testChain)
  await recover(testChain)
  expect(await openAlarms(itemId)).toEqual([])
})
