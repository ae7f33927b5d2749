import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf } from '../support/call.ts'
import { makeRandomAddress, makeItem, installFakeChain, sendClaim, type SentClaim } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mailbox: Mailbox
let organization: TestOrganization
let admin: ReturnType<typeof callerOf>
let chain: ReturnType<typeof installFakeChain>
const anyone = callerOf()

beforeAll(async () => {
  mailbox = await startMailbox()
  chain = installFakeChain()
  organization = await makeOrganization()
  admin = callerOf(organization.key)
})
beforeEach(resetClock)
afterEach(resetClock)

const at = (claim: { token: string }, verb = '') => `/public/v1/email-claims/${claim.token}${verb}`
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

async function pinFor(claim: SentClaim): Promise<string> {
  expect((await anyone.post(at(claim, '/verify'))).status).toBe(201)
  return mailbox.pinOf(claim.email)
}

describe('administering claims', () => {
  test('a new claim has all documented fields, and reads the same afterwards', async () => {
    const { itemId, collectionId } = await makeItem(organization)
    const { status, body } = await admin.post('/v1/email-claims', {
      email: ' Ada@Example.com ',
      item_id: itemId,
      quantity: '1',
      campaign_id: null,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.any(String),
      item_id: itemId,
      collection_id: collectionId,
      token_id: '1',
      email: 'ada@example.com',
      quantity: 1,
      active: true,
      claimed: false,
      claimed_at: null,
      created_at: expect.stringMatching(/Z$/),
      expiration: expect.any(String),
      last_pin_code_email_sent_at: null,
      tx_hash: null,
      tx_payer: 'SELLER',
      voucher_id: null,
      campaign_id: null,
      claim_url: expect.stringMatching(/^http:\/\/localhost:3000\/claim\/[\w-]{43}$/),
    })
    const got = await admin.get(`/v1/email-claims/${body.id}`)
    expect(got.body).toEqual({
      ...body,
      mails: [expect.objectContaining({ template_type: 'REDEEM_NFT', email: 'ada@example.com', state: 'PENDING' })],
    })
    expect((await admin.get(`/v1/email-claims?item_id=${itemId}`)).body.results).toEqual([body])
  })

  test('invalid input is refused with its field', async () => {
    const { itemId } = await makeItem(organization)
    const fieldsOf = async (body: object) => {
      const answer = await admin.post('/v1/email-claims', body)
      return [answer.status, ...answer.body.errors.map(({ field }: { field: string }) => field)]
    }
    expect(await fieldsOf({ email: 'nobody', item_id: itemId })).toEqual([400, 'email'])
    expect(await fieldsOf({ email: 'a@example.com', item_id: 'x' })).toEqual([400, 'item_id'])
    expect(await fieldsOf({ email: 'a@example.com', item_id: itemId, quantity: 0 })).toEqual([400, 'quantity'])
    expect(await fieldsOf({ email: 'a@example.com', item_id: itemId, quantity: 2 })).toEqual([422, 'quantity'])
    expect(await fieldsOf({ email: 'a@example.com', item_id: itemId, tx_payer: 'NOBODY' })).toEqual([400, 'tx_payer'])
    expect(await fieldsOf({ email: 'a@example.com', item_id: itemId, expiration: '2001-01-01T00:00:00Z' })).toEqual([
      400,
      'expiration',
    ])
    expect(await fieldsOf({})).toEqual([400, 'email', 'item_id'])
    expect((await admin.post('/v1/email-claims', { email: 'a@example.com', item_id: newId() })).status).toBe(404)
    expect(
      (await admin.post('/v1/email-claims', { email: 'a@example.com', item_id: itemId, campaign_id: newId() })).status,
    ).toBe(404)
  })

  test('a request repeated with one Idempotency-Key sends one claim', async () => {
    const { itemId } = await makeItem(organization, { tokenType: 'ERC1155', maxSupply: null })
    const headers = { 'idempotency-key': newId() }
    const body = { email: `${newId()}@example.com`, item_id: itemId }
    const [first, again] = [
      await admin.post('/v1/email-claims', body, headers),
      await admin.post('/v1/email-claims', body, headers),
    ]
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    expect(await systemClient().emailClaim.count({ where: { itemId } })).toBe(1)
  })

  test('a claim can be resent to a corrected address and revoked, and other organizations cannot see it', async () => {
    const claim = await sendClaim(organization)
    const resent = await admin.post(`/v1/email-claims/${claim.id}/resend`, { email: 'Corrected@example.com' })
    expect([resent.status, resent.body.email, resent.body.claim_url !== claim.claim.claim_url]).toEqual([
      200,
      'corrected@example.com',
      true,
    ])
    expect((await admin.delete(`/v1/email-claims/${claim.id}`)).status).toBe(204)
    expect((await admin.get(`/v1/email-claims/${claim.id}`)).body).toMatchObject({
      active: false,
      inactive_reason: 'REVOKED',
    })
    expect(codeOf(await admin.post(`/v1/email-claims/${claim.id}/resend`))).toEqual([409, 'claim_not_active'])
    const other = callerOf((await makeOrganization()).key)
    expect((await other.get(`/v1/email-claims/${claim.id}`)).status).toBe(404)
    expect((await other.get(`/v1/email-claims?item_id=${claim.itemId}`)).body.total_results).toBe(0)
  })
})

describe('redeeming a claim', () => {
  test('unknown, malformed and truncated tokens get the same 404', async () => {
    const { token } = await sendClaim(organization)
    const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
    for (const bad of [flipped, token.slice(0, 20), 'x', `${token}x`, encodeURIComponent('../../etc')]) {
      for (const answer of [
        await anyone.get(at({ token: bad })),
        await anyone.post(at({ token: bad }, '/verify')),
        await anyone.post(at({ token: bad }, '/redeem'), {}),
      ])
        expect(codeOf(answer)).toEqual([404, 'not_found'])
    }
  })

  test('a claim is read, verified by PIN and redeemed; a second redemption is refused', async () => {
    const claim = await sendClaim(organization)
    const seen = await anyone.get(at(claim))
    expect(seen.status).toBe(200)
    expect(seen.body).toMatchObject({
      campaign_id: null,
      is_active: true,
      is_claimed: false,
      organization_id: organization.id,
      quantity: 1,
      voucher: null,
      tx_payer: 'SELLER',
    })
    expect((await anyone.post(at(claim, '/opened'))).status).toBe(204)
    const item = await anyone.post(at(claim, '/verify'))
    expect([item.status, item.body]).toEqual([201, seen.body.item])
    const pin = await mailbox.pinOf(claim.email)
    const redeemed = await anyone.post(at(claim, '/redeem'), { address: makeRandomAddress().toLowerCase(), pin })
    expect([redeemed.status, redeemed.body]).toEqual([201, { status: 'CLAIMED', voucher: null }])
    const again = await anyone.post(at(claim, '/redeem'), { address: makeRandomAddress(), pin })
    expect(codeOf(again)).toEqual([409, 'claim_already_claimed'])
    expect(again.body.claim).toEqual((await anyone.get(at(claim))).body)
    expect(codeOf(await anyone.post(at(claim, '/verify')))).toEqual([409, 'claim_already_claimed'])
  })

  test('an address that is a contract or the sender’s own is told before it is used', async () => {
    const claim = await sendClaim(organization)
    const checked = async (address: string) => (await anyone.get(at(claim, `/recipient?address=${address}`))).body
    const [stranger, contract, payout] = [makeRandomAddress(), makeRandomAddress(), makeRandomAddress()]
    chain.contracts.set(contract, 'reverts')
    await systemClient().organization.update({ where: { id: organization.id }, data: { payoutAddress: payout } })
    const collection = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: claim.collectionId } })
    expect(await checked(stranger)).toEqual({ is_contract: false, is_senders_own: false })
    expect(await checked(contract.toLowerCase())).toEqual({ is_contract: true, is_senders_own: false })
    expect(await checked(payout)).toEqual({ is_contract: false, is_senders_own: true })
    expect(await checked(collection.contractAddress!)).toMatchObject({ is_senders_own: true })
    expect(codeOf(await anyone.get(at(claim, '/recipient?address=0x12')))).toEqual([400, 'invalid_request'])
  })

  test('each refusal names its cause; a wrong PIN returns the tries left', async () => {
    const claim = await sendClaim(organization)
    const redeem = (body: object) => anyone.post(at(claim, '/redeem'), body)
    expect(codeOf(await redeem({ address: makeRandomAddress(), pin: '123456' }))).toEqual([422, 'pin_expired'])
    const pin = await pinFor(claim)
    expect(codeOf(await redeem({}))).toEqual([422, 'pin_required'])
    expect(codeOf(await redeem({ pin, address: null }))).toEqual([422, 'address_required'])
    const typo = await redeem({ pin, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' })
    expect([...codeOf(typo), typo.body.errors[0].field]).toEqual([400, 'invalid_request', 'address'])
    const wrong = await redeem({ pin: pin === '000000' ? '111111' : '000000', address: makeRandomAddress() })
    expect([...codeOf(wrong), wrong.body.tries_left]).toEqual([422, 'pin_wrong', 4])
    const soon = await anyone.post(at(claim, '/verify'))
    expect(codeOf(soon)).toEqual([429, 'rate_limited'])
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await redeem({ pin, address: makeRandomAddress() })).status).toBe(201)
  })

  test('a redemption repeated with its Idempotency-Key gets the stored response; a wrong PIN is not stored', async () => {
    const claim = await sendClaim(organization)
    const pin = await pinFor(claim)
    const headers = { 'idempotency-key': `${newId()}` }
    const address = makeRandomAddress()
    const wrong = pin === '000000' ? '111111' : '000000'
    expect(codeOf(await anyone.post(at(claim, '/redeem'), { address, pin: wrong }, headers))).toEqual([
      422,
      'pin_wrong',
    ])
    const first = await anyone.post(at(claim, '/redeem'), { address, pin }, headers)
    const again = await anyone.post(at(claim, '/redeem'), { address, pin }, headers)
    expect([first.status, again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      201,
      first.body,
      'true',
    ])
    expect(await systemClient().mintRequest.count({ where: { claimId: claim.id } })).toBe(1)
    const records = await systemClient().idempotencyRecord.findMany({ where: { key: headers['idempotency-key'] } })
    expect(records.map(({ answer }) => Buffer.from(answer!).toString('latin1').includes('CLAIMED'))).toEqual([false])
  })

  test('without an API key a short Idempotency-Key is refused', async () => {
    const claim = await sendClaim(organization)
    expect(codeOf(await anyone.post(at(claim, '/verify'), {}, { 'idempotency-key': 'short' }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  test('expired and revoked claims say so and cannot be verified or redeemed', async () => {
    const [late, revoked] = [await sendClaim(organization), await sendClaim(organization)]
    await admin.delete(`/v1/email-claims/${revoked.id}`)
    expect((await anyone.get(at(revoked))).body).toMatchObject({ is_active: false, inactive_reason: 'REVOKED' })
    moveClock(31 * 86_400_000)
    expect((await anyone.get(at(late))).body).toMatchObject({ is_active: false, inactive_reason: 'EXPIRED' })
    for (const claim of [late, revoked]) {
      expect(codeOf(await anyone.post(at(claim, '/verify')))).toEqual([409, 'claim_not_active'])
      expect(codeOf(await anyone.post(at(claim, '/redeem'), { address: makeRandomAddress(), pin: '123456' }))).toEqual([
        409,
        'claim_not_active',
      ])
    }
  })
})
