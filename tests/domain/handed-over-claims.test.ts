import { expect, test } from 'vitest'
import { moveClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { takeClaim } from '../../lib/giving/take-claim.ts'
import { handoverContext } from '../../lib/platform/auth/handover-context.ts'
import { makeRandomAddress, sendClaim, type SentClaim } from '../support/claims.ts'
import { admin, anyone, at, mailbox, organization, setUpMailedClaims } from '../support/mailed-claims.ts'

setUpMailedClaims()

const codeOf = (url: string) => url.split('/h/')[1]!

async function handOver(claim: SentClaim): Promise<string> {
  const { status, body } = await anyone.post(at(claim, '/handover'))
  expect(status).toBe(201)
  return codeOf(body.url)
}

/** What pressing the button of the page does. null: the code didn't work. */
async function take(code: string): Promise<string | null> {
  try {
    return await takeClaim(await handoverContext(code, { requestId: 'test', clientAddress: '127.0.0.1' }), code)
  } catch {
    return null
  }
}

test('a code opens the claim once, and its address holds nothing of the claim’s link', async () => {
  const claim = await sendClaim(organization)
  const { body } = await anyone.post(at(claim, '/handover'))
  expect(body.url).toMatch(/\/h\/[\w-]{22}$/)
  expect(body.url).not.toContain(claim.token)
  expect(await take(codeOf(body.url))).toBe(claim.token)
  expect(await take(codeOf(body.url))).toBeNull()
})

test('the stored row doesn’t hold the code, and there is one a claim', async () => {
  const claim = await sendClaim(organization)
  const [first, second] = [await handOver(claim), await handOver(claim)]
  const rows = await systemClient().claimHandover.findMany({ where: { claimId: claim.id } })
  expect(rows).toHaveLength(1)
  expect(Buffer.from(rows[0]!.hash).toString('base64url')).not.toContain(second)
  expect(await take(first)).toBeNull() // the newer one took its place
  expect(await take(second)).toBe(claim.token)
})

test('two browsers at once: one opens the claim', async () => {
  const code = await handOver(await sendClaim(organization))
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(code)))
  expect(taken.filter((token) => token !== null)).toHaveLength(1)
})

test('a code works for five minutes', async () => {
  const claim = await sendClaim(organization)
  const [early, late] = [await handOver(claim), await handOver(await sendClaim(organization))]
  moveClock(4 * 60_000)
  expect(await take(early)).toBe(claim.token)
  moveClock(5 * 60_000)
  expect(await take(late)).toBeNull()
})

test('a code ends with the redemption, the revocation and the replacement of its link', async () => {
  const [redeemed, revoked, replaced] = [
    await sendClaim(organization),
    await sendClaim(organization),
    await sendClaim(organization),
  ]
  const codes = [await handOver(redeemed), await handOver(revoked), await handOver(replaced)]
  expect((await anyone.post(at(redeemed, '/verify'))).status).toBe(201)
  const pin = await mailbox.pinOf(redeemed.email)
  expect((await anyone.post(at(redeemed, '/redeem'), { pin, address: makeRandomAddress() })).status).toBe(201)
  expect((await admin.delete(`/v1/email-claims/${revoked.id}`)).status).toBe(204)
  const corrected = { email: `new-${replaced.email}` }
  expect((await admin.post(`/v1/email-claims/${replaced.id}/resend`, corrected)).status).toBe(200)
  for (const code of codes) expect(await take(code)).toBeNull()
  for (const claim of [redeemed, revoked, replaced])
    expect((await anyone.post(at(claim, '/handover'))).status).toBe(409)
})

test('what isn’t a code, and a code that nobody made, open nothing', async () => {
  for (const code of ['', 'x', '../..', 'A'.repeat(22), 'A'.repeat(43)]) expect(await take(code)).toBeNull()
})
