import { expect, test } from 'vitest'
import { moveClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeRandomAddress, sendClaim, type SentClaim } from '../support/claims.ts'
import { admin, anyone, at, mailbox, organization, setUpMailedClaims } from '../support/mailed-claims.ts'

const MINUTE = 60_000

setUpMailedClaims()

const wrong = (pin: string) => (pin === '000000' ? '111111' : '000000')
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const rowOf = ({ id }: SentClaim) => systemClient().emailClaim.findUniqueOrThrow({ where: { id } })

async function pinFor(claim: SentClaim): Promise<string> {
  expect((await anyone.post(at(claim, '/verify'))).status).toBe(201)
  return mailbox.pinOf(claim.email)
}

/** Shows a PIN, and returns the cookie that the browser keeps. */
async function prove(claim: SentClaim, pin: string): Promise<string> {
  const { status, headers } = await anyone.post(at(claim, '/pin'), { pin })
  expect(status).toBe(200)
  return headers.get('set-cookie')!.split(';')[0]!
}

async function proved(claim: SentClaim): Promise<string> {
  return prove(claim, await pinFor(claim))
}

const redeem = (claim: Pick<SentClaim, 'token'>, cookie?: string, pin?: string) =>
  anyone.post(at(claim, '/redeem'), { address: makeRandomAddress(), ...(pin && { pin }) }, cookie ? { cookie } : {})

test('a browser that has shown the PIN redeems without it, once', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  const shown = await anyone.post(at(claim, '/pin'), { pin: ` ${pin.slice(0, 3)}-${pin.slice(3)} ` })
  expect(shown.status).toBe(200)
  expect(Object.keys(shown.body)).toEqual(['expires_at'])
  const cookie = shown.headers.get('set-cookie')!
  expect(cookie).toContain('; Path=/; Max-Age=600; HttpOnly; SameSite=Strict')
  expect(cookie).not.toContain(claim.token)
  expect(await systemClient().mintRequest.count({ where: { claimId: claim.id } })).toBe(0)

  const [proof] = cookie.split(';')
  expect((await redeem(claim, proof)).status).toBe(201)
  expect(codeOf(await redeem(claim, proof))).toEqual([409, 'claim_already_claimed'])
  expect(await systemClient().mintRequest.count({ where: { claimId: claim.id } })).toBe(1)
})

test('a browser without the proof needs the PIN, and the first of two browsers with a proof gets the item', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  const [first, second] = [await prove(claim, pin), await prove(claim, pin)]
  expect(codeOf(await redeem(claim))).toEqual([422, 'pin_required'])
  expect((await redeem(claim, second)).status).toBe(201)
  expect(codeOf(await redeem(claim, first))).toEqual([409, 'claim_already_claimed'])
})

test('the PIN still redeems by itself after it was shown, and its proof is over then', async () => {
  const claim = await sendClaim(organization, { txPayer: 'BUYER' })
  const pin = await pinFor(claim)
  const cookie = await prove(claim, pin)
  expect((await redeem(claim, undefined, pin)).body.status).toBe('VOUCHER_ISSUED')
  expect(codeOf(await redeem(claim, cookie))).toEqual([422, 'pin_expired'])
})

test('a proof lasts ten minutes from the moment the PIN was shown', async () => {
  const [claim, late] = [await sendClaim(organization), await sendClaim(organization)]
  const [pin, latePin] = [await pinFor(claim), await pinFor(late)]
  moveClock(9 * MINUTE)
  const [cookie, lateCookie] = [await prove(claim, pin), await prove(late, latePin)]
  moveClock(9 * MINUTE)
  expect(codeOf(await anyone.post(at(claim, '/pin'), { pin }))).toEqual([422, 'pin_expired'])
  expect((await redeem(claim, cookie)).status).toBe(201)
  moveClock(MINUTE)
  expect(codeOf(await redeem(late, lateCookie))).toEqual([422, 'pin_expired'])
})

test('a proof of another claim is worth nothing, under whichever name it comes', async () => {
  const [mine, theirs] = [await sendClaim(organization), await sendClaim(organization)]
  const proof = await proved(mine)
  const theirName = (await proved(theirs)).split('=')[0]!
  const forged = `${theirName}=${proof.split('=')[1]}`
  expect(codeOf(await redeem(theirs, forged))).toEqual([422, 'pin_expired'])
  expect(codeOf(await redeem(theirs, proof))).toEqual([422, 'pin_required'])
  const [pinId, until, mac] = proof.split('=')[1]!.split('.')
  for (const changed of [`${pinId}.${Number(until) + 1}.${mac}`, `${pinId}.${until}.${'A'.repeat(43)}`, 'x', ''])
    expect((await redeem(mine, `${proof.split('=')[0]}=${changed}`)).status).toBe(422)
  expect(await rowOf(mine)).toMatchObject({ state: 'OPEN', wrongPins: 0 })
})

test.each([
  ['sent again', {}, [422, 'pin_expired']],
  ['replaced', { new_link: true }, [409, 'claim_not_active']],
] as const)('a proof is over once its link was %s', async (_, body, refused) => {
  const claim = await sendClaim(organization)
  const cookie = await proved(claim)
  expect((await admin.post(`/v1/email-claims/${claim.id}/resend`, body)).status).toBe(200)
  expect(codeOf(await redeem(claim, cookie))).toEqual(refused)
})

test('a link that is replaced while the PIN is typed judges it no more', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  await admin.post(`/v1/email-claims/${claim.id}/resend`, { new_link: true })
  expect(codeOf(await anyone.post(at(claim, '/pin'), { pin }))).toEqual([409, 'claim_not_active'])
})

test('a newer PIN, a revocation and the claim’s expiry end a proof', async () => {
  const [again, revoked, expired] = [
    await sendClaim(organization),
    await sendClaim(organization),
    await sendClaim(organization, { expiration: new Date(Date.now() + 5 * MINUTE) }),
  ]
  const cookies = { again: await proved(again), revoked: await proved(revoked), expired: await proved(expired) }
  await admin.delete(`/v1/email-claims/${revoked.id}`)
  expect(codeOf(await redeem(revoked, cookies.revoked))).toEqual([409, 'claim_not_active'])
  moveClock(2 * MINUTE)
  await pinFor(again)
  expect(codeOf(await redeem(again, cookies.again))).toEqual([422, 'pin_expired'])
  moveClock(4 * MINUTE)
  expect(codeOf(await redeem(expired, cookies.expired))).toEqual([409, 'claim_not_active'])
})

test('guesses at the PIN step count with those of redemptions, and the fifth ends the proof as well', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  const cookie = await prove(claim, pin)
  const left: number[] = []
  for (let guess = 0; guess < 5; guess++) {
    const answer =
      guess % 2 === 0
        ? await anyone.post(at(claim, '/pin'), { pin: wrong(pin) })
        : await redeem(claim, cookie, wrong(pin))
    expect(codeOf(answer)).toEqual([422, 'pin_wrong'])
    left.push(answer.body.tries_left)
  }
  expect(left).toEqual([4, 3, 2, 1, 0])
  expect(codeOf(await anyone.post(at(claim, '/pin'), { pin }))).toEqual([422, 'pin_expired'])
  expect(codeOf(await redeem(claim, cookie))).toEqual([422, 'pin_expired'])
  expect(await rowOf(claim)).toMatchObject({ wrongPins: 5, linkWrongPins: 5 })
})

test('the twentieth wrong guess locks the claim at the PIN step too', async () => {
  const claim = await sendClaim(organization)
  await organization.ctx.db.emailClaim.update({ where: { id: claim.id }, data: { wrongPins: 19 } })
  const pin = await pinFor(claim)
  const cookie = await prove(claim, pin)
  expect(codeOf(await anyone.post(at(claim, '/pin'), { pin: wrong(pin) }))).toEqual([422, 'pin_wrong'])
  expect(await rowOf(claim)).toMatchObject({ state: 'LOCKED' })
  expect(codeOf(await redeem(claim, cookie))).toEqual([409, 'claim_locked'])
  expect((await admin.post(`/v1/email-claims/${claim.id}/resend`)).status).toBe(200)
  expect(codeOf(await redeem(claim, cookie))).toEqual([422, 'pin_expired'])
})
