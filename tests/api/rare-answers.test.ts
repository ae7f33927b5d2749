// Answers that are documented and that few callers get.
import { beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { suspend } from '../../lib/data/abuse/suspend.ts'
import { CardRefused, CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { call, callerOf, code } from '../support/call.ts'
import { makeCardShop, overrideCards } from '../support/card-sales.ts'
import { installFakeChain, sendClaim } from '../support/claims.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, FREE_PRICE, makeAddressBuyer, makeListing, setPayoutAddress } from '../support/selling.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  await startMailbox()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

test('the settings of a mail server that change while they are tried are not activated', async () => {
  const config = {
    email_from: 'a@gallery.example',
    username: 'a',
    password: 'b',
    host: 'mail.gallery.example',
    port: 25,
  }
  const { id } = (await api.post('/v1/email-integrations', { provider: 'CUSTOM_SMTP', config })).body
  const path = `/v1/email-integrations/${id}`
  const { integrationMail } = ports()
  const send = async () => {
    expect((await api.patch(path, { config: { ...config, port: 26 } })).status).toBe(200)
    return { providerId: null }
  }
  replacePorts({ integrationMail: () => ({ send }) })
  expect(code(await api.post(`${path}/activate`))).toEqual([409, 'conflict'])
  replacePorts({ integrationMail })
  expect((await api.get(path)).body.status).not.toBe('ACTIVE')
})

test('the PIN of a claim that was revoked isn’t judged', async () => {
  const claim = await sendClaim(mine)
  expect((await api.delete(`/v1/email-claims/${claim.id}`)).status).toBe(204)
  const answer = await callerOf().post(`/public/v1/email-claims/${claim.token}/pin`, { pin: '123456' })
  expect(code(answer)).toEqual([409, 'claim_not_active'])
})

test('a file of claims without emails can’t be imported', async () => {
  const answer = await api.post('/v1/email-claims/import', { csv: 'name,item\nAda,next\n', dry_run: true })
  expect(code(answer)).toEqual([422, 'import_invalid'])
})

test('an item type can’t get a schema that is none', async () => {
  const { id } = (await api.post('/v1/item-types', { name: newId(), schema: { type: 'object' } })).body
  const answer = await api.patch(`/v1/item-types/${id}`, { schema: { type: 'nonsense' } })
  expect(code(answer)).toEqual([422, 'schema_invalid'])
})

test('a purchase is read with one secret', async () => {
  const listing = await makeListing(mine, { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] })
  const { id, secret } = (await buy(listing.id, { buyer: makeAddressBuyer() })).body
  const answer = await call('GET', `/public/v1/purchase-intents/${id}?secret=${secret}&secret=${secret}`)
  expect(code(answer)).toEqual([400, 'invalid_request'])
})

test('a purchase of a suspended organization can’t be taken over', async () => {
  const seller = await makeOrganization()
  await setPayoutAddress(seller)
  const listing = await makeListing(seller, { price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] })
  const { id } = (await buy(listing.id, { buyer: makeAddressBuyer() })).body
  const path = `/public/v1/purchase-intents/${id}`
  const { nonce } = (await call('GET', `${path}/challenge?action=TAKE_OVER`)).body.typed_data.message
  await suspend(systemContext('test'), { organizationId: seller.id, collectionId: null }, 'Reported.')
  const body = { nonce, signature: '0x1234' }
  expect(code(await call('POST', `${path}/take-over`, { body }))).toEqual([403, 'suspended'])
})

test('a card provider that doesn’t answer, or refuses, is named', async () => {
  const shop = await makeCardShop()
  const purchase = await shop.buy()
  const owner = callerOf(shop.organization.key)
  const path = `/v1/payment-integrations/${shop.integration.id}`
  const fails = (failure: Error) =>
    overrideCards(({ accounts, payments }) => ({
      accounts: { ...accounts, open: () => Promise.reject(failure), read: () => Promise.reject(failure) },
      payments: { ...payments, cancel: () => Promise.reject(failure) },
    }))
  const open = async () => callerOf((await makeOrganization()).key).post('/v1/payment-integrations', { mode: 'TEST' })

  const answersAgain = fails(new CardsUnavailable('Down.'))
  expect(code(await owner.post(`${path}/refresh`))).toEqual([503, 'unavailable'])
  expect(code(await open())).toEqual([503, 'unavailable'])
  const giveUp = await call('DELETE', `/public/v1/purchase-intents/${purchase.id}?secret=${purchase.secret}`)
  expect(code(giveUp)).toEqual([503, 'unavailable'])
  answersAgain()

  fails(new CardRefused('account_closed', 'The account is closed.'))
  expect(code(await owner.post(`${path}/refresh`))).toEqual([422, 'card_provider_refused'])
})
