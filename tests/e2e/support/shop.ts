import type { APIRequestContext } from '@playwright/test'
import { expect } from '@playwright/test'
import { asMember } from './newcomer.ts'
import { buyer } from './selling.ts'
import { BY_CHAIN, mailTo, stack } from './stack.ts'
import { takeCodes } from './wallets.ts'

/** An id of everything there is a page for. */
export type Shop = Record<
  | 'collectionId'
  | 'undeployedId'
  | 'itemId'
  | 'ownedItemId'
  | 'looseItemId'
  | 'itemTypeId'
  | 'claimId'
  | 'claimUrl'
  | 'mailsUrl'
  | 'listingId'
  | 'soldListingId'
  | 'purchaseId'
  | 'purchaseUrl'
  | 'mintRequestId'
  | 'transactionId'
  | 'campaignId'
  | 'webhookId'
  | 'perkId'
  | 'importId'
  | 'onboardingUrl'
  | 'bankUrl',
  string
>

const LONG =
  'The Kingfisher of the Upper Reaches, seen in the first light of the first of March by somebody who had been waiting for it since midnight'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Id = { id: string }

/**
 * A shop in full swing, made with the session of whoever is signed in: something of every kind, with long words among
 * it.
 */
export async function makeShop(request: APIRequestContext): Promise<Shop> {
  const post = <Answer = Id>(path: string, body: unknown) => asMember<Answer>(request, 'POST', path, body)
  const get = <Answer>(path: string) => asMember<Answer>(request, 'GET', path)
  const publicly = async <Answer>(path: string, data: unknown): Promise<Answer> => {
    const response = await request.post(`/public/v1${path}`, { data })
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
    return (await response.json()) as Answer
  }

  const { id: collectionId } = await post('/collections', {
    name: 'River birds',
    description: 'Hand-drawn for the first two hundred members of the river society.',
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'BIRD', variant: 'ERC721' } },
  })
  const { id: undeployedId } = await post('/collections', { name: `Unfinished ${'verylongword'.repeat(6)}` })
  const { id: itemTypeId } = await post('/item-types', {
    name: 'Bird',
    schema: {
      type: 'object',
      required: ['title'],
      properties: { title: { type: 'string' }, wingspan: { type: 'integer', minimum: 1 }, colour: { type: 'string' } },
    },
  })
  const titles = ['The Night Heron', LONG, 'Dipper', 'Lapwing']
  const { item_ids: itemIds } = await post<{ item_ids: string[] }>('/items/bulk', {
    items: titles.map((title) => ({
      collection_id: collectionId,
      attributes: { title, description: 'One of four.', series: 'River birds', colour: 'Teal and copper' },
    })),
  })
  await post('/items/lock', { collection_id: collectionId })
  const { id: looseItemId } = await post('/items', { collection_id: undeployedId, attributes: { title: LONG } })

  const { id: campaignId } = await post('/marketing-campaigns', { name: 'Spring drop' })
  const { id: webhookId } = await post('/webhooks', {
    name: 'Shop backend',
    url: 'https://shop.example.com/hooks/vitrine',
  })
  await post('/media', { file: { name: 'pixel.png', base64: PIXEL } })
  await post('/api-keys', { name: 'Shop backend' })
  await post('/members', { email: `editor-${collectionId}@example.com`, role: 'EDITOR' })
  await post('/email-integrations', {
    provider: 'CUSTOM_SMTP',
    config: {
      email_from: 'Night Gallery <drops@gallery.example>',
      username: 'drops',
      password: 'secret',
      host: 'smtp.gallery.example',
      port: 587,
    },
  })
  const { onboarding_url: onboardingUrl } = await post<{ onboarding_url: string }>('/payment-integrations', {
    mode: 'TEST',
  })

  const deployed = async () => (await get<{ contract: string | null }>(`/collections/${collectionId}`)).contract
  await expect.poll(deployed, { ...BY_CHAIN, message: 'the collection is deployed' }).not.toBeNull()
  const [heron, kingfisher, dipper, lapwing] = itemIds as [string, string, string, string]
  const email = `someone.with.a.long.address-${collectionId}@example.com`
  const { id: claimId, claim_url: claimUrl } = await post<Id & { claim_url: string }>('/email-claims', {
    email,
    item_id: heron,
    campaign_id: campaignId,
  })
  const free = { quantity_listed: 1, price: 0, currency: 'ETH', payment_providers: ['ORGANIZATION'] }
  const { id: listingId } = await post('/listings', {
    ...free,
    item_id: kingfisher,
    policy: { type: 'ALLOW_LIST', eth_addresses: [buyer] },
  })
  const { id: soldListingId } = await post('/listings', { ...free, item_id: dipper })
  const purchase = await publicly<{ id: string; secret: string }>('/purchase-intents', {
    listing_id: soldListingId,
    buyer: { eth_address: buyer },
  })
  const { mint_requests } = await post<{ mint_requests: { id: string; transaction_id: string }[] }>('/mint-requests', {
    item_id: lapwing,
    to_address: buyer,
  })
  const isOwned = async () => (await request.get(`/public/v1/wallets/${buyer}/items/${lapwing}`)).ok()
  await expect.poll(isOwned, { ...BY_CHAIN, message: 'a buyer owns an item' }).toBe(true)
  const { id: perkId } = await post('/perks', {
    collection_id: collectionId,
    title: LONG,
    codes: ['MOON-1', `SUN-${'verylongcode'.repeat(8)}`, 'STAR-3'],
  })
  for (const perk of [
    { text: `${LONG}\n\nAnd what he had with him.` },
    { url: 'https://shop.example.com/for-holders' },
  ])
    await post('/perks', { item_id: heron, title: 'How it was drawn', is_public: false, ...perk })
  await takeCodes(buyer, lapwing, perkId)
  await post('/snapshots', {
    name: 'Before the second drop',
    collection_id: collectionId,
    timestamp: new Date().toISOString(),
  })
  const { id: importId } = await post('/items/import', {
    collection_id: collectionId,
    csv: `title,colour\nMoonflower,white\n${LONG.replaceAll(',', '')},grey\n,black\n`,
    dry_run: true,
  })

  return {
    collectionId,
    undeployedId,
    itemId: heron,
    ownedItemId: lapwing,
    looseItemId,
    itemTypeId,
    claimId,
    claimUrl,
    mailsUrl: /\/unsubscribe\/(\S+)/.exec((await mailTo(email, /sent you/)).text)![0].replace('unsubscribe', 'mails'),
    listingId,
    soldListingId,
    purchaseId: purchase.id,
    purchaseUrl: `/p/${purchase.id}#${purchase.secret}`,
    mintRequestId: mint_requests[0]!.id,
    transactionId: mint_requests[0]!.transaction_id,
    campaignId,
    webhookId,
    perkId,
    importId,
    onboardingUrl,
    bankUrl: await askBank(request, publicly),
  }
}

type Publicly = <Answer>(path: string, data: unknown) => Promise<Answer>

/** The page on which a buyer's bank asks them whether it is they. */
async function askBank(request: APIRequestContext, publicly: Publicly): Promise<string> {
  const { data } = await publicly<{ data: { client_secret: string; publishable_key: string } }>('/purchase-intents', {
    listing_id: stack().demo.listings.card,
    buyer: { email: `bank-${crypto.randomUUID()}@example.com` },
  })
  const payment = data.client_secret.split('_secret')[0]
  const confirmed = await request.post(`/sandbox/cards/v1/payment_intents/${payment}/confirm`, {
    form: {
      client_secret: data.client_secret,
      key: data.publishable_key,
      payment_method: 'pm_card_threeDSecureRequired',
      return_url: stack().origin,
    },
  })
  const { next_action } = (await confirmed.json()) as { next_action: { redirect_to_url: { url: string } } }
  return next_action.redirect_to_url.url
}
