import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recoverTypedDataAddress, type Address, type Hex } from 'viem'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { voucherTypedData } from '../../lib/core/contracts/vouchers.ts'
import { expireClaims } from '../../lib/giving/expire-claims.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import { revokeClaim } from '../../lib/giving/revoke-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { ports } from '../../lib/ports/ports.ts'
import { voucherCancelled, voucherRedeemed, voucherUnredeemed } from '../../lib/onchain/vouchers/apply-voucher-fact.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { callerOf } from '../support/call.ts'
import { makeRandomAddress, installFakeChain, sendClaim, type SentClaim } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'
import { makeTerms } from '../support/voucher-terms.ts'

leaveDisagreements(
  'Vouchers are redeemed by hand, without a log of the chain.',
  'a voucher is redeemed exactly if a mint in the history used it, or a fact about it waits',
)

const DAY = 86_400_000
const ZERO = '0x0000000000000000000000000000000000000000'
const txHash = `0x${'cd'.repeat(32)}`
/** What is indexed holds no voucher back. */
const FAR_AHEAD = { number: 1_000_000n, rescannedTo: 1_000_000n }

let mailbox: Mailbox
let chain: ReturnType<typeof installFakeChain>
let organization: TestOrganization

beforeAll(async () => {
  mailbox = await startMailbox()
  chain = installFakeChain()
  organization = await makeOrganization()
  await systemClient().chainCursor.create({ data: { networkId: 31337, ...FAR_AHEAD } })
})
beforeEach(resetClock)
afterEach(resetClock)

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It was not refused.'),
    (error: { code: string }) => error.code,
  )
const heldOf = async (claim: SentClaim) =>
  (await systemClient().item.findUniqueOrThrow({ where: { id: claim.itemId } })).held
const voucherOf = (claim: SentClaim) =>
  systemClient().voucher.findFirstOrThrow({ where: { claimId: claim.id }, orderBy: { id: 'desc' } })
const applyChainFact = (work: typeof voucherRedeemed, voucherId: string) =>
  inTransaction(organization.ctx, (tx) => work(tx, { voucherId, txHash }))

async function redeem(claim: SentClaim, address: Address = makeRandomAddress()) {
  await sendPin(claim.ctx)
  return redeemClaim(claim.ctx, { address, pin: await mailbox.pinOf(claim.email) })
}

/** Sets the chain's clock to this time and expires vouchers by it. */
async function expireAt(time: Date): Promise<number> {
  chain.time = time
  return expireVouchers(systemContext('test'), ports().chains.get(31337)!)
}

describe('issuing a voucher', () => {
  test('redeeming returns a free voucher for the address, signed for its contract and network', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const minter = makeRandomAddress()
    const { status, voucher } = await redeem(claim, minter)
    expect(status).toBe('VOUCHER_ISSUED')
    expect(voucher).toMatchObject({
      minter,
      network_id: 31337,
      voucher: {
        currency: ZERO,
        initial_recipient: ZERO,
        net_recipient: ZERO,
        initial_recipient_amount: '0',
        price: '0',
        quantity: 1,
        token_id: '1',
        token_uri: null,
        nonce: expect.any(Number),
      },
    })
    const { voucher: terms, contract, signature } = voucher!
    const signer = await recoverTypedDataAddress({
      ...voucherTypedData(
        31337,
        contract as Address,
        makeTerms({ minter, nonce: BigInt(terms.nonce), expiry: BigInt(terms.expiry) }),
      ),
      signature: signature as Hex,
    })
    expect(signer).toBe(ports().keys.voucherSigner(claim.collectionId))
    expect(terms.expiry * 1000 - now().getTime()).toBeGreaterThan(6.9 * DAY)
    expect(await heldOf(claim)).toBe(1n)
    expect(await getClaimView(claim.ctx)).toMatchObject({
      is_active: true,
      is_claimed: false,
      voucher,
      delivery: { state: 'NOT_STARTED' },
    })
    expect(await getClaim(organization.ctx, claim.id)).toMatchObject({
      claimed: false,
      claimed_at: null,
      to_address: minter,
      voucher_id: expect.any(String),
    })
  })

  test('a voucher never outlives its claim', async () => {
    const expiration = new Date(Math.floor(Date.now() / 1000) * 1000 + DAY)
    const { voucher } = await redeem(await sendClaim(organization, { txPayer: 'BUYER', expiration }))
    expect(voucher!.voucher.expiry).toBe(expiration.getTime() / 1000)
  })

  test('redeeming again returns the pending voucher, for any address', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const first = await redeem(claim)
    moveClock(61_000)
    expect(await redeem(claim)).toEqual(first)
    expect(await systemClient().voucher.count({ where: { claimId: claim.id } })).toBe(1)
  })

  test('a voucher’s nonce is the collection’s next request number', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER', tokenType: 'ERC1155', maxSupply: null })
    const before = (await systemClient().collection.findUniqueOrThrow({ where: { id: claim.collectionId } }))
      .nextRequestId
    const { voucher } = await redeem(claim)
    expect(voucher!.voucher.nonce).toBe(Number(before))
    expect(
      (await systemClient().collection.findUniqueOrThrow({ where: { id: claim.collectionId } })).nextRequestId,
    ).toBe(before + 1n)
  })

  test('a claim with a voucher on a foreign contract is refused', async () => {
    const { itemId, collectionId } = await sendClaim(organization, { tokenType: 'ERC1155', maxSupply: null })
    await organization.ctx.db.collection.update({ where: { id: collectionId }, data: { deploymentType: 'EXTERNAL' } })
    const answer = await callerOf(organization.key).post('/v1/email-claims', {
      email: 'ada@example.com',
      item_id: itemId,
      tx_payer: 'BUYER',
    })
    expect([answer.status, answer.body.code]).toEqual([422, 'voucher_unsupported'])
  })
})

describe('redemption and expiry on the chain', () => {
  test('a voucher redeemed on the chain claims its claim with one mail and one event, despite a reorg', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const minter = makeRandomAddress()
    await redeem(claim, minter)
    const { id } = await voucherOf(claim)
    await applyChainFact(voucherRedeemed, id)
    expect(await getClaimView(claim.ctx)).toMatchObject({
      is_active: false,
      is_claimed: true,
      inactive_reason: 'CLAIMED',
      voucher: null,
      delivery: { state: 'CONFIRMED', tx_hash: txHash },
    })
    await applyChainFact(voucherUnredeemed, id)
    expect(await getClaimView(claim.ctx)).toMatchObject({
      is_active: true,
      is_claimed: false,
      voucher: { minter },
      delivery: { state: 'NOT_STARTED', tx_hash: null },
    })
    await applyChainFact(voucherRedeemed, id)
    await applyChainFact(voucherRedeemed, id)
    await mailbox.deliver(claim.email)
    expect(mailbox.mailsTo(claim.email).filter(({ subject }) => subject!.includes('has arrived'))).toHaveLength(1)
    const events = await systemClient().event.findMany({
      where: { data: { path: ['email_claim_id'], equals: claim.id } },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ type }) => type)).toEqual(['claim.created', 'claim.redeemed', 'claim.delivered'])
    expect(await refusal(redeem(claim))).toBe('claim_already_claimed')
  })

  test('a voucher expires by the chain’s clock, not ours; then a new one can be issued', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const { voucher: first } = await redeem(claim)
    const end = first!.voucher.expiry * 1000
    moveClock(end - now().getTime() + 1000)
    await expireAt(new Date(end))
    expect((await voucherOf(claim)).state).toBe('PENDING')
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: true, voucher: null })
    expect(await refusal(redeem(claim))).toBe('voucher_running_out')
    expect(await expireAt(new Date(end + 1000))).toBeGreaterThan(0)
    expect((await voucherOf(claim)).state).toBe('EXPIRED')
    expect(await heldOf(claim)).toBe(1n)
    moveClock(61_000)
    const { voucher: second } = await redeem(claim, makeRandomAddress())
    expect(second!.voucher.nonce).toBeGreaterThan(first!.voucher.nonce)
  })

  test('a voucher doesn’t expire while the indexer may be missing logs of its last second', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const { voucher } = await redeem(claim)
    const late = new Date(voucher!.voucher.expiry * 1000 + 1000)
    await organization.ctx.db.collection.update({
      where: { id: claim.collectionId },
      data: { following: false, indexedTo: chain.head - 1n },
    })
    await expireAt(late)
    expect((await voucherOf(claim)).state).toBe('PENDING')
    await organization.ctx.db.collection.update({ where: { id: claim.collectionId }, data: { indexedTo: chain.head } })
    await expireAt(late)
    expect((await voucherOf(claim)).state).toBe('EXPIRED')
  })

  test('a voucher doesn’t expire by a block that isn’t indexed yet, or whose logs weren’t read twice', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const { voucher } = await redeem(claim)
    const end = voucher!.voucher.expiry * 1000
    const known = ports().chains.get(31337)!
    const lateFrom = chain.head - 5n
    const block = async (number: bigint) => ({
      ...(await known.block(number))!,
      timestamp: new Date(number < lateFrom ? end : end + 1000),
    })
    const expiredWith = async (finality: 'never' | 'tag', cursor: { number: bigint; rescannedTo: bigint }) => {
      const finalized = () => Promise.resolve(finality === 'tag' ? chain.head : null)
      await systemClient().chainCursor.update({ where: { networkId: 31337 }, data: cursor })
      await expireVouchers(systemContext('test'), {
        ...known,
        network: { ...known.network, finality },
        block,
        finalized,
      })
      return (await voucherOf(claim)).state
    }
    const [before, after] = [lateFrom - 1n, lateFrom]
    expect(await expiredWith('never', { number: before, rescannedTo: chain.head })).toBe('PENDING')
    expect(await expiredWith('tag', { number: before, rescannedTo: chain.head })).toBe('PENDING')
    expect(await expiredWith('tag', { number: chain.head, rescannedTo: before })).toBe('PENDING')
    expect(await expiredWith('tag', { number: after, rescannedTo: after })).toBe('EXPIRED')
    await systemClient().chainCursor.update({ where: { networkId: 31337 }, data: FAR_AHEAD })
  })

  test('an expired claim holds its unit until its voucher has expired', async () => {
    const expiration = new Date(Math.floor(Date.now() / 1000) * 1000 + DAY)
    const claim = await sendClaim(organization, { txPayer: 'BUYER', expiration })
    await redeem(claim)
    moveClock(DAY + 1000)
    await expireClaims(systemContext('test'))
    expect(await heldOf(claim)).toBe(1n)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'EXPIRED' })
    await expireAt(new Date(expiration.getTime() + 1000))
    await expireClaims(systemContext('test'))
    expect(await heldOf(claim)).toBe(0n)
  })
})

describe('revoking a claim with a voucher', () => {
  test('the voucher is cancelled on the chain before the unit is freed', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    await redeem(claim)
    const { id } = await voucherOf(claim)
    await revokeClaim(organization.ctx, claim.id)
    expect(await systemClient().transaction.findMany({ where: { collectionId: claim.collectionId } })).toMatchObject([
      { txType: 'CANCEL_VOUCHER', payload: { voucher_id: id } },
    ])
    expect(await heldOf(claim)).toBe(1n)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'REVOKED', voucher: null })
    await applyChainFact(voucherCancelled, id)
    expect([(await voucherOf(claim)).state, await heldOf(claim)]).toEqual(['CANCELLED', 0n])
  })

  test('a voucher minted before its cancellation delivers the claim', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    await redeem(claim)
    const { id } = await voucherOf(claim)
    await revokeClaim(organization.ctx, claim.id)
    await applyChainFact(voucherRedeemed, id)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_claimed: true, delivery: { state: 'CONFIRMED' } })
    await applyChainFact(voucherUnredeemed, id)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_claimed: false, inactive_reason: 'REVOKED' })
  })

  test('the email address can’t be changed while a voucher is pending', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    await redeem(claim)
    expect(await refusal(resendClaim(organization.ctx, claim.id, { email: 'other@example.com' }))).toBe('voucher_out')
    expect((await resendClaim(organization.ctx, claim.id, {})).active).toBe(true)
  })
})

test('an address’s pending vouchers are listed in pages, filtered by contract or network', async () => {
  const minter = makeRandomAddress()
  const claims = [
    await sendClaim(organization, { txPayer: 'BUYER' }),
    await sendClaim(organization, { txPayer: 'BUYER' }),
    await sendClaim(organization, { txPayer: 'BUYER' }),
  ]
  const issued = []
  for (const claim of claims) issued.unshift((await redeem(claim, minter)).voucher)
  const api = callerOf()
  const all = await api.get(`/public/v1/mint-vouchers/${minter.toLowerCase()}`)
  expect([all.status, all.body.results, all.body.total_results, all.body.has_more]).toEqual([200, issued, 3, false])
  const first = await api.get(`/public/v1/mint-vouchers/${minter}?limit=2`)
  const rest = await api.get(`/public/v1/mint-vouchers/${minter}?limit=2&cursor=${first.body.cursor}`)
  expect([...first.body.results, ...rest.body.results]).toEqual(issued)
  expect(
    (await api.get(`/public/v1/mint-vouchers/${minter}?contract_address=${issued[1]!.contract}`)).body.results,
  ).toEqual([issued[1]])
  expect((await api.get(`/public/v1/mint-vouchers/${minter}?network_id=1`)).body.results).toEqual([])
  expect((await api.get(`/public/v1/mint-vouchers/${makeRandomAddress()}`)).body.total_results).toBe(0)
  expect((await api.get('/public/v1/mint-vouchers/0x123')).status).toBe(400)
  await applyChainFact(voucherRedeemed, (await voucherOf(claims[0]!)).id)
  expect((await api.get(`/public/v1/mint-vouchers/${minter}`)).body.results).toEqual(issued.slice(0, 2))
})
