import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { withIdempotency } from '../../lib/platform/auth/context.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import { revokeClaim } from '../../lib/giving/revoke-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { resetClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { call } from '../../lib/db/statements.ts'
import { refuseUpdates } from '../support/as-owner.ts'
import { makeRandomAddress, makeItem, installFakeChain, sendClaim, type SentClaim } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

// Without the per-process queue, as if each request ran in its own process: the database alone must hold the rules.
vi.mock('../../lib/core/serialize-by-key.ts', () => ({
  serializeByKey: <T>(_key: string, work: () => Promise<T>) => work(),
}))
vi.mock('../../lib/core/group-commit.ts', () => ({
  carryOutTogether: async <T, R>({ work }: { work: (orders: readonly T[]) => Promise<readonly R[]> }, order: T) =>
    (await work([order]))[0],
}))
afterAll(() => {
  vi.doUnmock('../../lib/core/serialize-by-key.ts')
  vi.doUnmock('../../lib/core/group-commit.ts')
})

let mailbox: Mailbox
let organization: TestOrganization

beforeAll(async () => {
  mailbox = await startMailbox()
  installFakeChain()
  organization = await makeOrganization()
})
beforeEach(resetClock)

/** Runs `work` many times at once and counts the outcomes: `ok` or the error code. */
async function outcomes(count: number, work: (at: number) => Promise<unknown>): Promise<Record<string, number>> {
  const all = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      work(at).then(
        () => 'ok',
        (error: { code?: string; message: string }) => error.code ?? error.message,
      ),
    ),
  )
  return all.reduce<Record<string, number>>((sums, outcome) => ({ ...sums, [outcome]: (sums[outcome] ?? 0) + 1 }), {})
}

async function pinFor(claim: SentClaim): Promise<string> {
  await sendPin(claim.ctx)
  return mailbox.pinOf(claim.email)
}

test('60 redemptions at once with the right PIN make one mint request', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  const results = await outcomes(60, () => redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))
  expect(results.ok).toBe(1)
  expect(
    Object.keys(results).every((code) => ['ok', 'claim_already_claimed', 'pin_expired'].includes(code)),
    JSON.stringify(results),
  ).toBe(true)
  expect(await systemClient().mintRequest.count({ where: { claimId: claim.id } })).toBe(1)
})

test('50 redemptions of a voucher claim at once make one voucher', async () => {
  const claim = await sendClaim(organization, { txPayer: 'BUYER' })
  const pin = await pinFor(claim)
  const results = await outcomes(50, () => redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))
  expect(results.ok).toBe(1)
  expect(await systemClient().voucher.count({ where: { claimId: claim.id } })).toBe(1)
})

test('of 100 PIN guesses at once five get pin_wrong, and the others pin_expired', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  const guesses = Array.from({ length: 100 }, (_, at) => String(at).padStart(6, '0')).filter((guess) => guess !== pin)
  const results = await outcomes(guesses.length, (at) =>
    redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: guesses[at]! }),
  )
  expect(results).toEqual({ pin_wrong: 5, pin_expired: guesses.length - 5 })
  expect(await systemClient().emailClaim.findUniqueOrThrow({ where: { id: claim.id } })).toMatchObject({
    wrongPins: 5,
    state: 'OPEN',
  })
  expect(await systemClient().pin.findFirstOrThrow({ where: { claimId: claim.id } })).toMatchObject({
    wrongTries: 5,
    state: 'VOID',
  })
})

test('of 20 claims at once for one unit one is made, and 19 get sold_out', async () => {
  const { itemId } = await makeItem(organization)
  const results = await outcomes(20, (at) =>
    createClaim(organization.ctx, { email: `guest${at}@example.com`, item_id: itemId }),
  )
  expect(results).toEqual({ ok: 1, sold_out: 19 })
})

test('10 PIN requests at once send one mail', async () => {
  const claim = await sendClaim(organization)
  expect(await outcomes(10, () => sendPin(claim.ctx))).toEqual({ ok: 1, rate_limited: 9 })
  expect(
    await systemClient().outboxMessage.count({ where: { claimId: claim.id, templateType: 'CLAIM_PINCODE' } }),
  ).toBe(1)
})

test('redeemed and revoked at once: one of them succeeds, and the unit is counted once', async () => {
  for (let round = 0; round < 5; round++) {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    const [redeemed, revoked] = await Promise.allSettled([
      redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }),
      revokeClaim(organization.ctx, claim.id),
    ])
    expect([redeemed.status, revoked.status].sort()).toEqual(['fulfilled', 'rejected'])
    const { held } = await systemClient().item.findUniqueOrThrow({ where: { id: claim.itemId } })
    const mints = await systemClient().mintRequest.count({ where: { claimId: claim.id } })
    expect([held, mints]).toEqual(redeemed.status === 'fulfilled' ? [1n, 1] : [0n, 0])
  }
})

test('two address corrections at once make two new tokens, of which the last is the claim’s', async () => {
  const claim = await sendClaim(organization)
  await outcomes(2, (at) => resendClaim(organization.ctx, claim.id, { email: `corrected${at}-${claim.email}` }))
  const tokens = await systemClient().claimToken.findMany({
    where: { claimId: claim.id },
    orderBy: { generation: 'asc' },
  })
  expect(tokens.map(({ generation }) => generation)).toEqual([1, 2, 3])
  expect((await systemClient().emailClaim.findUniqueOrThrow({ where: { id: claim.id } })).generation).toBe(3)
})

test('a redemption whose transaction fails leaves the PIN usable', async () => {
  const claim = await sendClaim(organization)
  const pin = await pinFor(claim)
  const permit = await refuseUpdates('email_claims', `OLD.id = '${claim.id}'`)
  await expect(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin })).rejects.toThrow('This row is refused.')
  await permit()
  const failing = withIdempotency(claim.ctx, {
    storingResult: () => call({ name: 'test_fails', text: 'SELECT 1 / 0' }),
  })
  await expect(redeemClaim(failing, { address: makeRandomAddress(), pin })).rejects.toThrow('division by zero')
  expect(await systemClient().mintRequest.count({ where: { claimId: claim.id } })).toBe(0)
  expect(await systemClient().pin.findMany({ where: { claimId: claim.id } })).toMatchObject([
    { state: 'OPEN', wrongTries: 0 },
  ])
  expect((await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin })).status).toBe('CLAIMED')
})
