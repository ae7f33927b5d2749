import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { advanceClaim } from '../../lib/giving/advance-claim.ts'
import { claimRedeemedBefore, claimsDelivered, claimUndelivered } from '../../lib/giving/on-token-delivered.ts'
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
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

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

const wrongPin = (pin: string) => (pin === '000000' ? '111111' : '000000')
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

describe('sending a claim', () => {
  test('creating a claim holds the unit, mails the link and records claim.created', async () => {
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

  test('the recipient can’t be asked to pay where the contract isn’t ours and takes no vouchers', async () => {
    const { itemId, collectionId } = await makeItem(organization)
    const where = { id: collectionId }
    await systemClient().collection.update({ where, data: { deploymentType: 'EXTERNAL' } })
    const claim = { email: 'ada@example.com', item_id: itemId, tx_payer: 'BUYER' as const }
    expect((await refusal(createClaim(organization.ctx, claim))).code).toBe('voucher_unsupported')
    await systemClient().collection.update({ where, data: { deploymentType: 'PLATFORM' } })
    expect((await createClaim(organization.ctx, claim)).tx_payer).toBe('BUYER')
  })

  test('the token is stored only as a hash, and the claim’s link is always the same', async () => {
    const claim = await sendClaim(organization)
    expect(claim.token).toMatch(/^[\w-]{43}$/)
    const rows = await systemClient().claimToken.findMany({ where: { claimId: claim.id } })
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]!.hash).toString('base64url')).not.toBe(claim.token)
    expect((await getClaim(organization.ctx, claim.id)).claim_url).toBe(claim.claim.claim_url)
  })

  test('an item that is unlocked, undeployed, sold out or foreign, too many units and an expiry in the past are refused', async () => {
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
    const foreign = await makeItem(await makeOrganization())
    expect((await refusal(createClaim(organization.ctx, { ...to, item_id: foreign.itemId }))).code).toBe('not_found')
  })

  test('a claim of several units of an ERC-1155 item mints them all to one address', async () => {
    const claim = await sendClaim(organization, { tokenType: 'ERC1155', maxSupply: 10n, quantity: 4n })
    expect(await heldOf(claim.itemId)).toBe(4n)
    const result = await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })
    expect(result.status).toBe('CLAIMED')
    expect((await mintsOf(claim))[0]!.quantity).toBe(4n)
  })
})

describe('viewing a claim', () => {
  test('fetching a claim changes nothing', async () => {
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

  test('an item of a private collection is shown to its recipient', async () => {
    const claim = await sendClaim(organization, { isPublic: false })
    expect((await getClaimView(claim.ctx)).public_item).toMatchObject({ id: claim.itemId })
  })

  test('opened_at is set by openClaim alone, and only the first time', async () => {
    const claim = await sendClaim(organization)
    await openClaim(claim.ctx)
    const opened = (await getClaim(organization.ctx, claim.id)).opened_at
    expect(opened).not.toBeNull()
    moveClock(MINUTE)
    await openClaim(claim.ctx)
    expect((await getClaim(organization.ctx, claim.id)).opened_at).toEqual(opened)
  })
})

describe('PIN', () => {
  test('a second PIN within 60 seconds is rate_limited', async () => {
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

  test('at most five PINs an hour: the sixth is rate_limited until the first is an hour old', async () => {
    const claim = await sendClaim(organization)
    for (let i = 0; i < 5; i++, moveClock(61 * SECOND)) await sendPin(claim.ctx)
    const sixth = await refusal(sendPin(claim.ctx))
    expect(sixth.code).toBe('rate_limited')
    expect(sixth.retryAfterSeconds).toBeGreaterThan(50 * 60)
    moveClock(sixth.retryAfterSeconds! * SECOND)
    await sendPin(claim.ctx)
  })

  test('a redemption without a PIN or an address uses up no try', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress() }))).code).toBe('pin_required')
    expect((await refusal(redeemClaim(claim.ctx, { pin: '' }))).code).toBe('pin_required')
    expect((await refusal(redeemClaim(claim.ctx, { pin: wrongPin(pin) }))).code).toBe('address_required')
    expect(
      (await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: wrongPin(pin) }))).extra.tries_left,
    ).toBe(4)
  })

  test('after five wrong tries the PIN is void, and even the right one is refused', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: wrongPin(pin) }))
      expect([answer.code, answer.extra.tries_left]).toEqual(['pin_wrong', left])
    }
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))).code).toBe('pin_expired')
    expect(await mintsOf(claim)).toEqual([])
  })

  test('a PIN is valid for ten minutes, and void once a newer one is sent', async () => {
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

  test('blanks in a PIN are ignored', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    expect(
      (await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: ` ${pin.slice(0, 3)} ${pin.slice(3)} ` }))
        .status,
    ).toBe('CLAIMED')
  })

  test('20 wrong tries over any number of PINs lock the claim, and resending unlocks it', async () => {
    const claim = await sendClaim(organization)
    for (let round = 0; round < 4; round++, moveClock(61 * SECOND)) {
      const pin = await pinFor(claim)
      for (let i = 0; i < 5; i++)
        await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: wrongPin(pin) }))
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

  test('the 50th wrong PIN at a link locks the claim until it has a new one', async () => {
    const claim = await sendClaim(organization)
    const where = { id: claim.id }
    const guessAfter = async (linkWrongPins: number) => {
      await organization.ctx.db.emailClaim.updateMany({ where, data: { linkWrongPins } })
      const pin = wrongPin(await pinFor(claim))
      await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))
      moveClock(61 * SECOND)
      return (await organization.ctx.db.emailClaim.findFirstOrThrow({ where })).state
    }
    expect([await guessAfter(48), await guessAfter(49)]).toEqual(['OPEN', 'LOCKED'])
    expect((await refusal(sendPin(claim.ctx))).code).toBe('claim_locked')
    expect((await resendClaim(organization.ctx, claim.id, { email: `new-${claim.email}` })).active).toBe(true)
  })

  test('a PIN is valid for its own claim only, and only its hash is stored', async () => {
    const [one, other] = [await sendClaim(organization), await sendClaim(organization)]
    const pin = await pinFor(one)
    const otherPin = await pinFor(other)
    if (pin !== otherPin)
      expect((await refusal(redeemClaim(other.ctx, { address: makeRandomAddress(), pin }))).code).toBe('pin_wrong')
    const rows = await systemClient().pin.findMany({ where: { claimId: one.id } })
    expect(Buffer.from(rows[0]!.hash)).toHaveLength(32)
    expect(JSON.stringify(await systemClient().outboxMessage.findMany({ where: { claimId: one.id } }))).not.toContain(
      pin,
    )
  })
})

describe('redemption with a mint', () => {
  test('redeeming creates the mint request, which holds the unit', async () => {
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

  test('a second redemption is refused with the claim’s public view, even with the valid PIN', async () => {
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

  test('an address that can’t receive the token is refused without using up a try or the PIN', async () => {
    const [refusing, silent, accepting] = [makeRandomAddress(), makeRandomAddress(), makeRandomAddress()]
    const magic = `0x150b7a02${'00'.repeat(28)}` as const
    expect(isReceiverAcceptance('ERC721', magic)).toBe(true)
    chain.contracts.set(refusing, 'reverts').set(silent, '0x').set(accepting, magic)
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    for (const address of [refusing, silent, '0x0000000000000000000000000000000000000000'])
      expect((await refusal(redeemClaim(claim.ctx, { address, pin }))).code).toBe('address_cannot_receive')
    expect(await systemClient().pin.findFirstOrThrow({ where: { claimId: claim.id } })).toMatchObject({
      wrongTries: 0,
      state: 'OPEN',
    })
    expect((await redeemClaim(claim.ctx, { address: accepting, pin })).status).toBe('CLAIMED')
  })

  test('a mint that is delivered, undone by a reorg and delivered again sends one mail and one event', async () => {
    const claim = await sendClaim(organization)
    await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })
    const { ctx } = organization
    const deliver = () => inTransaction(ctx, (tx) => claimsDelivered(tx, new Map([[claim.id, { txHash: TX_HASH }]])))
    await deliver()
    expect(await getClaim(organization.ctx, claim.id)).toMatchObject({ claimed: true, delivered_at: expect.any(Date) })
    await inTransaction(ctx, (tx) => claimUndelivered(tx, claim.id))
    expect(await getClaim(organization.ctx, claim.id)).toMatchObject({ claimed: true, delivered_at: null })
    await deliver()
    await deliver()
    await mailbox.deliver(claim.email)
    const arrivalMails = mailbox.mailsTo(claim.email).filter(({ subject }) => subject!.includes('has arrived'))
    expect(arrivalMails).toHaveLength(1)
    expect(arrivalMails[0]!.text).toContain(`https://explorer.example/tx/${TX_HASH}`)
    expect([await eventsOf(claim, 'claim.delivered'), await eventsOf(claim, 'claim.redeemed')]).toEqual([1, 1])
  })

  test('a permanently failed mint reopens the claim, holds its unit and mails the recipient', async () => {
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

  test('after a foreign mint of the unit redeeming is sold_out without using a try; a failed mint revokes it', async () => {
    const mintForeign = async ({ itemId }: SentClaim) => {
      await systemClient().hold.updateMany({ where: { itemId, state: 'HELD' }, data: { state: 'EXCEPTION' } })
      await systemClient().item.update({ where: { id: itemId }, data: { minted: 1n } })
    }
    const early = await sendClaim(organization)
    const pin = await pinFor(early)
    await mintForeign(early)
    expect((await refusal(redeemClaim(early.ctx, { address: makeRandomAddress(), pin }))).code).toBe('sold_out')
    expect(await systemClient().pin.findFirst({ where: { claimId: early.id } })).toMatchObject({
      state: 'OPEN',
      wrongTries: 0,
    })

    const late = await sendClaim(organization)
    await redeemClaim(late.ctx, { address: makeRandomAddress(), pin: await pinFor(late) })
    await mintForeign(late)
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

describe('end of a claim', () => {
  test('after 30 days a claim is EXPIRED and its unit is freed', async () => {
    const claim = await sendClaim(organization)
    moveClock(30 * DAY)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'EXPIRED' })
    expect((await refusal(sendPin(claim.ctx))).code).toBe('claim_not_active')
    expect(await heldOf(claim.itemId)).toBe(1n)
    expect(await expireClaims(systemContext('test'))).toBeGreaterThan(0)
    expect(await heldOf(claim.itemId)).toBe(0n)
    expect((await getClaim(organization.ctx, claim.id)).mails.every(({ state }) => state === 'DISCARDED')).toBe(true)
    expect((await refusal(resendClaim(organization.ctx, claim.id, {}))).code).toBe('claim_not_active')
  })

  test('revoking ends the claim and frees the unit; revoking twice changes nothing more', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    await revokeClaim(organization.ctx, claim.id)
    await revokeClaim(organization.ctx, claim.id)
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: false, inactive_reason: 'REVOKED' })
    expect((await refusal(redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }))).code).toBe('claim_not_active')
    expect(await heldOf(claim.itemId)).toBe(0n)
  })

  test('a redeemed claim can’t be revoked or resent', async () => {
    const claim = await sendClaim(organization)
    await redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await pinFor(claim) })
    expect((await refusal(revokeClaim(organization.ctx, claim.id))).code).toBe('claim_already_claimed')
    expect((await refusal(resendClaim(organization.ctx, claim.id, {}))).code).toBe('claim_already_claimed')
  })

  test('a claim whose redemption a backup didn’t know is delivered, and neither its PIN nor its unsent mails are used', async () => {
    const claim = await sendClaim(organization)
    await sendPin(claim.ctx)
    const toAddress = makeRandomAddress()
    await inTransaction(organization.ctx, (tx) => claimRedeemedBefore(tx, claim.id, { txHash: TX_HASH, toAddress }))
    expect(await getClaimView(claim.ctx)).toMatchObject({ is_claimed: true })
    const pins = await organization.ctx.db.pin.findMany({ where: { claimId: claim.id } })
    expect(pins.map(({ state }) => state)).toEqual(['VOID'])
    const { mails } = await getClaim(organization.ctx, claim.id)
    const unsent = mails.filter(({ state }) => state === 'PENDING').map(({ template_type }) => template_type)
    expect(unsent).toEqual(['CLAIMED_NFT'])
  })

  test('a corrected email address gets a new link, and the old one shows only REPLACED', async () => {
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
    const ctx = await claimContext(resent.claim_url!.split('/').at(-1)!, caller)
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

  test.each([
    ['no wrong PINs', 'OPEN', {}],
    ['20 wrong PINs', 'LOCKED', { wrongPins: 20 }],
    ['50 wrong PINs at its link', 'LOCKED', { linkWrongPins: 50 }],
    ['being revoked', 'REVOKED', { wrongPins: 20, revokedAt: new Date() }],
  ])('after %s, a voucher claim whose mint a reorg undoes is %s again', async (_, state, change) => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const where = { id: claim.id }
    await organization.ctx.db.emailClaim.updateMany({ where, data: { state: 'CLAIMED', ...change } })
    await inTransaction(organization.ctx, (tx) => claimUndelivered(tx, claim.id))
    expect(await organization.ctx.db.emailClaim.findFirstOrThrow({ where })).toMatchObject({ state, claimedAt: null })
  })

  test('no voucher is signed before promises may be made again, and from that moment on they are', async () => {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const promisesFrom = new Date(Date.now() + 5 * MINUTE)
    const where = { id: claim.collectionId }
    await systemClient().collection.update({ where, data: { promisesFrom } })
    const pin = await pinFor(claim)
    const redeem = (ms: number) =>
      redeemClaim(
        { ...claim.ctx, now: () => new Date(promisesFrom.getTime() + ms) },
        { address: makeRandomAddress(), pin },
      )
    expect((await refusal(redeem(-1))).code).toBe('recovering')
    expect((await redeem(0)).status).toBe('VOUCHER_ISSUED')
  })

  test('a step from a state that the claim isn’t in any more is refused and changes nothing', async () => {
    const claim = await sendClaim(organization)
    const where = { id: claim.id }
    const stale = await organization.ctx.db.emailClaim.findFirstOrThrow({ where })
    await revokeClaim(organization.ctx, claim.id)
    const step = inTransaction(organization.ctx, (tx) => advanceClaim(tx, stale, 'LOCKED'))
    expect((await refusal(step)).code).toBe('conflict')
    expect((await organization.ctx.db.emailClaim.findFirstOrThrow({ where })).state).toBe('REVOKED')
  })

  test('a mail that is sent again is about the claim’s own item', async () => {
    const [first, second] = [
      await sendClaim(organization, { title: 'Snowdrop' }),
      await sendClaim(organization, { title: 'Hellebore' }),
    ]
    for (const [claim, title] of [
      [first, 'Snowdrop'],
      [second, 'Hellebore'],
    ] as const) {
      await resendClaim(organization.ctx, claim.id, {})
      await mailbox.deliver(claim.email)
      const mails = mailbox.mailsTo(claim.email)
      expect(mails.map(({ text }) => text?.includes(title))).toEqual([true, true])
    }
  })

  test('resending to the same address keeps the link', async () => {
    const claim = await sendClaim(organization)
    const resent = await resendClaim(organization.ctx, claim.id, { email: claim.email })
    expect(resent.claim_url).toBe(claim.claim.claim_url)
    await mailbox.deliver(claim.email)
    expect(mailbox.mailsTo(claim.email)).toHaveLength(2)
  })
})

test('claims are filtered by item, email address and state', async () => {
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
