import { solveProof } from '../../lib/core/solve-proof.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { enableAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { runSandboxCards } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { handleSandboxRequest } from '../../lib/ports/sandbox-cards/provider.ts'
import { POST as takeCardEvent } from '../../app/webhooks/cards/[adapter]/route.ts'
import { call, callerOf } from './call.ts'
import { makeRandomAddress, makeItem } from './claims.ts'
import { drainJobs } from './jobs.ts'
import type { TestOrganization } from './organization.ts'

/** Connects the organization to an account at the built-in card provider that can take payments; returns its id. */
export async function connectCards(organization: TestOrganization): Promise<string> {
  const api = callerOf(organization.key)
  const { status, body } = await api.post('/v1/payment-integrations', { mode: 'TEST' })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { accountId } = await organization.ctx.db.paymentIntegration.findFirstOrThrow({ where: { id: body.id } })
  await enableAccount(openSandboxStore(), accountId!)
  const refreshed = await api.post(`/v1/payment-integrations/${body.id}/refresh`, {})
  if (refreshed.body.status !== 'ACTIVE') throw new Error(JSON.stringify(refreshed.body))
  return accountId!
}

/** Gives the organization an address to which vouchers pay. */
export const setPayoutAddress = ({ ctx, id }: TestOrganization) =>
  ctx.db.organization.update({ where: { id }, data: { payoutAddress: makeRandomAddress() } })

type Offer = { item?: Parameters<typeof makeItem>[1]; collectionId?: string } & Record<string, unknown>

/** A listing of a new item, sold by card unless `offer` differs. */
export async function makeListing(organization: TestOrganization, { item, ...offer }: Offer = {}) {
  const api = callerOf(organization.key)
  const of =
    'collection_id' in offer || 'item_id' in offer ? {} : { item_id: (await makeItem(organization, item)).itemId }
  const { status, body } = await api.post('/v1/listings', {
    ...of,
    quantity_listed: 1,
    price: 1999,
    currency: 'USD',
    payment_providers: ['CARD_PROVIDER'],
    ...offer,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

export const FREE_PRICE = { price: 0, currency: 'USD' }

let buyers = 0
export const makeBuyer = () => ({ email: `buyer-${++buyers}@example.com` })
export const makeAddressBuyer = () => ({ eth_address: makeRandomAddress() })

/** Creates a purchase as the checkout page does, with a proof of work if one is required. */
export async function buy(listingId: string, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const create = (more: object = {}) =>
    call('POST', '/public/v1/purchase-intents', {
      body: { buyer: makeBuyer(), listing_id: listingId, ...body, ...more },
      headers,
    })
  const answer = await create()
  if (answer.body.code !== 'proof_required') return answer
  const { challenge, difficulty } = answer.body.challenge
  return create({ proof: await solveProof(challenge, difficulty) })
}

/** Confirms a card payment at the provider, as the card form does. */
export async function pay(data: { client_secret: string; publishable_key: string }, card = 'pm_card_visa') {
  const id = data.client_secret.split('_secret_')[0]
  const body = new URLSearchParams({
    client_secret: data.client_secret,
    key: data.publishable_key,
    payment_method: card,
  })
  const answer = await handleSandboxRequest(
    new Request(`http://localhost/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
  return { status: answer.status, body: (await answer.json()) as any }
}

/** Delivers the provider's events and runs all jobs. */
export async function deliverCardEvents(): Promise<void> {
  await runSandboxCards((url, init) =>
    takeCardEvent(new Request(url, init), { params: Promise.resolve({ adapter: 'sandbox' }) }),
  )
  await drainJobs()
}

export const readPurchase = async (intent: { id: string; secret: string }) =>
  (await call('GET', `/public/v1/purchase-intents/${intent.id}?secret=${intent.secret}`)).body
export const cancelPurchase = (intent: { id: string; secret: string }) =>
  call('DELETE', `/public/v1/purchase-intents/${intent.id}?secret=${intent.secret}`)
