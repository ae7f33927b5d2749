import { describe, expect, test } from 'vitest'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeRandomAddress, sendClaim } from '../support/claims.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'
import {
  heldOf,
  mailbox,
  mintsOf,
  MINUTE,
  organization,
  pinFor,
  refusal,
  SECOND,
  setUpClaims,
  wrongPin,
} from '../support/claim-stage.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

setUpClaims()

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
