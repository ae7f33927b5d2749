import { describe, expect, test } from 'vitest'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { advanceClaim } from '../../lib/giving/advance-claim.ts'
import { claimRedeemedBefore, claimUndelivered } from '../../lib/giving/on-token-delivered.ts'
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
import { moveClock } from '../../lib/core/clock.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeRandomAddress, caller, makeItem, sendClaim } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'
import {
  DAY,
  eventsOf,
  heldOf,
  mailbox,
  mintsOf,
  MINUTE,
  organization,
  pinFor,
  refusal,
  setUpClaims,
  TX_HASH,
} from '../support/claim-stage.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

setUpClaims()

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
