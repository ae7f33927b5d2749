import { describe, expect, test } from 'vitest'
import { claimsDelivered, claimUndelivered } from '../../lib/giving/on-token-delivered.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { isReceiverAcceptance } from '../../lib/core/contracts/calls.ts'
import { advanceMint } from '../../lib/onchain/mints/advance-mint.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeRandomAddress, sendClaim, type SentClaim } from '../support/claims.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'
import {
  chain,
  eventsOf,
  heldOf,
  mailbox,
  mintsOf,
  organization,
  pinFor,
  refusal,
  SECOND,
  setUpClaims,
  TX_HASH,
} from '../support/claim-stage.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

setUpClaims()

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
