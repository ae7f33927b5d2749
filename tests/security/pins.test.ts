import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { liftLocks } from '../../lib/giving/lift-locks.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { callerOf } from '../support/call.ts'
import { caller, installFakeChain, makeRandomAddress, sendClaim } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, deliverCardEvents, makeListing, pay } from '../support/selling.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let mailbox: Mailbox
let organization: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  mailbox = await startMailbox()
  installFakeChain()
  organization = await makeOrganization()
  api = callerOf(organization.key)
})
beforeEach(resetClock)
afterEach(resetClock)

type Sent = { id: string; email: string }
const outcomeOf = (
  work: Promise<unknown>,
): Promise<{ code: string; message: string; extra: Record<string, unknown> }> =>
  work.then(
    () => ({ code: 'ok', message: '', extra: {} }),
    (error: { code: string; message: string; extra: Record<string, unknown> }) => error,
  )
const guess = (ctx: Context, pin: string) => outcomeOf(redeemClaim(ctx, { address: makeRandomAddress(), pin }))
const rowOf = ({ id }: Pick<Sent, 'id'>) => systemClient().emailClaim.findUniqueOrThrow({ where: { id } })
const linkIn = (url: string): Promise<Context> => claimContext(url.split('/').at(-1)!, caller)

/**
 * Guesses at a link for as long as anything is judged, with a new PIN whenever one is used up. Returns how many guesses
 * were judged wrong.
 */
async function attack(ctx: Context, { email }: Sent): Promise<number> {
  let judged = 0
  for (let round = 0; round < 100; round++) {
    moveClock(HOUR)
    if ((await outcomeOf(sendPin(ctx))).code !== 'ok') return judged
    const pin = await mailbox.pinOf(email)
    while ((await guess(ctx, pin === '000000' ? '111111' : '000000')).code === 'pin_wrong') judged++
  }
  throw new Error('The attack never ended.')
}

/**
 * What a sender does who believes the recipient: sends the link again each time it is locked. Returns the guesses
 * judged in all.
 */
async function attackWithResends(ctx: Context, claim: Sent, body: object = {}): Promise<number> {
  let judged = await attack(ctx, claim)
  for (let resends = 0; resends < 10; resends++) {
    await api.post(`/v1/email-claims/${claim.id}/resend`, body)
    judged += await attack(ctx, claim)
  }
  return judged
}

/** Types the 50th wrong PIN at a link. */
async function typeLastWrongPin(ctx: Context, claim: Sent): Promise<void> {
  await organization.ctx.db.emailClaim.update({ where: { id: claim.id }, data: { linkWrongPins: 49 } })
  expect(await attack(ctx, claim)).toBe(1)
}

test('at most 50 wrong PINs are judged at one link, however often it is sent again to the same address', async () => {
  const claim = await sendClaim(organization)
  expect(await attackWithResends(claim.ctx, claim)).toBe(50)
  expect(await rowOf(claim)).toMatchObject({ state: 'LOCKED', linkWrongPins: 50 })

  const same = await sendClaim(organization)
  expect(await attackWithResends(same.ctx, same, { email: same.email })).toBe(50)
})

test('100 guesses at once at a link with one try left: one is judged', async () => {
  const claim = await sendClaim(organization)
  await organization.ctx.db.emailClaim.update({ where: { id: claim.id }, data: { linkWrongPins: 49 } })
  await sendPin(claim.ctx)
  const pin = await mailbox.pinOf(claim.email)
  const guesses = Array.from({ length: 100 }, (_, at) => String(at).padStart(6, '0')).filter((one) => one !== pin)
  const outcomes = await Promise.all(guesses.map((one) => guess(claim.ctx, one)))
  const wrong = outcomes.filter(({ code }) => code === 'pin_wrong')
  expect(wrong.map(({ extra }) => extra.tries_left)).toEqual([0])
  expect(wrong[0]!.message).toContain('ask the sender for a new link')
  expect((await guess(claim.ctx, pin)).code).toBe('claim_locked')
})

test('what can’t be a PIN costs no try, wherever it is typed', async () => {
  const claim = await sendClaim(organization)
  await sendPin(claim.ctx)
  const pin = await mailbox.pinOf(claim.email)
  const at = `/public/v1/email-claims/${claim.token}`
  for (const typed of ['12345', '1234567', '12345a', 'the PIN', '-', '一二三四五六'])
    for (const path of ['pin', 'redeem', 'decline']) {
      const body = { pin: typed, ...(path === 'redeem' && { address: makeRandomAddress() }) }
      const refused = await callerOf().post(`${at}/${path}`, body)
      expect([refused.status, refused.body.code, refused.body.errors[0].field], typed).toEqual([
        422,
        'pin_required',
        'pin',
      ])
    }
  expect(await rowOf(claim)).toMatchObject({ wrongPins: 0, linkWrongPins: 0 })
  const written = (zero: number) => [...pin].map((digit) => String.fromCodePoint(zero + Number(digit))).join('')
  // Full-width digits, then Arabic-Indic ones.
  const typed = `${written(0xff10).slice(0, 3)} ${written(0x660).slice(3)}`
  expect((await guess(claim.ctx, typed)).code).toBe('ok')
})

test('a link with 50 wrong PINs says that a new one is needed, to its visitor and to the sender', async () => {
  const claim = await sendClaim(organization)
  await typeLastWrongPin(claim.ctx, claim)
  expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'LOCKED' })
  const refused = await outcomeOf(sendPin(claim.ctx))
  expect([refused.code, refused.message]).toEqual([
    'claim_locked',
    expect.stringContaining('Ask the sender for a new link'),
  ])

  const shown = await api.get(`/v1/email-claims/${claim.id}`)
  expect(shown.body).toMatchObject({ active: false, inactive_reason: 'LOCKED', new_link_needed: true })
  const resent = await api.post(`/v1/email-claims/${claim.id}/resend`)
  expect([resent.status, resent.body.code]).toEqual([409, 'claim_locked'])
  expect(resent.body.detail).toContain('new_link')
  const entries = await organization.ctx.db.auditEntry.findMany({
    where: { subjectId: claim.id, action: 'email_claim.locked' },
    orderBy: { id: 'desc' },
    take: 1,
  })
  expect(JSON.stringify(entries[0]!.after)).toContain('50 wrong PINs at one link')
})

test('a new link to the same address works, and the old one never again', async () => {
  const claim = await sendClaim(organization)
  await typeLastWrongPin(claim.ctx, claim)
  const renewed = await api.post(`/v1/email-claims/${claim.id}/resend`, { new_link: true })
  expect([renewed.status, renewed.body.active, renewed.body.new_link_needed]).toEqual([200, true, false])
  expect(renewed.body.claim_url).not.toBe(claim.claim.claim_url)
  expect(renewed.body.last_pin_code_email_sent_at).not.toBeNull()
  expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'REPLACED' })
  expect(await attack(claim.ctx, claim)).toBe(0)

  const ctx = await linkIn(renewed.body.claim_url)
  moveClock(HOUR)
  await sendPin(ctx)
  expect((await guess(ctx, await mailbox.pinOf(claim.email))).code).toBe('ok')
})

test('a paid claim’s lock is lifted daily, and after 50 wrong PINs its mail has a new link', async () => {
  await connectCards(organization)
  const purchase = (await buy((await makeListing(organization)).id)).body
  await pay(purchase.data)
  await deliverCardEvents()
  const claim = await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { purchaseIntentId: purchase.id } })
  const urlOf = async () => (await api.get(`/v1/email-claims/${claim.id}`)).body.claim_url as string
  const first = await urlOf()
  const ctx = await linkIn(first)
  let judged = 0
  for (let day = 0; day < 5; day++) {
    judged += await attack(ctx, claim)
    moveClock(25 * HOUR)
    await liftLocks(systemContext('test'))
  }
  expect(judged).toBe(50)
  expect(await urlOf()).not.toBe(first)
  const renewed = await linkIn(await urlOf())
  await sendPin(renewed)
  expect((await guess(renewed, await mailbox.pinOf(claim.email))).code).toBe('ok')
})
