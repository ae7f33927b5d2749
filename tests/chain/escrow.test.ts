import { newId } from '../../lib/core/id.ts'
import { moveClock, now } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { systemClient } from '../../lib/db/client.ts'
import { isEscrowRefused } from '../../lib/db/errors.ts'
import { declineClaim } from '../../lib/giving/decline-claim.ts'
import { expireClaims } from '../../lib/giving/expire-claims.ts'
import { settleEscrows } from '../../lib/giving/settle-escrows.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { suspend, unsuspend } from '../../lib/data/abuse/suspend.ts'
import { verifyBooks } from '../../lib/data/reconciliation/verify-books.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { rememberOperators } from '../../lib/onchain/indexer/remember-operators.ts'
import { decideArrivals } from '../../lib/onchain/recovery/decide-arrivals.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { expireTransfers } from '../../lib/onchain/transfers/expire-transfers.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { parseEther, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { asOwner } from '../support/as-owner.ts'
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
  sendAs,
  setUpCustody,
  testChain,
  transactionsOf,
  worker,
} from '../support/custody.ts'
import {
  accepted,
  anyone,
  getTransfer,
  makeHeld,
  postTransfer,
  relayElsewhere,
  secondsAhead,
  signedBody,
} from '../support/held-tokens.ts'
import { FREE_PRICE } from '../support/selling.ts'

setUpCustody()

/** A test that moves the clock moves the chain, which doesn't go back. */
beforeEach(async () => {
  await testChain.node.setAutomine(true)
  const { timestamp } = await testChain.client.getBlock()
  moveClock(Math.max(0, Number(timestamp) * 1000 - Date.now()))
})

const DAY_MS = 86_400_000
const settle = () => settleEscrows(worker(), testChain.chain)
const newMailbox = () => `${newId()}@example.com`

type Held = Awaited<ReturnType<typeof makeHeld>>

/** The clocks of this process and of the chain. */
async function passTime(seconds: number) {
  moveClock(now().getTime() - Date.now() + seconds * 1000)
  await testChain.node.increaseTime({ seconds })
  await testChain.node.mine({ blocks: 1 })
  await catchUp()
}

async function signedFor(held: Held, email: string, order: Parameters<typeof signedBody>[1] = {}) {
  const { body, data } = await signedBody(held, { to: custodian(), ...order })
  return { body: { ...body, email }, data }
}

/** A holder's token on its way to a mailbox, not sent yet. */
async function makeSent(order: Parameters<typeof signedBody>[1] = {}) {
  const held = await makeHeld()
  const email = newMailbox()
  const { body, data } = await signedFor(held, email, order)
  const made = await accepted(body)
  return { ...held, email, body, data, id: made.id as string, itemId: held.itemIds[0]! }
}

/** The same, arrived at the operator, and entered. */
async function makeArrived() {
  const sent = await makeSent()
  await sent.sender.run()
  await catchUp()
  return sent
}

/** The same, with the claim of its recipient. */
async function makeOffered() {
  const arrived = await makeArrived()
  expect(await settle()).toBe(1)
  return { ...arrived, claim: await claimOf(arrived) }
}

async function claimOf({ email }: { email: string }) {
  const { results } = (await call('GET', `/v1/email-claims?email=${email}`, { key: organization.key })).body
  expect(results).toHaveLength(1)
  const { id, claim_url, transfer_id } = results[0]
  return { ...(await openClaim({ id, claim_url, email })), transferId: transfer_id as string }
}

const stateOf = async (id: string) => (await getTransfer(id)).escrow.state as string
const mailsTo = (toEmail: string) => systemClient().outboxMessage.count({ where: { toEmail } })
const alarmsOf = (kind: string, subject: string) =>
  organization.ctx.db.alarm.count({ where: { kind, subject, resolvedAt: null } })
const handedOver = async (collectionId: string) =>
  (await transactionsOf(collectionId)).filter(({ txType }) => txType === 'TRANSFER_TOKEN').map(({ state }) => state)

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

test('what is suspended waits: nobody is mailed until the suspension ends', async () => {
  const { email, collectionId } = await makeArrived()
  await suspend(worker(), { organizationId: organization.id, collectionId }, 'Reported.')
  await settle()
  expect(await mailsTo(email)).toBe(0)
  await unsuspend(worker(), { organizationId: organization.id, collectionId })
  expect(await settle()).toBe(1)
  expect(await mailsTo(email)).toBe(1)
})

test('an organization that has used up its mails of the day: the mailbox waits, and the row counts as no failure', async () => {
  const { id, email } = await makeArrived()
  const heldUntil = async () => (await getTransfer(id)).escrow.held_until as string | null
  const before = env.NEWCOMER_MAILS_PER_DAY
  env.NEWCOMER_MAILS_PER_DAY = 0
  await systemClient().organization.update({ where: { id: organization.id }, data: { newcomerSince: now() } })
  onTestFinished(async () => {
    env.NEWCOMER_MAILS_PER_DAY = before
    await systemClient().organization.update({ where: { id: organization.id }, data: { newcomerSince: null } })
  })
  expect([await settle(), await heldUntil(), await mailsTo(email)]).toEqual([0, null, 0])
  expect(await systemClient().rowTry.count({ where: { rowId: id } })).toBe(0)
  env.NEWCOMER_MAILS_PER_DAY = 1_000_000
  expect([await settle(), await heldUntil(), await mailsTo(email)]).toEqual([1, expect.any(String), 1])
})

test('workers that settle an escrow at once: one of them does, and one mail leaves', async () => {
  const { email } = await makeArrived()
  const done = await Promise.all([settle(), settle(), settle()])
  expect(done.sort()).toEqual([0, 0, 1])
  expect(await mailsTo(email)).toBe(1)
})

test('what can’t be kept for a mailbox is refused with its field, and costs nothing', async () => {
  const held = await makeHeld()
  const codeOf = async (body: object) => {
    const answer = await postTransfer(body)
    return [answer.body.code, answer.body.errors?.[0]?.field]
  }
  const query = new URLSearchParams({
    collection_id: held.collectionId,
    token_id: '1',
    from_address: held.holder.address,
  })
  expect((await anyone.get(`/public/v1/transfer-terms?${query}`)).body.escrow).toEqual({
    to_address: custodian(),
    days: 30,
  })
  const elsewhere = await signedBody(held)
  expect(await codeOf({ ...elsewhere.body, email: newMailbox() })).toEqual(['transfer_refused', 'to_address'])
  expect(await codeOf((await signedFor(held, 'nobody')).body)).toEqual(['invalid_request', 'email'])
  const email = newMailbox()
  await organization.ctx.db.suppression.create({
    data: { id: newId(), organizationId: organization.id, email, reason: 'BOUNCE' },
  })
  expect(await codeOf((await signedFor(held, email)).body)).toEqual(['address_suppressed', undefined])
  // Whoever didn't sign learns nothing of the mailbox.
  const forged = await signedBody(held, { to: custodian() }, privateKeyToAccount(generatePrivateKey()))
  expect(await codeOf({ ...forged.body, email })).toEqual(['signature_invalid', 'signature'])
  const units = await makeHeld({ variant: 'ERC1155' })
  expect(await codeOf((await signedFor(units, newMailbox())).body)).toEqual(['transfer_unsupported', undefined])
  expect((await transactionsOf(held.collectionId)).map(({ txType }) => txType)).toEqual(['ADMIN_MINT'])
})

test('one token sent to two mailboxes at once, from two phones: one is accepted, and nobody else is mailed', async () => {
  const held = await makeHeld()
  const emails = [newMailbox(), newMailbox()]
  const bodies = await Promise.all(emails.map((email) => signedFor(held, email)))
  const answers = await Promise.all(bodies.map(({ body }) => postTransfer(body)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'holder_pays' })
  await held.sender.run()
  await catchUp()
  expect(await settle()).toBe(1)
  const sent = answers.map(({ status }) => (status === 201 ? 1 : 0))
  expect(await Promise.all(emails.map(mailsTo))).toEqual(sent)
})

test('an operator without funds: delivery and return wait, and go on once there are coins', async () => {
  const { address } = testChain.operator
  const balance = await testChain.client.getBalance({ address })
  const [taken, returned] = [await makeOffered(), await makeOffered()]
  const to = makeRandomAddress()
  await testChain.node.setBalance({ address, value: 1n })
  await taken.claim.redeem(to)
  await sendPin(returned.claim.ctx)
  await declineClaim(returned.claim.ctx, { pin: await returned.claim.pin() })
  await testChain.node.mine({ blocks: 3 })
  await catchUp()
  expect(await settle()).toBe(1)
  expect(await taken.sender.submit()).toBe('short')
  expect([await stateOf(taken.id), await stateOf(returned.id)]).toEqual(['HELD', 'RETURNING'])
  for (const { itemId } of [taken, returned])
    expect(await itemOf(itemId)).toEqual({ ...IN_CUSTODY(), held: 1n, minting: 1n })
  await testChain.node.setBalance({ address, value: balance })
  await taken.sender.run()
  await catchUp()
  expect([await stateOf(taken.id), await stateOf(returned.id)]).toEqual(['TAKEN', 'RETURNED'])
  expect([await ownerOf(taken.contract), await ownerOf(returned.contract)]).toEqual([to, returned.holder.address])
})

test('a mailbox is sent three items a day by holders', async () => {
  const email = newMailbox()
  for (const _ of [1, 2, 3]) {
    const held = await makeHeld()
    await accepted((await signedFor(held, email)).body)
    await held.sender.run()
  }
  const held = await makeHeld()
  const answer = await postTransfer((await signedFor(held, email)).body)
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited', reason: 'mailbox_limit' } })
})

test('delivery and return are counted in the budget when the transfer is accepted', async () => {
  const held = await makeHeld({ items: 2 })
  const spent = async () => BigInt((await held.api.get('/v1/transfer-budgets')).body.results[0].spent_wei)
  const before = await spent()
  await accepted((await signedBody(held)).body)
  const plain = (await spent()) - before
  await accepted((await signedFor(held, newMailbox(), { tokenId: 2n })).body)
  const kept = (await spent()) - before - plain
  expect(kept).toBeGreaterThan(plain * 2n)
  await held.sender.run()
})

test('nobody tests by a false signature, or by one that the chain shows, to which mailbox a token was sent', async () => {
  const { body, email, sender, id } = await makeSent()
  const signature = `0x${'12'.repeat(64)}1b`
  const guesses = [
    { ...body, signature },
    { ...body, signature, email: newMailbox() },
    { ...body, signature, email: undefined, to_address: makeRandomAddress() },
    { ...body, signature, deadline: body.deadline - 1 },
    { ...body, signature, nonce: '7' },
  ]
  const answersTo = async (bodies: object[]) =>
    (await Promise.all(bodies.map(postTransfer))).map(({ status, body: { request_id: _, ...rest } }) => [status, rest])
  const answers = await answersTo(guesses)
  expect(answers[0]).toMatchObject([422, { code: 'signature_invalid' }])
  for (const answer of answers) expect(answer).toEqual(answers[0])

  // A signature that was sent can be read by everybody.
  await sender.submitAll()
  const shown = await answersTo([body, { ...body, email: newMailbox() }, { ...body, email: email.toUpperCase() }])
  expect(shown[0]).toMatchObject([201, { id }])
  for (const answer of shown) expect(answer).toEqual(shown[0])
  const short = serializeCompactSignature(signatureToCompactSignature(parseSignature(body.signature)))
  const others = await answersTo([
    { ...body, signature: short },
    { ...body, signature: short, email: newMailbox() },
  ])
  expect(others[1]).toEqual(others[0])
})

test('three tokens a day are sent to a mailbox, however it is spelled', async () => {
  const name = newId().replaceAll('-', '')
  const held = await Promise.all([makeHeld(), makeHeld(), makeHeld(), makeHeld()])
  const spellings = [`${name}@gmail.com`, `${name}+a@gmail.com`, `${name.slice(0, 5)}.${name.slice(5)}@gmail.com`]
  for (const [at, email] of spellings.entries()) await accepted((await signedFor(held[at]!, email)).body)
  const refused = await postTransfer((await signedFor(held[3]!, `${name.toUpperCase()}@GoogleMail.com`)).body)
  expect([refused.status, refused.body.reason]).toEqual([429, 'mailbox_limit'])
})
