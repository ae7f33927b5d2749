import { expect, test } from 'vitest'
import { systemClient } from '../../lib/db/client.ts'
import { makeRandomAddress, sendClaim, type SentClaim } from '../support/claims.ts'
import { admin, anyone, at, mailbox, organization, setUpMailedClaims } from '../support/mailed-claims.ts'
import { buy, FREE_PRICE, makeListing } from '../support/selling.ts'

setUpMailedClaims()

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const wrong = (pin: string) => (pin === '000000' ? '111111' : '000000')
const heldOf = async ({ itemId }: SentClaim) =>
  (await organization.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })).held

async function pinFor(claim: Pick<SentClaim, 'token' | 'email'>): Promise<string> {
  expect((await anyone.post(at(claim, '/verify'))).status).toBe(201)
  return mailbox.pinOf(claim.email)
}

test('a declined gift frees its unit, ends its link and tells the sender', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  expect(codeOf(await anyone.post(at(claim, '/decline')))).toEqual([422, 'pin_required'])
  expect(codeOf(await anyone.post(at(claim, '/decline'), { pin: wrong(pin) }))).toEqual([422, 'pin_wrong'])
  expect(await heldOf(claim)).toBe(1n)

  expect((await anyone.post(at(claim, '/decline'), { pin })).status).toBe(204)
  expect(await heldOf(claim)).toBe(0n)
  const seen = (await anyone.get(at(claim))).body
  expect(seen).toMatchObject({ is_active: false, inactive_reason: 'REVOKED', is_declined: true })
  const shown = (await admin.get(`/v1/email-claims/${claim.id}`)).body
  expect(shown).toMatchObject({ active: false, inactive_reason: 'REVOKED', declined_at: expect.any(String) })
  const event = await systemClient().event.findFirstOrThrow({
    where: { type: 'claim.declined', data: { path: ['email_claim_id'], equals: claim.id } },
  })
  expect(event.data).toMatchObject({ email: claim.email, item_id: claim.itemId })
  const audit = await organization.ctx.db.auditEntry.findFirstOrThrow({
    where: { subjectId: claim.id, action: 'email_claim.revoked' },
  })
  expect(audit.after).toMatchObject({ why: 'The recipient declined it.' })
  const refused = [
    await anyone.post(at(claim, '/decline'), { pin }),
    await anyone.post(at(claim, '/redeem'), { pin, address: makeRandomAddress() }),
    await anyone.post(at(claim, '/verify')),
    await admin.post(`/v1/email-claims/${claim.id}/resend`),
  ]
  for (const answer of refused) {
    expect(codeOf(answer)).toEqual([409, 'claim_not_active'])
    expect(answer.body.detail).toBe('The recipient has declined this, so it went back to the sender.')
  }
})

test('a browser that has shown the PIN declines without it, and a revoked claim isn’t declined', async () => {
  const [declined, revoked] = [await sendClaim(organization), await sendClaim(organization)]
  const { headers } = await anyone.post(at(declined, '/pin'), { pin: await pinFor(declined) })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  expect((await anyone.post(at(declined, '/decline'), {}, { cookie })).status).toBe(204)
  expect((await admin.delete(`/v1/email-claims/${revoked.id}`)).status).toBe(204)
  expect((await anyone.get(at(revoked))).body).toMatchObject({ inactive_reason: 'REVOKED', is_declined: false })
})

test('what was bought can’t be declined', async () => {
  const listing = await makeListing(organization, { ...FREE_PRICE, payment_providers: ['EMAIL_CLAIM'] })
  const { body: intent } = await buy(listing.id)
  const { id, email } = await organization.ctx.db.emailClaim.findFirstOrThrow({
    where: { purchaseIntentId: intent.id },
  })
  const { claim_url } = (await admin.get(`/v1/email-claims/${id}`)).body
  const bought = { token: claim_url.split('/').at(-1), email }
  expect(codeOf(await anyone.post(at(bought, '/decline'), { pin: await pinFor(bought) }))).toEqual([409, 'conflict'])
  expect((await anyone.get(at(bought))).body).toMatchObject({ is_active: true, is_declined: false })
})

test('declining a voucher that is out cancels it first: the unit isn’t free yet', async () => {
  const claim = await sendClaim(organization, { txPayer: 'BUYER' })
  const redeemed = await anyone.post(at(claim, '/redeem'), { address: makeRandomAddress(), pin: await pinFor(claim) })
  expect(redeemed.body.status).toBe('VOUCHER_ISSUED')
  await organization.ctx.db.emailClaim.update({ where: { id: claim.id }, data: { lastPinSentAt: null } })
  expect((await anyone.post(at(claim, '/decline'), { pin: await pinFor(claim) })).status).toBe(204)
  expect(await heldOf(claim)).toBe(1n)
  expect(
    await organization.ctx.db.transaction.count({
      where: { collectionId: claim.collectionId, txType: 'CANCEL_VOUCHER' },
    }),
  ).toBe(1)
})
