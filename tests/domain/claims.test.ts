import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimContext, workerContext } from '../../lib/platform/auth/authenticate.ts'
import { claimsDelivered, claimUndelivered } from '../../lib/giving/on-token-delivered.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { expireClaims } from '../../lib/giving/expire-claims.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { listClaims } from '../../lib/giving/list-claims.ts'
import { openClaim } from '../../lib/giving/open-claim.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import { revokeClaim } from '../../lib/giving/revoke-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { isReceiverAcceptance } from '../../lib/core/contracts/calls.ts'
import { advanceMint } from '../../lib/onchain/mints/advance-mint.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeRandomAddress, caller, makeItem, installFakeChain, sendClaim, type SentClaim } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const TX_HASH = `0x${'ab'.repeat(32)}`

let mailbox: Mailbox
let chain: ReturnType<typeof installFakeChain>
let organization: TestOrganization

beforeAll(async () => {
  mailbox = await startMailbox()
  chain = installFakeChain()
  organization = await makeOrganization()
})
beforeEach(resetClock)
afterEach(resetClock)

const wrong = (pin: string) => (pin === '000000' ? '111111' : '000000')
const heldOf = async (itemId: string) =>
  (await organization.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })).held
const eventsOf = (claim: SentClaim, type: string) =>
  systemClient().event.count({ where: { type, data: { path: ['email_claim_id'], equals: claim.id } } })
const mintsOf = (claim: SentClaim) =>
  systemClient().mintRequest.findMany({ where: { claimId: claim.id }, orderBy: { id: 'asc' } })
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It was not refused.'),
    (error: { code: string; extra: Record<string, unknown>; retryAfterSeconds?: number }) => error,
  )

async function pinFor(claim: SentClaim): Promise<string> {
  await sendPin(claim.ctx)
  return mailbox.pinOf(claim.email)
}

describe('sending', () => {
  test('an item sent by email: its unit is held, the link mailed, the event written', async () => {
    const claim = await sendClaim(organization)
    expect(claim.claim).toMatchObject({
      active: true,
      claimed: false,
      quantity: 1n,
      tx_payer: 'SELLER',
      token_id: '1',
      inactive_reason: null,
    })
    expect(claim.claim.expiration!.getTime() - claim.claim.created_at.getTime()).toBe(30 * DAY)
    expect(await heldOf(claim.itemId)).toBe(1n)
    expect(await eventsOf(claim, 'claim.created')).toBe(1)
    expect(await mailbox.deliver(claim.email)).toEqual([])
    const [mail] = mailbox.mailsTo(claim.email)
    expect(mail!.subject).toBe('Test gallery sent you “Moonflower”')
    expect(mail!.from).toEqual({ address: 'hello@vitrine.localhost', name: 'Test gallery via Vitrine' })
    for (const part of [mail!.text, mail!.html]) expect(part).toContain(claim.claim.claim_url)
  })

  test('the token is nowhere in the database, and always the same for the same address', async () => {
    const claim = await sendClaim(organization)
    expect(claim.token).toMatch(/^[\w-]{43}$/)
    const rows = await systemClient().claimToken.findMany({ where: { claimId: claim.id } })
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]!.hash).toString('base64url')).not.toBe(claim.token)
    expect((await getClaim(organization.ctx, claim.id)).claim_url).toBe(claim.claim.claim_url)
  })

  test('what can’t be promised is refused: unlocked, undeployed, sold out, several of one of a kind, in the past', async () => {
    const to = { email: 'ada@example.com' }
    const unlocked = await makeItem(organization, { locked: false, deployed: false })
    expect((await refusal(createClaim(organization.ctx, { ...to, item_id: unlocked.itemId }))).code).toBe(
      'item_not_locked',
    )
    const undeployed = await makeItem(organization, { deployed: false })
    expect((await refusal(createClaim(organization.ctx, { ...to, item_id: undeployed.itemId }))).code).toBe(
      'collection_not_deployed',
    )
    const { itemId } = await makeItem(organization)
    expect((await refusal(createClaim(organization.ctx, { ...to, item_id: itemId, quantity: 2n }))).code).toBe(
      'supply_invalid',
    )
    expect(
      (await refusal(createClaim(organization.ctx, { ...to, item_id: itemId, expiration: new Date() }))).code,
    ).toBe('invalid_request')
    await createClaim(organization.ctx, { ...to, item_id: itemId })
    expect((await refusal(createClaim(organization.ctx, { ...to, item_id: itemId }))).code).toBe('sold_out')
    const strangers = await makeItem(await makeOrganization())
    expect((await refusal(createClaim(organization.ctx, { ...to, item_id: strangers.itemId }))).code).toBe('not_found')
  })

  test('many pieces of an ERC-1155 item go to one address', async () => {
    const claim = await sendClaim(organization, { tokenType: 'ERC1155', maxSupply: 10n, quantity: 4n })
    expect(await heldOf(claim.itemId)).toBe(4n)
    const result = await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })
    expect(result.status).toBe('CLAIMED')
    expect((await mintsOf(claim))[0]!.quantity).toBe(4n)
  })
})

describe('looking', () => {
  test('fetching a link changes nothing, however often', async () => {
    const claim = await sendClaim(organization)
    const before = await systemClient().emailClaim.findUniqueOrThrow({ where: { id: claim.id } })
    const first = await getClaimView(claim.ctx)
    for (let i = 0; i < 5; i++) expect(await getClaimView(claim.ctx)).toEqual(first)
    expect(await systemClient().emailClaim.findUniqueOrThrow({ where: { id: claim.id } })).toEqual(before)
    expect(first).toMatchObject({
      is_active: true,
      is_claimed: false,
      inactive_reason: null,
      voucher: null,
      tx_payer: 'SELLER',
      delivery: { state: 'NOT_STARTED', token_id: '1' },
    })
    expect(first.email_hint).toMatch(/^.•••@e•••\.com$/)
    expect(first.item).toMatchObject({
      id: claim.itemId,
      attributes: { title: { value: 'Moonflower' } },
      listing: null,
      token_contract: { network_id: 31337 },
    })
    expect(first.public_item).toMatchObject({ id: claim.itemId, title: 'Moonflower' })
  })

  test('an item of a private collection shows to whom it was sent', async () => {
    const claim = await sendClaim(organization, { isPublic: false })
    expect((await getClaimView(claim.ctx)).public_item).toMatchObject({ id: claim.itemId })
  })

  test('only the page’s own word counts as opened, and only the first time', async () => {
    const claim = await sendClaim(organization)
    await openClaim(claim.ctx)
    const opened = (await getClaim(organization.ctx, claim.id)).opened_at
    expect(opened).not.toBeNull()
    moveClock(MINUTE)
    await openClaim(claim.ctx)
    expect((await getClaim(organization.ctx, claim.id)).opened_at).toEqual(opened)
  })
})

describe('the PIN', () => {
  test('PIN mails keep 60 seconds apart', async () => {
    const claim = await sendClaim(organization)
    await sendPin(claim.ctx)
    moveClock(59 * SECOND)
    const early = await refusal(sendPin(claim.ctx))
    expect([early.code, early.retryAfterSeconds]).toEqual([
      'rate_limited',
      expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 2),
    ])
    moveClock(SECOND * 2)
    await sendPin(claim.ctx)
  })

  test('five PINs an hour, the sixth waits until the first is an hour old', async () => {
    const claim = await sendClaim(organization)
    for (let i = 0; i < 5; i++, moveClock(61 * SECOND)) await sendPin(claim.ctx)
    const sixth = await refusal(sendPin(claim.ctx))
    expect(sixth.code).toBe('rate_limited')
    expect(sixth.retryAfterSeconds).toBeGreaterThan(50 * 60)
    moveClock(sixth.retryAfterSeconds! * SECOND)
    await sendPin(claim.ctx)
  })

  test('without a PIN or an address no try is used up', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress() }))).code).toBe('pin_required')
    expect((await refusal(redeemClaim(claim.ctx, { pin: '' }))).code).toBe('pin_required')
    expect((await refusal(redeemClaim(claim.ctx, { pin: wrong(pin) }))).code).toBe('address_required')
    expect(
      (await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: wrong(pin) }))).extra.tries_left,
    ).toBe(4)
  })

  test('after five wrong tries the PIN is void, and the right one doesn’t help', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: wrong(pin) }))
      expect([answer.code, answer.extra.tries_left]).toEqual(['pin_wrong', left])
    }
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))).code).toBe('pin_expired')
    expect(await mintsOf(claim)).toEqual([])
  })

  test('a PIN is good for ten minutes, and void once there is a newer one', async () => {
    const claim = await sendClaim(organization)
    const first = await pinFor(claim)
    moveClock(10 * MINUTE)
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: first }))).code).toBe(
      'pin_expired',
    )
    let second = await pinFor(claim)
    for (moveClock(61 * SECOND); second === first; moveClock(61 * SECOND)) second = await pinFor(claim)
    await sendPin(claim.ctx)
    const third = await mailbox.pinOf(claim.email)
    if (third !== second)
      expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: second }))).code).toBe(
        'pin_wrong',
      )
    expect((await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: third })).status).toBe('CLAIMED')
  })

  test('a PIN may be typed with blanks', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    expect(
      (await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: ` ${pin.slice(0, 3)} ${pin.slice(3)} ` }))
        .status,
    ).toBe('CLAIMED')
  })

  test('twenty wrong tries in all lock the claim, whatever PINs came between; sending it again unlocks it', async () => {
    const claim = await sendClaim(organization)
    for (let round = 0; round < 4; round++, moveClock(61 * SECOND)) {
      const pin = await pinFor(claim)
      for (let i = 0; i < 5; i++)
        await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: wrong(pin) }))
    }
    expect(await getClaimView(claim.ctx)).toMatchObject({
      is_active: false,
      inactive_reason: 'LOCKED',
      is_claimed: false,
    })
    expect((await refusal(sendPin(claim.ctx))).code).toBe('claim_locked')
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: '123456' }))).code).toBe(
      'claim_locked',
    )
    expect(await heldOf(claim.itemId)).toBe(1n)
    const resent = await resendClaim(organization.ctx, claim.id, {})
    expect([resent.active, resent.claim_url]).toEqual([true, claim.claim.claim_url])
    expect((await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })).status).toBe(
      'CLAIMED',
    )
  })

  test('the PIN of one claim is worth nothing to another, and only its hash is kept', async () => {
    const [one, other] = [await sendClaim(organization), await sendClaim(organization)]
    const pin = await pinFor(one)
    const others = await pinFor(other)
    if (pin !== others)
      expect((await refusal(redeemClaim(other.ctx, { address: makeRandomAddress(), pin }))).code).toBe('pin_wrong')
    const rows = await systemClient().pin.findMany({ where: { claimId: one.id } })
    expect(Buffer.from(rows[0]!.hash)).toHaveLength(32)
    expect(JSON.stringify(await systemClient().outboxMessage.findMany({ where: { claimId: one.id } }))).not.toContain(
      pin,
    )
  })
})

describe('redeeming for a mint', () => {
  test('the mint request is written with the redemption, and holds the unit', async () => {
    const claim = await sendClaim(organization)
    const address = makeRandomAddress()
    expect(await redeemClaim(claim.ctx, { address, pin: await pinFor(claim) })).toEqual({
      status: 'CLAIMED',
      voucher: null,
    })
    const [mint] = await mintsOf(claim)
    expect(mint).toMatchObject({ toAddress: address, quantity: 1n, state: 'WAITING' })
    expect(await systemClient().hold.findMany({ where: { itemId: claim.itemId, state: 'HELD' } })).toMatchObject([
      { holderType: 'MINT_REQUEST', holderId: mint!.id },
    ])
    expect(await getClaimView(claim.ctx)).toMatchObject({
      is_active: false,
      is_claimed: true,
      inactive_reason: 'CLAIMED',
      delivery: { state: 'QUEUED', network_id: 31337 },
    })
    expect(await getClaim(organization.ctx, claim.id)).toMatchObject({
      claimed: true,
      to_address: address,
      claimed_at: expect.any(Date),
      delivered_at: null,
    })
    expect(await eventsOf(claim, 'claim.redeemed')).toBe(1)
  })

  test('a second redemption is refused with the claim’s public state, also by an earlier PIN', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin })
    const again = await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))
    expect([again.code, again.extra.claim]).toEqual([
      'claim_already_claimed',
      expect.objectContaining({ is_claimed: true, quantity: 1, item: expect.anything() }),
    ])
    expect(JSON.parse(JSON.stringify(again.extra.claim))).toEqual(again.extra.claim)
    expect((await refusal(sendPin(claim.ctx))).code).toBe('claim_already_claimed')
    expect(await mintsOf(claim)).toHaveLength(1)
  })

  test('an address that refuses the token costs no try and no PIN', async () => {
    const [refusing, mute, taking] = [makeRandomAddress(), makeRandomAddress(), makeRandomAddress()]
    const magic = `0x150b7a02${'00'.repeat(28)}` as const
    expect(isReceiverAcceptance('ERC721', magic)).toBe(true)
    chain.contracts.set(refusing, 'reverts').set(mute, '0x').set(taking, magic)
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    for (const address of [refusing, mute, '0x0000000000000000000000000000000000000000'])
      expect((await refusal(redeemClaim(claim.ctx, { address, pin }))).code).toBe('address_cannot_receive')
    expect(await systemClient().pin.findFirstOrThrow({ where: { claimId: claim.id } })).toMatchObject({
      wrongTries: 0,
      state: 'OPEN',
    })
    expect((await redeemClaim(claim.ctx, { address: taking, pin })).status).toBe('CLAIMED')
  })

  test('delivered, taken back by the chain, delivered again: one mail, one event', async () => {
    const claim = await sendClaim(organization)
    await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })
    const { ctx } = organization
    const deliver = () => inTransaction(ctx, (tx) => claimsDelivered(tx, [claim.id], { txHash: TX_HASH }))
    await deliver()
    expect(await getClaim(organization.ctx, claim.id)).toMatchObject({ claimed: true, delivered_at: expect.any(Date) })
    await inTransaction(ctx, (tx) => claimUndelivered(tx, claim.id))
    expect(await getClaim(organization.ctx, claim.id)).toMatchObject({ claimed: true, delivered_at: null })
    await deliver()
    await deliver()
    await mailbox.deliver(claim.email)
    const arrivals = mailbox.mailsTo(claim.email).filter(({ subject }) => subject!.includes('has arrived'))
    expect(arrivals).toHaveLength(1)
    expect(arrivals[0]!.text).toContain(`https://explorer.example/tx/${TX_HASH}`)
    expect([await eventsOf(claim, 'claim.delivered'), await eventsOf(claim, 'claim.redeemed')]).toEqual([1, 1])
  })

  test('a mint that failed for good opens the claim again, with its unit and a mail', async () => {
    const claim = await sendClaim(organization)
    await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })
    const [mint] = await mintsOf(claim)
    await inTransaction(organization.ctx, (tx) =>
      advanceMint(tx, mint!, 'FAILED', { failure: 'The contract refused.' }),
    )
    expect(await getClaimView(claim.ctx)).toMatchObject({
      is_active: true,
      is_claimed: false,
      delivery: { state: 'FAILED', failure: 'The contract refused.' },
    })
    expect(await heldOf(claim.itemId)).toBe(1n)
    await mailbox.deliver(claim.email)
    expect(mailbox.mailsTo(claim.email).at(-1)!.text).toContain('Nothing is lost.')
    moveClock(61 * SECOND)
    const elsewhere = makeRandomAddress()
    await redeemClaim(claim.ctx, { address: elsewhere, pin: await pinFor(claim) })
    expect((await mintsOf(claim)).map(({ toAddress, state }) => [toAddress, state])).toEqual([
      [mint!.toAddress, 'FAILED'],
      [elsewhere, 'WAITING'],
    ])
  })

  test('what a stranger’s mint took is refused without costing a try, and a mint that it thwarted ends the claim', async () => {
    const taken = async ({ itemId }: SentClaim) => {
      await systemClient().hold.updateMany({ where: { itemId, state: 'HELD' }, data: { state: 'EXCEPTION' } })
      await systemClient().item.update({ where: { id: itemId }, data: { minted: 1n } })
    }
    const early = await sendClaim(organization)
    const pin = await pinFor(early)
    await taken(early)
    expect((await refusal(redeemClaim(early.ctx, { address: makeRandomAddress(), pin }))).code).toBe('sold_out')
    expect(await systemClient().pin.findFirst({ where: { claimId: early.id } })).toMatchObject({
      state: 'OPEN',
      wrongTries: 0,
    })

    const late = await sendClaim(organization)
    await redeemClaim(late.ctx, { address: makeRandomAddress(), pin: await pinFor(late) })
    await taken(late)
    const [mint] = await mintsOf(late)
    await inTransaction(organization.ctx, (tx) =>
      advanceMint(tx, mint!, 'FAILED', { failure: 'The token exists already.' }),
    )
    expect(await getClaimView(late.ctx)).toMatchObject({
      is_active: false,
      is_claimed: false,
      inactive_reason: 'REVOKED',
      delivery: { state: 'FAILED' },
    })
  })
})

describe('ending', () => {
  test('after thirty days the link says so, and the unit comes free', async () => {
    const claim = await sendClaim(organization)
    moveClock(30 * DAY)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'EXPIRED' })
    expect((await refusal(sendPin(claim.ctx))).code).toBe('claim_not_active')
    expect(await heldOf(claim.itemId)).toBe(1n)
    expect(await expireClaims(workerContext('test'))).toBeGreaterThan(0)
    expect(await heldOf(claim.itemId)).toBe(0n)
    expect((await getClaim(organization.ctx, claim.id)).mails.every(({ state }) => state === 'DISCARDED')).toBe(true)
    expect((await refusal(resendClaim(organization.ctx, claim.id, {}))).code).toBe('claim_not_active')
  })

  test('revoked: the link dies, the unit comes free, a second time changes nothing', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    await revokeClaim(organization.ctx, claim.id)
    await revokeClaim(organization.ctx, claim.id)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'REVOKED' })
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))).code).toBe('claim_not_active')
    expect(await heldOf(claim.itemId)).toBe(0n)
  })

  test('what was redeemed can’t be revoked or sent again', async () => {
    const claim = await sendClaim(organization)
    await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })
    expect((await refusal(revokeClaim(organization.ctx, claim.id))).code).toBe('claim_already_claimed')
    expect((await refusal(resendClaim(organization.ctx, claim.id, {}))).code).toBe('claim_already_claimed')
  })

  test('a corrected address gets a link of its own; the old one shows no more than that it was replaced', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    const corrected = `right-${claim.email}`
    const resent = await resendClaim(organization.ctx, claim.id, { email: corrected })
    expect(resent.claim_url).not.toBe(claim.claim.claim_url)
    expect(await getClaimView(claim.ctx)).toMatchObject({
      is_active: false,
      is_claimed: false,
      inactive_reason: 'REPLACED',
      item: null,
      email_hint: null,
      voucher: null,
      delivery: { state: 'NOT_STARTED', tx_hash: null },
    })
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))).code).toBe('claim_not_active')
    expect((await refusal(sendPin(claim.ctx))).code).toBe('claim_not_active')
    const ctx = await claimContext(resent.claim_url.split('/').at(-1)!, caller)
    expect(await getClaimView(ctx)).toMatchObject({ is_active: true, inactive_reason: null })
    await sendPin(ctx)
    await redeemClaim(ctx, { address: makeRandomAddress(), pin: await mailbox.pinOf(corrected) })
    expect(await getClaimView(claim.ctx)).toMatchObject({
      inactive_reason: 'REPLACED',
      is_claimed: false,
      delivery: { state: 'NOT_STARTED' },
    })
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))).extra.claim).toBeUndefined()
  })

  test('sent again to the same address, earlier mails’ links go on working', async () => {
    const claim = await sendClaim(organization)
    const resent = await resendClaim(organization.ctx, claim.id, { email: claim.email })
    expect(resent.claim_url).toBe(claim.claim.claim_url)
    await mailbox.deliver(claim.email)
    expect(mailbox.mailsTo(claim.email)).toHaveLength(2)
  })
})

test('claims are found by item, address and state', async () => {
  const own = await makeOrganization()
  const [open, claimed, revoked, late] = [
    await sendClaim(own),
    await sendClaim(own),
    await sendClaim(own),
    await sendClaim(own, { expiration: new Date(Date.now() + MINUTE) }),
  ]
  await redeemClaim(claimed.ctx, { address: makeRandomAddress(), pin: await pinFor(claimed) })
  await revokeClaim(own.ctx, revoked.id)
  moveClock(2 * MINUTE)
  const idsOf = async (query: object) =>
    (await listClaims(own.ctx, { limit: 100, ...query })).results.map(({ id }) => id)
  expect(await idsOf({})).toEqual([late, revoked, claimed, open].map(({ id }) => id))
  expect(await idsOf({ state: 'ACTIVE' })).toEqual([open.id])
  expect(await idsOf({ state: 'CLAIMED' })).toEqual([claimed.id])
  expect(await idsOf({ state: 'REVOKED' })).toEqual([revoked.id])
  expect(await idsOf({ state: 'EXPIRED' })).toEqual([late.id])
  expect(await idsOf({ active: 'false', claimed: 'false' })).toEqual([late.id, revoked.id])
  expect(await idsOf({ item_id: claimed.itemId })).toEqual([claimed.id])
  expect(await idsOf({ email: revoked.email })).toEqual([revoked.id])
})
