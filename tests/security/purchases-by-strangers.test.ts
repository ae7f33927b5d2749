import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { encodeAbiParameters, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { call } from '../support/call.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, cancelPurchase, makeBuyer, makeListing, readPurchase, setPayoutAddress } from '../support/selling.ts'

const VICTIM = { 'x-client-address': '192.0.2.1' }
const STRANGER = { 'x-client-address': '198.51.100.7' }

let chain: ReturnType<typeof installFakeChain>
let organization: TestOrganization

beforeAll(async () => {
  chain = installFakeChain()
  organization = await makeOrganization()
  await setPayoutAddress(organization)
})
beforeEach(resetClock)
afterEach(async () => {
  resetClock()
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

const makeVoucherListing = (more: object = {}) =>
  makeListing(organization, {
    item: { tokenType: 'ERC1155', maxSupply: 20n },
    quantity_listed: 20,
    max_quantity_per_tx: 5,
    price: 1000,
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
    ...more,
  })

const path = '/public/v1/purchase-intents'
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]
const statusOf = async (id: string) =>
  (await organization.ctx.db.purchaseIntent.findFirstOrThrow({ where: { id } })).status

/** What a wallet signs to close or take over a purchase. */
async function challengeOf(id: string, action: 'CLOSE' | 'TAKE_OVER') {
  const { status, body } = await call('GET', `${path}/${id}/challenge?action=${action}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.typed_data
}
const takeOver = (id: string, nonce: string, signature: Hex) =>
  call('POST', `${path}/${id}/take-over`, { body: { nonce, signature }, headers: VICTIM })
const close = (id: string, nonce: string, signature: Hex) =>
  call('DELETE', `${path}/${id}?nonce=${nonce}&signature=${signature}`)

describe('a voucher purchase that is found by its address', () => {
  test('a stranger who names an address gets the voucher, but neither secret nor mail hint', async () => {
    const listing = await makeVoucherListing()
    const buyer = { eth_address: makeRandomAddress() }
    const first = await buy(listing.id, { buyer: { ...buyer, email: 'ada@example.com' } }, VICTIM)
    expect(first.body.secret).toMatch(/^[\w-]{43}$/)
    for (const headers of [STRANGER, VICTIM, { ...STRANGER, 'idempotency-key': newId() }]) {
      const found = await buy(listing.id, { buyer }, headers)
      expect(found.body, JSON.stringify(found.body)).toMatchObject({
        id: first.body.id,
        secret: null,
        email_hint: null,
        data: first.body.data,
      })
      expect([found.status, JSON.stringify(found.body).includes(first.body.secret)]).toEqual([201, false])
    }
  })

  test('another quantity is refused as purchase_open, which names the open purchase', async () => {
    const listing = await makeVoucherListing()
    const buyer = { eth_address: makeRandomAddress() }
    const first = await buy(listing.id, { buyer }, VICTIM)
    const other = await buy(listing.id, { buyer, quantity: 2 }, STRANGER)
    expect(codeOf(other)).toEqual([409, 'purchase_open'])
    expect(other.body.purchase_intent_id).toBe(first.body.id)
    expect(JSON.stringify(other.body)).not.toContain(first.body.secret)
  })

  test('the same Idempotency-Key and whoever shows the secret get the secret again', async () => {
    const listing = await makeVoucherListing()
    const buyer = { eth_address: makeRandomAddress() }
    const headers = { ...VICTIM, 'idempotency-key': newId() }
    const first = await buy(listing.id, { buyer }, headers)
    expect((await buy(listing.id, { buyer }, headers)).body.secret).toBe(first.body.secret)
    const body = { buyer, listing_id: listing.id }
    const shown = await call('POST', `${path}?secret=${first.body.secret}`, { body, headers: STRANGER })
    expect(shown.body).toMatchObject({ id: first.body.id, secret: first.body.secret })
    const wrong = await call('POST', `${path}?secret=${'x'.repeat(43)}`, { body, headers: STRANGER })
    expect(wrong.body).toMatchObject({ id: first.body.id, secret: null })
  })

  test('fifty requests at once for one address make one purchase, and one of them gets its secret', async () => {
    const listing = await makeVoucherListing()
    const buyer = { eth_address: makeRandomAddress() }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => buy(listing.id, { buyer }, { 'x-client-address': `198.51.100.${at % 5}` })),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ body }) => body.secret !== null)).toHaveLength(1)
  })

  test('without its secret or a signature nobody can give it up', async () => {
    const listing = await makeVoucherListing()
    const buyer = { eth_address: makeRandomAddress() }
    const first = (await buy(listing.id, { buyer }, VICTIM)).body
    const found = (await buy(listing.id, { buyer }, STRANGER)).body
    for (const secret of [found.secret, '', 'x'.repeat(43)])
      expect(codeOf(await cancelPurchase({ id: found.id, secret }))).toEqual([404, 'not_found'])
    expect(codeOf(await call('DELETE', `${path}/${found.id}`))).toEqual([404, 'not_found'])
    expect(await statusOf(first.id)).toBe('PENDING')
    expect((await cancelPurchase(first)).status).toBe(204)
  })
})

describe('the signature of its address', () => {
  let owner: ReturnType<typeof privateKeyToAccount>
  const stranger = privateKeyToAccount(generatePrivateKey())
  beforeEach(() => void (owner = privateKeyToAccount(generatePrivateKey())))

  /** A purchase that a stranger opened in the owner's name. */
  async function makeStrangersPurchase(address = owner.address) {
    const listing = await makeVoucherListing()
    const buyer = { eth_address: address, ...makeBuyer() }
    return { listing, purchase: (await buy(listing.id, { buyer }, STRANGER)).body }
  }

  test('the challenge names the network, the listing, the address and what is done', async () => {
    const { listing, purchase } = await makeStrangersPurchase()
    const { body } = await call('GET', `${path}/${purchase.id}/challenge?action=CLOSE`)
    expect(body).toMatchObject({
      typed_data: {
        domain: { name: 'Vitrine', chainId: 31337 },
        message: { listingId: listing.id, address: owner.address, action: 'CLOSE', nonce: expect.any(String) },
      },
      expires_at: expect.any(String),
    })
  })

  test('takes an open purchase over: the stranger’s secret is void, and their mailbox gets nothing', async () => {
    const { purchase } = await makeStrangersPurchase()
    const challenge = await challengeOf(purchase.id, 'TAKE_OVER')
    const taken = await takeOver(purchase.id, challenge.message.nonce, await owner.signTypedData(challenge))
    expect(taken.body, JSON.stringify(taken.body)).toMatchObject({
      id: purchase.id,
      status: 'PENDING',
      data: purchase.data,
      email_hint: null,
    })
    expect(taken.body.secret).not.toBe(purchase.secret)
    expect((await readPurchase(purchase)).code).toBe('not_found')
    expect(codeOf(await cancelPurchase(purchase))).toEqual([404, 'not_found'])
    expect(await readPurchase(taken.body)).toMatchObject({ id: purchase.id, status: 'PENDING' })
    expect(await organization.ctx.db.purchaseIntent.findFirst({ where: { id: purchase.id } })).toMatchObject({
      buyerEmail: null,
    })
    expect((await cancelPurchase(taken.body)).status).toBe(204)
  })

  test('closes an open purchase, so that another quantity can be bought', async () => {
    const { listing, purchase } = await makeStrangersPurchase()
    const challenge = await challengeOf(purchase.id, 'CLOSE')
    const closed = await close(purchase.id, challenge.message.nonce, await owner.signTypedData(challenge))
    expect(closed.status, JSON.stringify(closed.body)).toBe(204)
    expect(await statusOf(purchase.id)).toBe('CANCELLED')
    const own = await buy(listing.id, { buyer: { eth_address: owner.address }, quantity: 2 }, VICTIM)
    expect([own.status, own.body.secret !== null]).toEqual([201, true])
  })

  test('is valid once', async () => {
    const { purchase } = await makeStrangersPurchase()
    const challenge = await challengeOf(purchase.id, 'TAKE_OVER')
    const signature = await owner.signTypedData(challenge)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => takeOver(purchase.id, challenge.message.nonce, signature)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422])
    expect(codeOf(await takeOver(purchase.id, challenge.message.nonce, signature))).toEqual([422, 'signature_invalid'])
  })

  test('by another key, for another action or listing, of a made-up nonce or too late is refused', async () => {
    const { purchase } = await makeStrangersPurchase()
    const other = await makeStrangersPurchase()
    const challenge = await challengeOf(purchase.id, 'TAKE_OVER')
    const { nonce } = challenge.message
    const signature = await owner.signTypedData(challenge)
    const refused = [422, 'signature_invalid']
    expect(codeOf(await takeOver(purchase.id, nonce, await stranger.signTypedData(challenge)))).toEqual(refused)
    expect(codeOf(await close(purchase.id, nonce, signature))).toEqual(refused)
    expect(codeOf(await takeOver(other.purchase.id, nonce, signature))).toEqual(refused)
    const made = { ...challenge, message: { ...challenge.message, nonce: `${nonce.slice(0, -2)}xx` } }
    expect(codeOf(await takeOver(purchase.id, made.message.nonce, await owner.signTypedData(made)))).toEqual(refused)
    expect(codeOf(await takeOver(purchase.id, nonce, '0x1234'))).toEqual(refused)
    moveClock(11 * 60_000)
    expect(codeOf(await takeOver(purchase.id, nonce, signature))).toEqual(refused)
    expect(await readPurchase(purchase)).toMatchObject({ status: 'PENDING' })
  })

  test('of a contract wallet counts when the contract says so', async () => {
    const wallet = makeRandomAddress()
    chain.contracts.set(wallet, encodeAbiParameters([{ type: 'bytes4' }], ['0xf23a6e61']))
    const { purchase } = await makeStrangersPurchase(wallet)
    const challenge = await challengeOf(purchase.id, 'TAKE_OVER')
    const signature = await stranger.signTypedData(challenge)
    expect(codeOf(await takeOver(purchase.id, challenge.message.nonce, signature))).toEqual([422, 'signature_invalid'])
    chain.contracts.set(wallet, encodeAbiParameters([{ type: 'bytes4' }], ['0x1626ba7e']))
    expect((await takeOver(purchase.id, challenge.message.nonce, signature)).status).toBe(200)
  })

  test('is asked for open voucher purchases only', async () => {
    const { purchase } = await makeStrangersPurchase()
    expect((await cancelPurchase(purchase)).status).toBe(204)
    expect(codeOf(await call('GET', `${path}/${purchase.id}/challenge?action=CLOSE`))).toEqual([404, 'not_found'])
  })
})
