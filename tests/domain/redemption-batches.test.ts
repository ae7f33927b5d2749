import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Context, withIdempotency } from '../../lib/platform/auth/context.ts'
import { AppError } from '../../lib/core/errors.ts'
import { disconnect } from '../../lib/db/client.ts'
import { call } from '../../lib/db/statements.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import type { Redemption } from '../../lib/giving/redemptions/judge-redemptions.ts'
import { readRedeemable } from '../../lib/giving/redemptions/read-redeemable.ts'
import { redeemTogether } from '../../lib/giving/redemptions/redeem-together.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { voucherRowOf } from '../../lib/onchain/vouchers/issue-voucher.ts'
import { signVoucher } from '../../lib/onchain/vouchers/sign-voucher.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { caller, installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { addPins, makeRedeemableClaims, type RedeemableClaim } from '../support/redeemable-claims.ts'

let organization: TestOrganization

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
})
afterEach(async () => expect(await verifyRecords(systemContext('test'))).toEqual([]))

/** Claims of as many items of one collection. */
async function makeClaims(count: number): Promise<RedeemableClaim[]> {
  const { collectionId, itemIds } = await makePool(organization, count)
  return makeRedeemableClaims(organization, collectionId, itemIds)
}

type Asked = { pin?: string } & Pick<Context, 'signal' | 'storingResult'>

async function orderOf(
  claim: RedeemableClaim,
  { pin = claim.pin, signal, storingResult }: Asked = {},
): Promise<Redemption> {
  const ctx = withIdempotency(await claimContext(claim.token, { ...caller, signal }), { storingResult })
  return { ctx, claim: await readRedeemable(ctx), shown: { pin }, mintTo: makeRandomAddress() }
}

/** Redeems all of them, which come at once and are one batch. Says what became of each. */
async function inOneBatch(orders: readonly Redemption[], redeem = redeemTogether): Promise<string[]> {
  const outcomes = await Promise.allSettled(orders.map((order) => redeem(order)))
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value.is : ((outcome.reason as { code?: string }).code ?? 'failed'),
  )
}

const wrongOf = ({ pin }: RedeemableClaim) => (pin === '000000' ? '111111' : '000000')
const claimRow = ({ id }: RedeemableClaim) => organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id } })
const pinRow = ({ id }: RedeemableClaim) => organization.ctx.db.pin.findFirstOrThrow({ where: { claimId: id } })
const mintsOf = (claims: readonly RedeemableClaim[]) =>
  organization.ctx.db.mintRequest.findMany({ where: { claimId: { in: claims.map(({ id }) => id) } } })

test('a batch writes a mint request, a hold, an event and an audit entry of each redemption, in one transaction to send', async () => {
  const claims = await makeClaims(4)
  const orders = await Promise.all(claims.map((claim) => orderOf(claim)))
  expect(await inOneBatch(orders)).toEqual(Array(4).fill('minted'))
  const mints = await mintsOf(claims)
  expect(new Set(mints.map(({ requestNumber }) => requestNumber)).size).toBe(4)
  expect(new Set(mints.map(({ transactionId }) => transactionId)).size).toBe(1)
  const [{ transactionId: id }] = mints as [(typeof mints)[number]]
  expect(await organization.ctx.db.transaction.findFirstOrThrow({ where: { id } })).toMatchObject({ mintCount: 4 })
  for (const [at, { id: claimId, itemId }] of claims.entries()) {
    const mint = mints.find((each) => each.claimId === claimId)!
    expect(mint).toMatchObject({ itemId, toAddress: orders[at]!.mintTo, state: 'WAITING' })
    expect(await organization.ctx.db.hold.findMany({ where: { itemId } })).toMatchObject([
      { holderType: 'MINT_REQUEST', holderId: mint.id, state: 'HELD' },
    ])
    const event = await organization.ctx.db.event.findFirstOrThrow({ where: { type: 'claim.redeemed', key: mint.id } })
    expect(event.data).toMatchObject({ email_claim_id: claimId, mint_request_id: mint.id, item_id: itemId })
    const entries = await organization.ctx.db.auditEntry.findMany({ where: { subjectId: claimId } })
    expect(entries).toMatchObject([{ action: 'email_claim.redeemed', actorType: 'claim', actorId: claimId }])
    expect(await pinRow(claims[at]!)).toMatchObject({ state: 'USED' })
  }
})

test('guesses at one claim in one batch are judged one after another, and each wrong one counts', async () => {
  const [first, claim] = (await makeClaims(2)) as [RedeemableClaim, RedeemableClaim]
  const wrong = await Promise.all(Array.from({ length: 5 }, () => orderOf(claim, { pin: wrongOf(claim) })))
  const outcomes = await inOneBatch([await orderOf(first), ...wrong, await orderOf(claim)])
  expect(outcomes).toEqual(['minted', ...Array<string>(5).fill('pin_wrong'), 'pin_expired'])
  expect(await claimRow(claim)).toMatchObject({ state: 'OPEN', wrongPins: 5, linkWrongPins: 5 })
  expect(await pinRow(claim)).toMatchObject({ state: 'VOID', wrongTries: 5 })
})

test('of two right PINs after a wrong one in one batch the first redeems, and the wrong one stays counted', async () => {
  const [first, claim] = (await makeClaims(2)) as [RedeemableClaim, RedeemableClaim]
  const orders = [
    await orderOf(first),
    await orderOf(claim, { pin: wrongOf(claim) }),
    await orderOf(claim),
    await orderOf(claim),
  ]
  expect(await inOneBatch(orders)).toEqual(['minted', 'pin_wrong', 'minted', 'claim_already_claimed'])
  expect(await claimRow(claim)).toMatchObject({ state: 'REDEEMED', toAddress: orders[2]!.mintTo, linkWrongPins: 1 })
  expect(await mintsOf([claim])).toHaveLength(1)
})

test('the 20th wrong PIN of a claim locks it in its batch, with an audit entry', async () => {
  const [first, claim] = (await makeClaims(2)) as [RedeemableClaim, RedeemableClaim]
  await organization.ctx.db.emailClaim.update({ where: { id: claim.id }, data: { wrongPins: 19 } })
  const orders = [await orderOf(first), await orderOf(claim, { pin: wrongOf(claim) }), await orderOf(claim)]
  expect(await inOneBatch(orders)).toEqual(['minted', 'pin_wrong', 'claim_locked'])
  expect(await claimRow(claim)).toMatchObject({ state: 'LOCKED', wrongPins: 20 })
  const entries = await organization.ctx.db.auditEntry.findMany({ where: { subjectId: claim.id } })
  expect(entries).toMatchObject([{ action: 'email_claim.locked', after: { state: 'LOCKED', why: '20 wrong PINs' } }])
})

test('a redemption that the database refuses fails alone, and its PIN still works', async () => {
  const claims = await makeClaims(5)
  const refused = claims[3]!
  const storingResult = () => call({ name: '', text: 'SELECT 1 / 0' })
  const orders = await Promise.all(
    claims.map((claim) => orderOf(claim, claim === refused ? { storingResult, signal: undefined } : {})),
  )
  expect(await inOneBatch(orders)).toEqual(['minted', 'minted', 'minted', '22012', 'minted'])
  expect([await claimRow(refused), await pinRow(refused)]).toMatchObject([{ state: 'OPEN' }, { state: 'OPEN' }])
  expect(await inOneBatch([await orderOf(refused)])).toEqual(['minted'])
})

test('what changed since the claim was read decides: a new link, a token in custody, a client that was told no', async () => {
  const operator = makeRandomAddress()
  replacePorts({ keys: { ...ports().keys, operators: [operator] } })
  const claims = await makeClaims(4)
  const [replaced, kept, gone, late] = claims as [RedeemableClaim, RedeemableClaim, RedeemableClaim, RedeemableClaim]
  const waiting = new AbortController()
  const orders = [
    await orderOf(replaced),
    await orderOf(kept),
    await orderOf(gone),
    await orderOf(late, { signal: waiting.signal, storingResult: undefined }),
  ]
  const keepBy = (claim: RedeemableClaim, custodian: string | null) =>
    organization.ctx.db.item.update({ where: { id: claim.itemId }, data: { custodian } })
  await resendClaim(organization.ctx, replaced.id, { email: 'another@example.com' })
  await keepBy(kept, operator)
  await keepBy(gone, makeRandomAddress())
  waiting.abort(new AppError('unavailable', 'The request took too long.'))
  expect(await inOneBatch(orders)).toEqual(['claim_not_active', 'minted', 'operator_gone', 'unavailable'])
  expect(await mintsOf([replaced, gone, late])).toEqual([])
  expect([await pinRow(gone), await pinRow(late)]).toMatchObject([{ state: 'OPEN' }, { state: 'OPEN' }])
  // Its custodian hands it over.
  const [mint] = await mintsOf([kept])
  const carrier = await organization.ctx.db.transaction.findFirst({ where: { id: mint!.transactionId } })
  const payload = { item_id: kept.itemId, from: operator, to: mint!.toAddress, quantity: '1' }
  expect(carrier).toMatchObject({ txType: 'TRANSFER_TOKEN', payload, mintCount: 1 })
  await keepBy(kept, null)
  await keepBy(gone, null)
})

test('vouchers are issued in the batch that redeems others, and one that isn’t the pending one any more is refused', async () => {
  const [minted, fresh, again, late] = (await makeClaims(4)) as [
    RedeemableClaim,
    RedeemableClaim,
    RedeemableClaim,
    RedeemableClaim,
  ]
  const dueFor = async (claim: RedeemableClaim): Promise<Redemption> => {
    const order = await orderOf(claim)
    const signed = await signVoucher(order.ctx, order.claim, order.mintTo!)
    const row = voucherRowOf(order.ctx, { claimId: claim.id }, signed, order.ctx.now())
    return { ...order, mintTo: null, voucher: { row, isNew: true } }
  }
  const [issued, first] = [await dueFor(fresh), await dueFor(again)]
  expect(await inOneBatch([await orderOf(minted), issued, first])).toEqual(['minted', 'issued', 'issued'])
  expect(await claimRow(fresh)).toMatchObject({
    state: 'OPEN',
    toAddress: issued.voucher!.row.minter,
    redeemedAt: expect.any(Date),
  })
  expect([await pinRow(fresh), await pinRow(again)]).toMatchObject([{ state: 'USED' }, { state: 'USED' }])
  const vouchers = await organization.ctx.db.voucher.findMany({ where: { claimId: fresh.id } })
  expect(vouchers).toMatchObject([{ id: issued.voucher!.row.id, state: 'PENDING' }])
  const event = await organization.ctx.db.event.findFirstOrThrow({
    where: { type: 'claim.redeemed', key: vouchers[0]!.id },
  })
  expect(event.data).toMatchObject({ email_claim_id: fresh.id, voucher_id: vouchers[0]!.id })

  const [pin] = await addPins(organization, [again])
  const pending = { row: first.voucher!.row, isNew: false }
  const orders = [
    { ...(await dueFor(late)), voucher: pending },
    { ...(await dueFor(again)), shown: { pin: pin!.pin } },
    { ...(await orderOf(again, pin)), mintTo: null, voucher: pending },
  ]
  expect(await inOneBatch(orders)).toEqual(['conflict', 'conflict', 'issued'])
  expect(await pinRow(late)).toMatchObject({ state: 'OPEN' })
})

/** The same code with queues and connections of its own, as in another process. */
async function loadAgain(): Promise<typeof redeemTogether> {
  const shared = globalThis as { vitrine?: unknown }
  const own = { vitrine: shared.vitrine }
  delete shared.vitrine
  vi.resetModules()
  const { redeemTogether: again } = await import('../../lib/giving/redemptions/redeem-together.ts')
  const client = await import('../../lib/db/client.ts')
  Object.assign(shared, own)
  onTestFinished(async () => {
    await client.disconnect()
    vi.resetModules()
    await disconnect()
  })
  return again
}

test('20 claims redeemed at two processes at once make 20 mints', async () => {
  const claims = await makeClaims(20)
  const orders = await Promise.all(claims.map((claim) => orderOf(claim)))
  const [here, there] = await Promise.all([
    inOneBatch(orders),
    inOneBatch(orders.toReversed(), await loadAgain()).then((outcomes) => outcomes.toReversed()),
  ])
  for (const [at, outcome] of here.entries())
    expect([outcome, there[at]].toSorted()).toEqual(['claim_already_claimed', 'minted'])
  expect(await mintsOf(claims)).toHaveLength(20)
})

test('a redemption takes four round trips, and a wrong PIN no more', async () => {
  const claims = await makeClaims(2)
  const redeem = async (claim: RedeemableClaim, pin: string) => {
    const ctx = await claimContext(claim.token, caller)
    return redeemClaim(ctx, { address: makeRandomAddress(), pin }).catch(({ code }: { code: string }) => code)
  }
  await redeem(claims[0]!, claims[0]!.pin)
  const wrong = await countRoundTrips(() => redeem(claims[1]!, wrongOf(claims[1]!)))
  expect([wrong.result, wrong.roundTrips.length]).toEqual(['pin_wrong', 4])
  const right = await countRoundTrips(() => redeem(claims[1]!, claims[1]!.pin))
  expect([right.result, right.roundTrips.length]).toEqual([{ status: 'CLAIMED', voucher: null }, 4])
})
