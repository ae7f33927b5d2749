import { newId } from '../../lib/core/id.ts'
import { now } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { systemClient } from '../../lib/db/client.ts'
import { declineClaim } from '../../lib/giving/decline-claim.ts'
import { suspend, unsuspend } from '../../lib/data/abuse/suspend.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { expect, onTestFinished, test } from 'vitest'
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { makeRandomAddress } from '../support/claims.ts'
import {
  catchUp,
  custodian,
  IN_CUSTODY,
  itemOf,
  organization,
  ownerOf,
  setUpCustody,
  testChain,
  transactionsOf,
  worker,
} from '../support/custody.ts'
import { accepted, anyone, getTransfer, makeHeld, postTransfer, signedBody } from '../support/held-tokens.ts'
import {
  mailsTo,
  makeArrived,
  makeOffered,
  makeSent,
  newMailbox,
  settle,
  setUpEscrow,
  signedFor,
  stateOf,
} from '../support/escrow.ts'

setUpCustody()

setUpEscrow()

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
