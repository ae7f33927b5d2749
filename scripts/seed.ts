// Demo data, created through the verbs. Safe to repeat: a later run finds everything again and creates only what is
// missing. The last line of its output is JSON. The worker must be running, since it deploys the collection.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createApiKey } from '../lib/records/api-keys/create-api-key.ts'
import { revokeApiKey } from '../lib/records/api-keys/revoke-api-key.ts'
import { PERMISSIONS, ROLE_PERMISSIONS } from '../lib/platform/api/permissions.ts'
import { authenticate, organizationContext, systemContext } from '../lib/platform/auth/authenticate.ts'
import type { Context } from '../lib/platform/auth/context.ts'
import { createSignInLink } from '../lib/platform/auth/sign-in.ts'
import { createClaim } from '../lib/giving/create-claim.ts'
import { listClaims } from '../lib/giving/list-claims.ts'
import { createCollection } from '../lib/catalog/collections/create-collection.ts'
import { getCollection } from '../lib/catalog/collections/get-collection.ts'
import { requestDeployment } from '../lib/catalog/collections/request-deployment.ts'
import { now } from '../lib/core/clock.ts'
import { env } from '../lib/core/env.ts'
import { newId } from '../lib/core/id.ts'
import { disconnect } from '../lib/db/client.ts'
import { createItems } from '../lib/catalog/items/create-items.ts'
import { listItems } from '../lib/catalog/items/list-items.ts'
import { lockItems } from '../lib/catalog/items/lock-items.ts'
import { createListing } from '../lib/offers/listings/create-listing.ts'
import { listListings } from '../lib/offers/listings/list-listings.ts'
import { paymentTokensOf } from '../lib/offers/networks/payment-tokens.ts'
import { createOrganization } from '../lib/organizations/create-organization.ts'
import { updateOrganization } from '../lib/organizations/update-organization.ts'
import { connectSandbox } from '../lib/selling/payments/connect-sandbox.ts'
import { networksOf } from '../lib/ports/ports.ts'

const ADMIN = 'demo@vitrine.localhost'
const RECIPIENT = 'ada@example.com'
const COLLECTION = 'Night garden'
const EDITIONS = 'Night garden prints'
/** The local chain's last account, so that demo sales pay an account other than the operator. */
const PAYOUT_ADDRESS = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
const DEPLOY_TIMEOUT_MS = 60_000
const KEY_FILE = join(dirname(resolve(env.MEDIA_DIR)), 'demo-key')

const FLOWERS = [
  [
    'Moonflower',
    'Opens at nine in the evening, and is gone by breakfast.',
    { colour: 'ivory', petals: 5, scent: 'clove' },
  ],
  [
    'Night-blooming cereus',
    'Flowers for one night a year. Neighbours are invited.',
    { colour: 'white', petals: 24, scent: 'vanilla' },
  ],
  ['Evening primrose', 'Unfolds in under a minute, while you watch.', { colour: 'yellow', petals: 4, scent: 'lemon' }],
  [
    'Angel’s trumpet',
    'Hangs its head by day and calls the moths by night.',
    { colour: 'apricot', petals: 5, scent: 'jasmine' },
  ],
  [
    'Four o’clock',
    'Keeps its own hours, and two colours on one stem.',
    { colour: 'magenta', petals: 5, scent: 'orange' },
  ],
  ['Night phlox', 'Small stars that smell of honey after dusk.', { colour: 'violet', petals: 5, scent: 'honey' }],
] as const

/** A listing for each way to buy, of prints with many units. Prices are in minor units: cents, wei, millionths. */
const LISTINGS = {
  card: { title: 'Moonflower, print', provider: 'CARD_PROVIDER', price: 1_500n },
  voucher: { title: 'Evening primrose, print', provider: 'MINT_VOUCHER', price: 10_000_000_000_000_000n },
  erc20: { title: 'Angel’s trumpet, print', provider: 'MINT_VOUCHER', price: 12_500_000n },
  free_email: { title: 'Four o’clock, print', provider: 'EMAIL_CLAIM', price: 0n },
  free_mint: { title: 'Night phlox, print', provider: 'BETA_FREE_MINT', price: 0n },
} as const
type ListingKind = keyof typeof LISTINGS
const UNITS_MADE = 100_000n
const UNITS_LISTED = 1_000n

type Listings = Record<ListingKind, string | null>
type Demo = { collection_id: string; item_ids: string[]; claim_url: string; claim_email: string; listings: Listings }
export type Seeded = {
  organization_id: string
  api_key: string
  admin_email: string
  sign_in_url: string
  demo: Demo | null
}

export async function seed(): Promise<Seeded> {
  const ctx = await demoMember()
  return {
    organization_id: ctx.organizationId,
    api_key: await demoKey(ctx),
    admin_email: ADMIN,
    sign_in_url: await createSignInLink(ADMIN),
    demo: await demoCollection(ctx),
  }
}

/** The demo organization's owner, as if signed in. */
async function demoMember(): Promise<Context> {
  const { db } = systemContext('seed')
  const user = await db.user.findUnique({ where: { email: ADMIN } })
  const member = user && (await db.member.findFirst({ where: { userId: user.id }, orderBy: { id: 'asc' } }))
  const { organizationId, memberId, userId } = member
    ? { ...member, memberId: member.id }
    : await createOrganization(systemContext('seed'), { name: 'Demo', owner_email: ADMIN })
  const session = { id: newId(), signedInAt: now(), passkeyId: null }
  const actor = {
    type: 'member' as const,
    id: memberId,
    userId,
    email: ADMIN,
    permissions: ROLE_PERMISSIONS.OWNER,
    session,
  }
  return organizationContext(organizationId, 'seed', actor)
}

/** The API key of an earlier run while it works, else a new one. */
async function demoKey(ctx: Context): Promise<string> {
  const kept = readKept()
  if (kept && (await works(kept.key, ctx.organizationId))) return kept.key
  if (kept) await revokeApiKey(ctx, kept.id).catch(() => undefined) // of another database, or revoked by hand
  const { id, key } = await createApiKey(ctx, { name: 'Demo', permissions: [...PERMISSIONS], mode: 'TEST' })
  mkdirSync(dirname(KEY_FILE), { recursive: true })
  writeFileSync(KEY_FILE, JSON.stringify({ id, key }), { mode: 0o600 })
  return key
}

function readKept(): { id: string; key: string } | null {
  try {
    return JSON.parse(readFileSync(KEY_FILE, 'utf8')) as { id: string; key: string }
  } catch {
    return null
  }
}

async function works(key: string, organizationId: string): Promise<boolean> {
  try {
    const request = new Request(env.ORIGIN, { headers: { 'x-api-key': key } })
    return (
      (await authenticate('api_key', request, {}, { requestId: 'seed', clientAddress: '' })).organizationId ===
      organizationId
    )
  } catch {
    return false
  }
}

/** A deployed collection with locked items and one open claim; null where there is no test network to deploy to. */
async function demoCollection(ctx: Context): Promise<Demo | null> {
  const network = networksOf(ctx.ports).find(({ testnet, contracts }) => testnet && contracts)
  if (!network) return null
  const deployment = { network_id: network.id, platform: { symbol: 'NIGHT', variant: 'ERC721' as const } }
  const id = await collectionOf(ctx, COLLECTION, 'Flowers that open after dark.', deployment)
  const prints = await collectionOf(ctx, EDITIONS, 'Flowers that open after dark, on paper.', {
    network_id: network.id,
    platform: { symbol: 'PRINT', variant: 'ERC1155' as const },
  })

  const any = { limit: 1000, order_direction: 'ASC' as const, attribute: [], collection_id: id }
  if ((await listItems(ctx, any)).total_results === 0) await addItems(ctx, id)
  await lockItems(ctx, { collection_id: id })
  await untilDeployed(ctx, id)
  const claimUrl = await readyClaim(ctx, id)
  return {
    collection_id: id,
    item_ids: (await listItems(ctx, any)).results.map((item) => item.id),
    claim_url: claimUrl,
    claim_email: RECIPIENT,
    listings: await demoListings(ctx, prints, network.id),
  }
}

/** A collection by its name, created and its deployment requested if missing. */
async function collectionOf(
  ctx: Context,
  name: string,
  description: string,
  deployment: Parameters<typeof requestDeployment>[2],
): Promise<string> {
  const row = await ctx.db.collection.findFirst({ where: { name } })
  const { id } =
    row ?? (await createCollection(ctx, { name, description, editable_metadata: true, deployment_request: deployment }))
  const { deployment: state } = await getCollection(ctx, id)
  if (state === null || state.status === 'FAILED') await requestDeployment(ctx, id, deployment)
  return id
}

/** An active listing of each kind; null where this installation can't have one. */
async function demoListings(ctx: Context, collectionId: string, networkId: number): Promise<Listings> {
  const { payoutAddress } = await ctx.db.organization.findFirstOrThrow({ where: { id: ctx.organizationId } })
  if (!payoutAddress) await updateOrganization(ctx, ctx.organizationId, { payout_address: PAYOUT_ADDRESS })
  const integration = await connectSandbox(ctx)
  const itemIds = await printsOf(ctx, collectionId)
  await untilDeployed(ctx, collectionId)
  const [coin, token] = paymentTokensOf(ctx, networkId)
  const made = {} as Listings
  for (const kind of Object.keys(LISTINGS) as ListingKind[]) {
    const { provider, price } = LISTINGS[kind]
    const currency = kind === 'erc20' ? token?.symbol : kind === 'card' ? 'EUR' : coin?.symbol
    const possible = currency !== undefined && (kind !== 'card' || integration?.status === 'ACTIVE')
    made[kind] = possible ? await readyListing(ctx, { item_id: itemIds[kind], provider, currency, price }) : null
  }
  return made
}

/** The prints by the kind of listing that sells them, created and locked if missing. */
async function printsOf(ctx: Context, collectionId: string): Promise<Record<ListingKind, string>> {
  const all = async () =>
    (await listItems(ctx, { limit: 1000, order_direction: 'ASC', attribute: [], collection_id: collectionId })).results
  const titles = new Set((await all()).map(({ attributes }) => attributes.title))
  const missing = Object.values(LISTINGS).filter(({ title }) => !titles.has(title))
  if (missing.length > 0) {
    const items = missing.map(({ title }) => ({
      collection_id: collectionId,
      attributes: { title, description: 'One of many, on heavy paper.' },
    }))
    const { item_ids } = await createItems(ctx, { items })
    await lockItems(ctx, { item_ids, max_supply: UNITS_MADE })
  }
  const items = await all()
  return Object.fromEntries(
    Object.entries(LISTINGS).map(([kind, { title }]) => [
      kind,
      items.find(({ attributes }) => attributes.title === title)!.id,
    ]),
  ) as Record<ListingKind, string>
}

type Offer = { item_id: string; provider: (typeof LISTINGS)[ListingKind]['provider']; currency: string; price: bigint }

async function readyListing(ctx: Context, { item_id, provider, currency, price }: Offer): Promise<string> {
  const active = await listListings(ctx, { limit: 100, order_direction: 'ASC', item_id, status: 'ACTIVE' })
  const ready = active.results.find(({ sold_out, payment_providers }) => !sold_out && payment_providers[0] === provider)
  const order = {
    item_id,
    price,
    currency,
    payment_providers: [provider],
    quantity_listed: UNITS_LISTED,
    max_quantity_per_tx: 5n,
  }
  return (ready ?? (await createListing(ctx, order))).id
}

const addItems = (ctx: Context, collectionId: string) =>
  createItems(ctx, {
    items: FLOWERS.map(([title, description, more]) => ({
      collection_id: collectionId,
      attributes: { title, description, ...more },
    })),
  })

async function untilDeployed(ctx: Context, id: string): Promise<void> {
  for (const deadline = Date.now() + DEPLOY_TIMEOUT_MS; ; await pause(200)) {
    const { deployment } = await getCollection(ctx, id)
    if (deployment?.status === 'SUCCESS') return
    if (deployment?.status === 'FAILED')
      throw new Error(`The demo collection could not be deployed: ${deployment.failure}`)
    if (Date.now() > deadline)
      throw new Error('The demo collection was not deployed within a minute. Is the worker running?')
  }
}

/** The open claim; when it was redeemed, a new one on the next free item, which is created if missing. */
async function readyClaim(ctx: Context, collectionId: string): Promise<string> {
  const waiting = await listClaims(ctx, { limit: 1, collection_id: collectionId, email: RECIPIENT, state: 'ACTIVE' })
  if (waiting.results[0]?.claim_url) return waiting.results[0].claim_url
  const free = async () =>
    ctx.db.item.findFirst({
      where: { collectionId, lockedAt: { not: null }, held: 0n, minted: 0n },
      orderBy: { id: 'asc' },
    })
  let item = await free()
  if (!item) {
    await addItems(ctx, collectionId)
    await lockItems(ctx, { collection_id: collectionId })
    item = await free()
  }
  return (await createClaim(ctx, { email: RECIPIENT, item_id: item!.id })).claim_url! // a new claim has its link
}

if (import.meta.main) {
  try {
    const seeded = await seed()
    console.log(JSON.stringify(seeded))
  } finally {
    await disconnect()
  }
  process.exit(0)
}
