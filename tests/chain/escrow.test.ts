import { newId } from '../../lib/core/id.ts'
import { now } from '../../lib/core/clock.ts'
import { isEscrowRefused } from '../../lib/db/errors.ts'
import { declineClaim } from '../../lib/giving/decline-claim.ts'
import { expireClaims } from '../../lib/giving/expire-claims.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { verifyBooks } from '../../lib/data/reconciliation/verify-books.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { rememberOperators } from '../../lib/onchain/indexer/remember-operators.ts'
import { decideArrivals } from '../../lib/onchain/recovery/decide-arrivals.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { expect, test } from 'vitest'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
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
  setUpCustody,
  testChain,
  worker,
} from '../support/custody.ts'
import { accepted, getTransfer, makeHeld, postTransfer, relayElsewhere, signedBody } from '../support/held-tokens.ts'
import { FREE_PRICE } from '../support/selling.ts'
import {
  alarmsOf,
  claimOf,
  DAY_MS,
  handedOver,
  mailsTo,
  makeArrived,
  makeOffered,
  makeSent,
  newMailbox,
  passTime,
  settle,
  setUpEscrow,
  signedFor,
  stateOf,
} from '../support/escrow.ts'

setUpCustody()

setUpEscrow()

test('a token that a holder sends to a mailbox is held from its arrival, and its recipient takes it', async () => {
  const sent = await makeSent()
  const { id, email, body, itemId, sender } = sent
  expect(await stateOf(id)).toBe('WAITING')
  expect(await accepted(body)).toMatchObject({ id })
  expect((await postTransfer({ ...body, email: newMailbox() })).body.code).toBe('transfer_exists')
  await sender.run()
  await catchUp()
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
  expect(await holdsOf(itemId)).toEqual([
    ['MINT_REQUEST', 'CONSUMED'],
    ['ESCROW', 'HELD'],
  ])
  await rebuildProjections(worker(), sent.collectionId)
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
  expect((await getTransfer(id)).escrow).toEqual({ state: 'HELD', held_until: null, failure: null })
  expect(await mailsTo(email)).toBe(0)
  expect(await settle()).toBe(1)
  expect(await settle()).toBe(0)
  expect(await mailsTo(email)).toBe(1)
  await mailbox.deliver(email)
  expect(mailbox.mailsTo(email)[0]?.text).toContain('Somebody who had it before sends it to you')
  const shown = await getTransfer(id)
  expect(shown.escrow).toMatchObject({ state: 'HELD', failure: null })
  expect(Date.parse(shown.escrow.held_until) - now().getTime()).toBeGreaterThan(29 * DAY_MS)
  const claim = await claimOf(sent)
  expect(claim.transferId).toBe(id)
  const to = makeRandomAddress()
  await claim.redeem(to)
  await sender.run()
  await catchUp()
  expect(await ownerOf(sent.contract)).toBe(to)
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  const taken = await getTransfer(id)
  expect(taken.escrow.state).toBe('TAKEN')
  expect(JSON.stringify(taken)).not.toContain(email)
  expect(JSON.stringify(taken)).not.toContain(to)
})

test('the organization can neither offer, send nor take back a token in escrow, nor redirect it', async () => {
  const { itemId, collectionId, claim, api } = await makeOffered()
  const refusals = [
    await api.post('/v1/listings', {
      item_id: itemId,
      quantity_listed: 1,
      payment_providers: ['ORGANIZATION'],
      ...FREE_PRICE,
    }),
    await api.post('/v1/email-claims', { item_id: itemId, email: newMailbox() }),
    await api.post('/v1/mint-requests', { item_id: itemId, to_address: makeRandomAddress() }),
    await api.delete(`/v1/email-claims/${claim.id}`),
    await api.post(`/v1/email-claims/${claim.id}/resend`, { email: newMailbox() }),
  ]
  expect(refusals.map(({ status, body }) => [status, body?.code])).toEqual(refusals.map(() => [409, 'in_escrow']))
  expect((await api.post(`/v1/email-claims/${claim.id}/resend`, {})).status).toBe(200)
  expect((await api.delete(`/v1/items/${itemId}`)).body.code).toBe('item_already_locked')
  expect((await api.delete(`/v1/collections/${collectionId}`)).body.code).toBe('collection_in_use')
  expect((await api.post(`/v1/transfers/${claim.transferId}/return`, {})).body.code).toBe('conflict')
})

test('the database itself refuses every other hold, listing, claim and mint request of a token in escrow', async () => {
  const { itemId, collectionId, claim } = await makeOffered()
  const { db } = organization.ctx
  const own = () => ({ id: newId(), organizationId: organization.id, collectionId, itemId })
  const hold = await db.hold.findFirstOrThrow({ where: { itemId, state: 'HELD' } })
  expect([hold.holderType, hold.holderId]).toEqual(['CLAIM', claim.id])
  const transaction = await db.transaction.findFirstOrThrow({ where: { collectionId } })
  const where = { id: hold.id }
  const attempts: Record<string, () => Promise<unknown>> = {
    'a hold': () => db.hold.create({ data: { ...own(), holderType: 'LISTING', holderId: newId(), quantity: 1n } }),
    'a listing': () =>
      db.listing.create({
        data: {
          ...own(),
          mode: 'TEST',
          status: 'DRAFT',
          networkId: 31337,
          quantityListed: 1n,
          price: 0,
          currency: 'ETH',
          currencyDecimals: 18,
          paymentProviders: ['ORGANIZATION'],
        },
      }),
    'a claim': () => db.emailClaim.create({ data: { ...own(), email: newMailbox(), quantity: 1n, txPayer: 'SELLER' } }),
    'a mint request': () =>
      db.mintRequest.create({
        data: {
          ...own(),
          transactionId: transaction.id,
          toAddress: makeRandomAddress(),
          quantity: 1n,
          requestNumber: 999n,
        },
      }),
    'its hold’s release': () => db.hold.updateMany({ where, data: { state: 'RELEASED' } }),
    'its hold’s passing to a listing': () =>
      db.hold.updateMany({ where, data: { holderType: 'LISTING', holderId: newId() } }),
    'its hold’s passing to another claim': () => db.hold.updateMany({ where, data: { holderId: newId() } }),
    'its hold’s deletion': () => db.hold.deleteMany({ where }),
    'another mailbox': () => db.emailClaim.updateMany({ where: { id: claim.id }, data: { email: newMailbox() } }),
    'a claim without escrow': () => db.emailClaim.updateMany({ where: { id: claim.id }, data: { escrowId: null } }),
    'the claim’s deletion': () => db.emailClaim.deleteMany({ where: { id: claim.id } }),
  }
  for (const [what, attempt] of Object.entries(attempts)) {
    const error = await attempt().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(isEscrowRefused(error), `${what}: ${String(error)}`).toBe(true)
  }
})

test('nobody takes it within 30 days: it goes back to its sender, once', async () => {
  const { id, itemId, holder, contract, collectionId, sender, claim } = await makeOffered()
  await passTime(31 * 86_400)
  await Promise.all([expireClaims(worker()), expireClaims(worker())])
  expect(await stateOf(id)).toBe('RETURNING')
  expect(await holdsOf(itemId)).toContainEqual(['ESCROW', 'HELD'])
  await Promise.all([settle(), settle()])
  expect(await settle()).toBe(0)
  await sender.run()
  await catchUp()
  expect(await ownerOf(contract)).toBe(holder.address)
  expect(await stateOf(id)).toBe('RETURNED')
  expect(await handedOver(collectionId)).toEqual(['COMPLETED'])
  expect(await itemOf(itemId)).toEqual(HANDED_OVER)
  await expect(claim.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'claim_not_active' })
})

test('a sender’s address that refuses its token raises an alarm, and is tried again only on request', async () => {
  const { id, itemId, holder, contract, sender, claim, api } = await makeOffered()
  await sendPin(claim.ctx)
  await declineClaim(claim.ctx, { pin: await claim.pin() })
  // It reverts whatever it is called with.
  await testChain.node.setCode({ address: holder.address, bytecode: '0x5f5ffd' })
  expect(await settle()).toBe(1)
  await sender.run()
  expect((await getTransfer(id)).escrow).toMatchObject({ state: 'RETURN_REFUSED', failure: expect.any(String) })
  expect(await alarmsOf('return_refused', id)).toBe(1)
  expect(await settle()).toBe(0)
  expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n })
  const again = () => api.post(`/v1/transfers/${id}/return`, {})
  expect((await again()).body.escrow).toMatchObject({ state: 'RETURNING', failure: null })
  expect(await settle()).toBe(1)
  await sender.run()
  expect(await stateOf(id)).toBe('RETURN_REFUSED')
  await testChain.node.setCode({ address: holder.address, bytecode: '0x' })
  await again()
  expect(await settle()).toBe(1)
  await sender.run()
  await catchUp()
  expect(await stateOf(id)).toBe('RETURNED')
  expect(await alarmsOf('return_refused', id)).toBe(0)
  expect(await ownerOf(contract)).toBe(holder.address)
})

test('a token that is sent to the operator without a request is in custody as ever', async () => {
  const held = await makeHeld()
  const { data } = await signedBody(held, { to: custodian() })
  await relayElsewhere(held.contract, data)
  await held.sender.mined()
  await catchUp()
  await decideArrivals(worker(), testChain.chain)
  expect(await itemOf(held.itemIds[0]!)).toEqual(IN_CUSTODY())
  const claim = await held.api.post('/v1/email-claims', { item_id: held.itemIds[0], email: newMailbox() })
  expect(claim.status).toBe(201)
  expect(claim.body.transfer_id).toBeNull()
})

test('without its operator’s key nothing of an escrow is lost: delivery and return wait until the key is back', async () => {
  const { id, itemId, contract, holder, sender, claim, collectionId } = await makeOffered()
  const otherKey = generatePrivateKey()
  const other = privateKeyToAccount(otherKey)
  await testChain.node.setBalance({ address: other.address, value: parseEther('100') })
  const { keys } = ports()
  replacePorts({ keys: envKeyring([otherKey], keyFor('voucher-signer')) })
  try {
    await rememberOperators(worker(), testChain.chain)
    const { claim_url } = (await call('GET', `/v1/email-claims/${claim.id}`, { key: organization.key })).body
    const later = await openClaim({ id: claim.id, claim_url, email: claim.email })
    await expect(later.redeem(makeRandomAddress())).rejects.toMatchObject({ code: 'operator_gone' })
    await passTime(31 * 86_400)
    await expireClaims(worker())
    await settle()
    expect(await submitNext(worker(), testChain.chain, other.address)).toBe('idle')
    expect(await stateOf(id)).toBe('RETURNING')
    expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n, minting: 1n })
  } finally {
    replacePorts({ keys })
  }
  await sender.run()
  await catchUp()
  expect(await stateOf(id)).toBe('RETURNED')
  expect(await ownerOf(contract)).toBe(holder.address)
  expect(await handedOver(collectionId)).toEqual(['COMPLETED'])
})

test('the same request twice at once makes one transfer and one escrow', async () => {
  const held = await makeHeld()
  const { body } = await signedFor(held, newMailbox())
  const answers = await Promise.all([accepted(body), accepted(body)])
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(await organization.ctx.db.escrow.count({ where: { itemId: held.itemIds[0] } })).toBe(1)
  await held.sender.run()
})

test('npm run verify tells of an escrow without its hold, one that waits for what came, and one that nobody is offered', async () => {
  const { id } = await makeArrived()
  const { db } = organization.ctx
  const findingsAs = async (state: 'WAITING' | 'OFFERED') => {
    await db.escrow.updateMany({ where: { id }, data: { state } })
    return (await verifyBooks(worker())).filter(({ subject }) => subject === id).map(({ check }) => check)
  }
  expect(await findingsAs('WAITING')).toEqual([
    'a token in escrow is held once, for its escrow',
    'an escrow whose token has come doesn’t wait for it',
  ])
  expect(await findingsAs('OFFERED')).toEqual(['a token in escrow is offered, on its way back, or waits for a person'])
  await db.escrow.updateMany({ where: { id }, data: { state: 'HELD' } })
})

test('workers that settle an escrow at once: one of them does, and one mail leaves', async () => {
  await settle() // those of other tests
  const { email } = await makeArrived()
  const done = await Promise.all([settle(), settle(), settle()])
  expect(done.sort()).toEqual([0, 0, 1])
  expect(await mailsTo(email)).toBe(1)
})
