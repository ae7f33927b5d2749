import { expect } from '@playwright/test'
import { admin, chain, collection } from './gift.ts'
import { stack } from './stack.ts'

/** Anvil's own accounts: they have coins, and the node signs for them. */
export const buyer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const payout = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

export type Provider = 'CARD_PROVIDER' | 'MINT_VOUCHER' | 'EMAIL_CLAIM' | 'ORGANIZATION' | 'BETA_FREE_MINT'
export type Offer = { id: string; url: string; itemId: string; title: string }

export type OfferTerms = {
  title?: string
  translations?: Record<string, { title: string; description: string }>
  providers?: Provider[]
  price?: string
  currency?: string
  policy?: Record<string, unknown>
  start_time?: string
  end_time?: string
  proof_of_work?: boolean
  /** More than one: that many items of one collection, of which buyers get any. */
  units?: number
  max_quantity_per_tx?: number
}

let ready: Promise<unknown> | undefined

/** Crypto sales need to know where the money goes. */
const setPayout = () =>
  (ready ??= admin('PATCH', `/organizations/${stack().organization_id}`, { payout_address: payout }))

/** A listing of an item of its own, or of a collection of items. By card for 15 euros, unless told otherwise. */
export async function offer(terms: OfferTerms = {}): Promise<Offer> {
  await setPayout()
  const {
    title = 'The Night Heron',
    translations = {},
    providers = ['CARD_PROVIDER'],
    price = '1500',
    currency = 'EUR',
    units = 1,
    ...rest
  } = terms
  const { id: collectionId } = await collection()
  const attributes = {
    title,
    description: 'Hand-drawn for the first two hundred members of the river society.',
    series: 'River birds',
    colour: 'Teal and copper',
  }
  const items: { id: string }[] = []
  for (let at = 0; at < units; at++) {
    const item = await admin<{ id: string }>('POST', '/items', {
      collection_id: collectionId,
      attributes,
      translations,
    })
    await admin('POST', '/items/lock', { item_id: item.id })
    items.push(item)
  }
  const item = items[0]!
  const listing = await admin<{ id: string }>('POST', '/listings', {
    ...(units > 1 ? { collection_id: collectionId } : { item_id: item.id }),
    quantity_listed: units,
    price,
    currency,
    payment_providers: providers,
    ...rest,
  })
  return { id: listing.id, url: `/l/${listing.id}`, itemId: item.id, title }
}

export const freeOffer = (provider: Provider, terms: OfferTerms = {}) =>
  offer({ ...terms, providers: [provider], price: '0', currency: 'ETH' })

type PaymentToken = { address: string; symbol: string; decimals: number }

/** The sandbox's own payment token, with some of it given to the buyer. */
export async function paymentToken(give: bigint): Promise<PaymentToken> {
  const response = await fetch(`${stack().public_base}/v1/payment-tokens?network_id=${stack().chain_id}`)
  const { results } = (await response.json()) as { results: PaymentToken[] }
  const token = results.find(({ address }) => !/^0x0{40}$/.test(address))
  expect(token, 'the sandbox has a payment token').toBeDefined()
  // mint(address,uint256)
  const data = `0x40c10f19${buyer.slice(2).toLowerCase().padStart(64, '0')}${give.toString(16).padStart(64, '0')}`
  await chain('eth_sendTransaction', [{ from: buyer, to: token!.address, data }])
  return token!
}

/** What an address owns of a token. */
export async function balanceOf(token: string, owner: string): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(await chain<string>('eth_call', [{ to: token, data }, 'latest']))
}

export const coinsOf = async (owner: string): Promise<bigint> =>
  BigInt(await chain<string>('eth_getBalance', [owner, 'latest']))

/** The state of a listing, as its seller sees it. */
export const listingOf = (id: string) =>
  admin<{ status: string; quantity_remaining: number; quantity_open: number; quantity_confirmed: number }>(
    'GET',
    `/listings/${id}`,
  )

const intents = () => `${stack().public_base}/v1/purchase-intents`

/** Somebody else's purchase, reserved and not paid yet. */
async function open(listing_id: string, provider: Provider, buyer: object): Promise<{ id: string; secret: string }> {
  const response = await fetch(intents(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ listing_id, provider, buyer }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; secret: string }
}

/** A voucher purchase that somebody else opens in the name of an address. */
export const openInNameOf = (address: string, listingId: string) =>
  open(listingId, 'MINT_VOUCHER', { eth_address: address })

/** Somebody's card purchase, reserved and not paid yet. */
export const openByCard = (listingId: string) => open(listingId, 'CARD_PROVIDER', { email: 'buyer@example.com' })

/** Somebody else orders what is free, to a mailbox. */
export const orderByMail = (listingId: string, email: string) => open(listingId, 'EMAIL_CLAIM', { email })

/** Somebody else's card purchase. Answers how to give it up. */
export async function reserve(listingId: string, email: string): Promise<() => Promise<void>> {
  const { id, secret } = await open(listingId, 'CARD_PROVIDER', { email })
  return async () => {
    const given = await fetch(`${intents()}/${id}?secret=${secret}`, { method: 'DELETE' })
    expect(given.status).toBe(204)
  }
}
