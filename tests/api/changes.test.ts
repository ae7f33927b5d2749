import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Context, inTransaction } from '../../lib/platform/auth/context.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { redact } from '../../lib/core/redact.ts'
import { advanceEscrowById } from '../../lib/onchain/escrows/advance-escrow.ts'
import { advanceMint } from '../../lib/onchain/mints/advance-mint.ts'
import { advanceTransfer } from '../../lib/onchain/transfers/advance-transfer.ts'
import { endLongPollsAt } from '../../lib/platform/http/long-poll.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeRandomAddress, sendClaim } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { ask, frontDoor } from '../support/front-door.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { addPins, redeem } from '../support/redeemable-claims.ts'
import { makeRows } from '../support/rows.ts'
import {
  buy,
  connectCards,
  deliverCardEvents,
  FREE_PRICE,
  makeAddressBuyer,
  makeListing,
  pay,
} from '../support/selling.ts'

let mine: TestOrganization
beforeEach(async () => {
  resetClock()
  installFakeChain()
  mine = await makeOrganization()
})

let clients = 0
/** What a page does: it asks for the version, and waits for another one. Each is another client's. */
async function open(path: string, query: Record<string, string> = {}) {
  const headers = { 'x-client-address': `192.0.2.${++clients % 250}` }
  const at = (more: Record<string, string> = {}) => `${path}/changes?${new URLSearchParams({ ...query, ...more })}`
  let { status, body } = await call('GET', at(), { headers })
  expect(status).toBe(200)
  return {
    version: () => body.version as string,
    /** Waits until the version is another one. */
    async change(seconds = 30) {
      const before = body.version as string
      ;({ status, body } = await call('GET', at({ after: before, wait: String(seconds) }), { headers }))
      return { status, changed: body.version !== before }
    },
  }
}

const pathOf = {
  listing: (id: string) => `/public/v1/listings/${id}`,
  claim: (token: string) => `/public/v1/email-claims/${token}`,
  purchase: (id: string) => `/public/v1/purchase-intents/${id}`,
}
const FREE = { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] }
const CHANGED = { status: 200, changed: true }
const SAME = { status: 200, changed: false }

test('who shows a listing hears of new limits, of each unit that is sold, of a pause, and that it is hidden', async () => {
  const { id } = await makeListing(mine, {
    ...FREE,
    quantity_listed: 2,
    item: { tokenType: 'ERC1155', maxSupply: 2n },
  })
  const limited = await makeListing(mine, FREE)
  const admin = callerOf(mine.key)
  const [page, other] = [await open(pathOf.listing(id)), await open(pathOf.listing(limited.id))]
  const [heard, heardOfLimits] = [page.change(), other.change()]
  expect((await buy(id, { buyer: makeAddressBuyer() })).status).toBe(201)
  expect((await admin.patch(`/v1/listings/${limited.id}`, { end_time: in20Minutes() })).status).toBe(200)
  expect(await heard).toEqual(CHANGED)
  expect(await heardOfLimits).toEqual(CHANGED)

  const paused = page.change()
  expect((await admin.patch(`/v1/listings/${id}`, { status: 'PAUSED' })).status).toBe(200)
  expect(await paused).toEqual(CHANGED)

  const hidden = page.change()
  await mine.ctx.db.listing.updateMany({ where: { id }, data: { status: 'DRAFT' } })
  expect(await hidden).toMatchObject({ status: 404 })
})

test('who shows a claim hears that it was revoked, has expired, is on its way and has arrived', async () => {
  const [revoked, expiring] = [await sendClaim(mine, {}), await sendClaim(mine, { expiration: in20Minutes() })]
  const delivered = await sendClaim(mine, {})
  const [ofRevoked, ofExpiring, ofDelivered] = await Promise.all(
    [revoked.token, expiring.token, delivered.token].map((token) => open(pathOf.claim(token))),
  )
  const heard = [ofRevoked!.change(), ofExpiring!.change(), ofDelivered!.change()]
  expect((await callerOf(mine.key).delete(`/v1/email-claims/${revoked.id}`)).status).toBeLessThan(300)
  const [pinned] = await addPins(mine, [delivered])
  await redeem({ ...pinned!, token: delivered.token }, makeRandomAddress())
  moveClock(21 * 60_000)
  expect(await Promise.all(heard)).toEqual([CHANGED, CHANGED, CHANGED])

  for (const to of ['SUBMITTED', 'COMPLETED'] as const) {
    const next = ofDelivered!.change()
    await inTransaction(mine.ctx, async (tx) => {
      const mint = await tx.db.mintRequest.findFirstOrThrow({ where: { claimId: delivered.id } })
      await advanceMint(tx, mint, to, { txHash: `0x${'1'.repeat(64)}` })
    })
    expect(await next).toEqual(CHANGED)
  }
})
const in20Minutes = () => new Date(Date.now() + 20 * 60_000)

test('a link that was replaced hears that, and of nothing that happens to the new one', async () => {
  const claim = await sendClaim(mine, {})
  const page = await open(pathOf.claim(claim.token))
  const heard = page.change()
  const { status, body } = await callerOf(mine.key).post(`/v1/email-claims/${claim.id}/resend`, { new_link: true })
  expect(status).toBeLessThan(300)
  expect(await heard).toEqual(CHANGED)
  const other = await sendClaim(mine, {})
  await callerOf(mine.key).post(`/v1/email-claims/${other.id}/resend`, { new_link: true })
  const stranger = await open(pathOf.claim(other.token))
  expect(stranger.version()).toBe(page.version())

  const later = page.change(3)
  const newest = await open(pathOf.claim((body.claim_url as string).split('/').at(-1)!))
  const revoked = newest.change()
  await callerOf(mine.key).delete(`/v1/email-claims/${claim.id}`)
  expect(await revoked).toEqual(CHANGED)
  expect(await later).toEqual(SAME)
})

test('who has a purchase’s secret hears that it was paid; nobody else hears anything', async () => {
  await connectCards(mine)
  const { id: listingId } = await makeListing(mine)
  const { body: purchase } = await buy(listingId)
  const page = await open(pathOf.purchase(purchase.id), { secret: purchase.secret })
  const heard = page.change()
  await pay(purchase.data)
  await deliverCardEvents()
  expect(await heard).toEqual(CHANGED)
  for (const query of ['', `?secret=${'x'.repeat(43)}`])
    expect((await call('GET', `${pathOf.purchase(purchase.id)}/changes${query}`)).status).toBe(404)
  const tooLong = await call('GET', `${pathOf.purchase(purchase.id)}/changes?secret=${purchase.secret}&wait=31`)
  expect([tooLong.status, tooLong.body.code]).toEqual([400, 'invalid_request'])
  expect((await call('GET', `${pathOf.listing(newId())}/changes`)).status).toBe(404)
  expect((await call('GET', `${pathOf.claim('x'.repeat(43))}/changes`)).status).toBe(404)
})

test('who shows a transfer hears that it is sent, has arrived, and where its token is kept', async () => {
  const { transfer_id: id } = await makeRows(mine)
  const { transactionId } = await mine.ctx.db.signedTransfer.findFirstOrThrow({ where: { id } })
  const page = await open(`/public/v1/transfers/${id}`)
  const hears = async (change: (tx: Context) => Promise<void>) => {
    const heard = page.change()
    await inTransaction(mine.ctx, change)
    expect(await heard).toEqual(CHANGED)
  }
  const carrier = { id: transactionId, txType: 'SIGNED_TRANSFER' } as const
  await hears((tx) => advanceTransfer(tx, carrier, 'SUBMITTED', { txHash: `0x${'1'.repeat(64)}` }))
  await hears((tx) => advanceTransfer(tx, carrier, 'COMPLETED'))
  for (const to of ['HELD', 'OFFERED', 'RETURNING'] as const) await hears((tx) => advanceEscrowById(tx, id!, to))
  expect(await page.change(1)).toEqual(SAME)
  expect((await call('GET', `/public/v1/transfers/${newId()}/changes`)).status).toBe(404)
})

test('a process asks once a second for all that its pages show, each thing once', async () => {
  const listings = [await makeListing(mine, FREE), await makeListing(mine, FREE)]
  const others = await makeOrganization()
  const claims = [await sendClaim(mine, {}), await sendClaim(mine, {}), await sendClaim(others, {})]
  const paths = [...listings.map(({ id }) => pathOf.listing(id)), ...claims.map(({ token }) => pathOf.claim(token))]
  const pages = await Promise.all(Array.from({ length: 60 }, (_, at) => open(paths[at % paths.length]!)))
  // What each request asks at first is over once the first poll is.
  const waiting = pages.map((page) => page.change(4))
  await pages[0]!.change(1)
  const { roundTrips, statements } = await countRoundTrips(async () => {
    expect(await Promise.all(waiting)).toEqual(pages.map(() => SAME))
  })
  const ofListings = roundTrips.filter((text) => text.includes('FROM listings l'))
  const ofClaims = roundTrips.filter((text) => text.includes('FROM email_claims e'))
  expect(ofListings.length + ofClaims.length).toBe(roundTrips.length)
  for (const polls of [ofListings, ofClaims]) {
    expect(polls.length).toBeGreaterThan(0)
    expect(polls.length).toBeLessThanOrEqual(5) // a poll a second
  }
  // One for all listings; for the claims of each organization one, and one that begins to read as it. A poll may be
  // under way at the beginning.
  expect(statements).toBeLessThanOrEqual(ofListings.length + 4 * ofClaims.length)
})

test('50 pages of a client wait at once; another client still may, and all are answered when the process stops', async () => {
  const { id } = await makeListing(mine, FREE)
  const path = `${pathOf.listing(id)}/changes`
  const wait = async (client: string) => {
    const headers = { 'x-client-address': client }
    const { body } = await call('GET', path, { headers })
    return call('GET', `${path}?after=${body.version}&wait=30`, { headers })
  }
  const pages = Array.from({ length: 51 }, () => wait('198.51.100.1'))
  expect(await Promise.race(pages)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  const ending = new AbortController()
  endLongPollsAt(ending.signal)
  onTestFinished(() => endLongPollsAt(new AbortController().signal))
  const other = wait('198.51.100.2')
  await call('GET', path)
  ending.abort()
  expect((await other).status).toBe(200)
  expect((await Promise.all(pages)).map(({ status }) => status).sort()).toEqual([...Array(50).fill(200), 429])
})

test('a waiting page holds no turn of the front door', async () => {
  const { id } = await makeListing(mine, FREE)
  const server = await frontDoor(undefined, { atOnce: 1, waiting: 10, seconds: 1 })
  const path = `${server.url}${pathOf.listing(id)}`
  const { version } = JSON.parse((await ask(`${path}/changes`)).body) as { version: string }
  const page = { answer: ask(`${path}/changes?after=${version}&wait=3`), isOver: false }
  void page.answer.then(() => (page.isOver = true))
  expect((await ask(path)).status).toBe(200)
  expect(page.isOver).toBe(false)
  expect((await page.answer).status).toBe(200)
})

test('a log of such a request names no token and no secret', () => {
  const secret = 'A'.repeat(43)
  expect(redact(`/public/v1/email-claims/${secret}/changes?wait=25`)).not.toContain(secret)
  expect(redact(`/public/v1/purchase-intents/${newId()}/changes?wait=25&secret=${secret}`)).not.toContain(secret)
})
