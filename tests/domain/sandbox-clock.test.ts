import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GET as readClock } from '../../app/sandbox/clock/route.ts'
import { POST as advanceClock } from '../../app/sandbox/clock/advance/route.ts'
import { DAY, now, realNow, secondsFrom, setBusinessTimeAhead } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { systemClient } from '../../lib/db/client.ts'
import { newId } from '../../lib/core/id.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { findSession } from '../../lib/platform/auth/find-session.ts'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { takePermit } from '../../lib/platform/http/permits.ts'
import { readSandboxClock } from '../../lib/records/sandbox-clock/read-sandbox-clock.ts'
import { moveLocalChains } from '../../lib/records/sandbox-clock/move-local-chains.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { call } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { caller, makeRandomAddress, sendClaim } from '../support/claims.ts'
import { makeListing } from '../support/listings.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { makeSession } from '../support/sessions.ts'
import { deliverDue, makeWebhook, recordTestEvent } from '../support/webhooks.ts'

const ORIGIN = 'http://localhost:3000/sandbox/clock'
let organization: TestOrganization
let chain: TestChain
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await startMailbox()
  chain = await startChain()
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  organization = await makeOrganization()
  await systemClient().chainCursor.create({ data: { networkId: 31337, number: 1_000_000n } })
})
beforeEach(() => void (env.VITRINE_SANDBOX = true))
afterEach(() => void (env.VITRINE_SANDBOX = false))
afterAll(() => setBusinessTimeAhead(0))

async function advance(body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) {
  const request = new Request(`${ORIGIN}/advance`, { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await advanceClock(request)
  return { status: response.status, body: (await response.json()) as any } // the wire body untyped
}

describe('what the advanced clock moves', () => {
  test('a claim expires', async () => {
    const { ctx } = await sendClaim(organization, { expiration: secondsFrom(now(), 2 * DAY) })
    expect(await getClaimView(ctx)).toMatchObject({ is_active: true })
    const before = now().getTime()
    const { status, body } = await advance({ duration: 'P2DT1M' })
    expect(status).toBe(200)
    expect(new Date(body.now).getTime() - before).toBeGreaterThanOrEqual(2 * DAY * 1000 + 60_000)
    expect(await getClaimView(ctx)).toMatchObject({ is_active: false, inactive_reason: 'EXPIRED' })
  })

  test('a listing starts and ends', async () => {
    const at = now()
    const listing = await makeListing(organization, {
      start_time: secondsFrom(at, 10 * DAY),
      end_time: secondsFrom(at, 20 * DAY),
    })
    const status = async () => (await call('GET', `/public/v1/listings/${listing.id}`)).body.status
    expect(await status()).toBe('SCHEDULED')
    await advance({ seconds: 10 * DAY + 1 })
    expect(await status()).toBe('ACTIVE')
    await advance({ seconds: 10 * DAY })
    expect(await status()).toBe('EXPIRED')
  })

  test('a voucher expires, on the local chain as well', async () => {
    const { itemIds, collectionId } = await makeOnChainCollection(organization, chain)
    await systemClient().collection.update({ where: { id: collectionId }, data: { following: true } })
    const email = `${newId()}@example.com`
    const claim = await createClaim(organization.ctx, { email, item_id: itemIds[0]!, tx_payer: 'BUYER' })
    const ctx = (await claimContext(claim.claim_url!.split('/').at(-1)!, caller)) as Context
    await sendPin(ctx)
    const redeemed = await redeemClaim(ctx, { address: makeRandomAddress(), pin: await mailbox.pinOf(email) })
    const expire = () => expireVouchers(systemContext('test'), ports().chains.get(31337)!)
    expect(await expire()).toBe(0)
    await advance({ duration: 'P8D' })
    const { timestamp } = await chain.client.getBlock()
    expect(Number(timestamp)).toBeGreaterThan(redeemed.voucher!.voucher.expiry)
    expect(Math.abs(Number(timestamp) * 1000 - now().getTime())).toBeLessThan(30_000)
    expect(await expire()).toBe(1)
  })

  test('a session ends', async () => {
    const token = await makeSession(organization.userId, { expires: secondsFrom(now(), DAY) })
    expect(await findSession(token)).not.toBeNull()
    await advance({ duration: 'P1DT1S' })
    expect(await findSession(token)).toBeNull()
  })
})

describe('what keeps real time', () => {
  test('a webhook’s time stamp and its lease keep it', async () => {
    await advance({ duration: 'P1W' })
    const { receiver, deliveries } = await makeWebhook(organization)
    await recordTestEvent(organization)
    await deliverDue()
    const [received] = receiver.received
    expect(Math.abs(Number(received!.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300)
    expect((await deliveries())[0]!.state).toBe('DELIVERED')
  })

  test('a limit’s window keeps it', async () => {
    const windows = new Map()
    expect((await takePermit(windows, 'clock-test', 1, DAY)).isGranted).toBe(true)
    await advance({ duration: 'P2D' })
    expect((await takePermit(windows, 'clock-test', 1, DAY)).isGranted).toBe(false)
    expect((await takePermit(new Map(), 'clock-test', 1, DAY)).isGranted).toBe(false)
  })
})

describe('the clock', () => {
  test('is read by GET, and followed by a process that starts later', async () => {
    const { body } = await advance({ seconds: 60 })
    const read = await (await readClock(new Request(ORIGIN))).json()
    expect(read).toMatchObject({ ahead_seconds: body.ahead_seconds })
    expect(Date.parse(body.now) - Date.parse(body.real_now)).toBe(body.ahead_seconds * 1000)
    setBusinessTimeAhead(0)
    await readSandboxClock(systemContext('test'))
    expect(Math.round((now().getTime() - realNow().getTime()) / 1000)).toBe(body.ahead_seconds)
  })

  test('moves a chain again whose node has lost its time', async () => {
    await chain.node.request({ method: 'evm_setTime', params: [Math.floor(Date.now() / 1000)] } as never)
    await advance({ duration: 'P1D' })
    await moveLocalChains(systemContext('test'))
    const { timestamp } = await chain.client.getBlock()
    expect(Math.abs(Number(timestamp) * 1000 - now().getTime())).toBeLessThan(30_000)
  })

  test.each([
    [{}, 'seconds'],
    [{ seconds: 1, duration: 'PT1S' }, 'seconds'],
    [{ seconds: -1 }, 'seconds'],
    [{ seconds: 'soon' }, 'seconds'],
    [{ duration: 'P1Y' }, 'duration'],
    [{ duration: 'P' }, 'duration'],
    [{ duration: 'P9999W' }, 'duration'],
    [{ until: 'tomorrow' }, 'until'],
  ])('%j is refused, naming %s', async (sent, field) => {
    const { status, body } = await advance(sent)
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', field])
  })

  test('is at most ten years ahead, and stays where it is when more is asked', async () => {
    const before = now().getTime()
    expect((await advance({ seconds: 3650 * DAY })).body.detail).toContain('ten years')
    expect(now().getTime() - before).toBeLessThan(60_000)
  })

  test('takes JSON only, which pages of other sites can’t send', async () => {
    expect((await advance({ seconds: 1 }, { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('exists in a sandbox only', async () => {
    env.VITRINE_SANDBOX = false
    expect((await advance({ seconds: 1 })).status).toBe(404)
    expect((await readClock(new Request(ORIGIN))).status).toBe(404)
  })
})
