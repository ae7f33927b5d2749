import { beforeAll, beforeEach, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, sendClaim } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const MINUTE = 60_000

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
beforeEach(resetClock)

type Sent = Awaited<ReturnType<typeof sendClaim>>

const resend = async (claim: Sent, body: object = {}) => {
  const { status, headers, body: answer } = await api.post(`/v1/email-claims/${claim.id}/resend`, body)
  return { status, code: answer.code, wait: Number(headers.get('retry-after')) }
}
const sent = { status: 200, code: undefined, wait: 0 }
const refused = { status: 429, code: 'rate_limited', wait: expect.toSatisfy((seconds) => seconds > 0) }
const stateOf = async ({ id }: Sent) => ({
  claim: await mine.ctx.db.emailClaim.findFirst({ where: { id }, include: { pins: true, tokens: true } }),
  mails: await mine.ctx.db.outboxMessage.count({ where: { claimId: id } }),
  entries: await mine.ctx.db.auditEntry.count({ where: { subjectId: id } }),
})

test('a link is sent again once a minute, and what is refused changes nothing', async () => {
  const claim = await sendClaim(mine)
  expect(await resend(claim)).toEqual(sent)
  await sendPin(claim.ctx)
  const before = await stateOf(claim)
  moveClock(20_000)
  for (const body of [{}, { new_link: true }, { email: claim.email }])
    expect(await resend(claim, body)).toEqual(refused)
  expect(await stateOf(claim)).toEqual(before)
  moveClock(40_000)
  expect(await resend(claim)).toEqual(sent)
})

test('of many requests at once one sends', async () => {
  const claim = await sendClaim(mine)
  const answers = await Promise.all(Array.from({ length: 12 }, () => resend(claim)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a link goes at once to a corrected address, and five times an hour in all', async () => {
  const claim = await sendClaim(mine)
  for (const name of ['ada', 'grace', 'ada', 'alan', 'mary'])
    expect(await resend(claim, { email: `${name}@example.com` })).toEqual(sent)
  const before = await stateOf(claim)
  expect(await resend(claim, { email: 'jean@example.com' })).toEqual(refused)
  moveClock(59 * MINUTE)
  expect(await resend(claim)).toEqual(refused)
  expect(await stateOf(claim)).toEqual(before)
  moveClock(MINUTE)
  expect(await resend(claim)).toEqual(sent)
})
