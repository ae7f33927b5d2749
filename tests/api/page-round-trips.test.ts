import { glob } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { getCollection } from '../../lib/catalog/collections/get-collection.ts'
import { listCollectionChoices } from '../../lib/catalog/collections/list-collection-choices.ts'
import { listCollections } from '../../lib/catalog/collections/list-collections.ts'
import { listItemTypeChoices } from '../../lib/catalog/item-types/list-item-type-choices.ts'
import { getItem } from '../../lib/catalog/items/get-item.ts'
import { listItems } from '../../lib/catalog/items/list-items.ts'
import { newId } from '../../lib/core/id.ts'
import { getImport } from '../../lib/data/imports/get-import.ts'
import { listImports } from '../../lib/data/imports/list-imports.ts'
import { systemClient } from '../../lib/db/client.ts'
import { organizationScope } from '../../lib/db/scope.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { listClaims } from '../../lib/giving/list-claims.ts'
import { getMember } from '../../lib/members/get-member.ts'
import { listMembers } from '../../lib/members/list-members.ts'
import { getCampaign } from '../../lib/messaging/campaigns/get-campaign.ts'
import { listCampaignChoices } from '../../lib/messaging/campaigns/list-campaign-choices.ts'
import { listCampaigns } from '../../lib/messaging/campaigns/list-campaigns.ts'
import { getWebhook } from '../../lib/messaging/webhooks/get-webhook.ts'
import { listWebhooks } from '../../lib/messaging/webhooks/list-webhooks.ts'
import { getListing } from '../../lib/offers/listings/get-listing.ts'
import { listListings } from '../../lib/offers/listings/list-listings.ts'
import { getMint } from '../../lib/onchain/mints/get-mint.ts'
import { listMints } from '../../lib/onchain/mints/list-mints.ts'
import { asOwner } from '../support/as-owner.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { copyRows } from '../support/copied-rows.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { renderPage } from '../support/render-page.ts'
import { makeRows } from '../support/rows.ts'
import { makeSession } from '../support/sessions.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** How many round trips to PostgreSQL a page takes at most, its layout, session and organization included. */
const MOST = 6

/**
 * How many statements a page of the dashboard takes, its layout, session and organization included, however many rows
 * it shows. Some of them depend on states of single rows: ROOM is for those.
 */
const STATEMENTS: Record<string, number> = {
  'api-keys/new': 4,
  'api-keys': 7,
  audit: 7,
  'campaigns/[campaignId]': 16,
  'campaigns/[campaignId]/templates/[type]': 18,
  'campaigns/new': 5,
  campaigns: 14,
  'campaigns/templates/[type]': 15,
  'claims/[claimId]': 9,
  'claims/new': 10,
  claims: 10,
  'collections/[collectionId]/deploy': 14,
  'collections/[collectionId]/edit': 10,
  'collections/[collectionId]': 14,
  'collections/connect': 4,
  'collections/new': 5,
  collections: 6,
  'imports/[importId]': 14,
  'imports/new': 9,
  imports: 7,
  'item-types/[itemTypeId]': 14,
  'item-types/new': 4,
  'item-types': 7,
  'items/[itemId]/edit': 7,
  'items/[itemId]': 18,
  'items/new': 6,
  items: 7,
  'listings/[listingId]/allow-list': 14,
  'listings/[listingId]/edit': 11,
  'listings/[listingId]': 17,
  'listings/new': 9,
  listings: 10,
  media: 6,
  members: 9,
  'mint-requests/[mintRequestId]': 11,
  'mint-requests/new': 8,
  'mint-requests': 10,
  '': 25,
  payments: 9,
  'perks/[perkId]': 10,
  'purchases/[purchaseId]': 7,
  purchases: 8,
  'settings/email': 12,
  settings: 9,
  'settings/passkeys': 5,
  'settings/sessions': 5,
  'snapshots/new': 5,
  snapshots: 6,
  'transactions/[transactionId]': 9,
  transactions: 7,
  'webhooks/[webhookId]/edit': 14,
  'webhooks/[webhookId]': 14,
  'webhooks/[webhookId]/rotate': 14,
  'webhooks/new': 4,
  webhooks: 8,
}
const ROOM = 4

/** Answered without a page where sign-up is closed. */
const CLOSED = 'app/sign-in/organization/page.tsx'

let mine: TestOrganization
let session: string
let params: Record<string, string>
let undeployed: string

beforeAll(async () => {
  installFakeChain()
  vi.spyOn(console, 'error').mockReturnValue() // React complains of each component of the browser.
  mine = await makeOrganization()
  session = await makeSession(mine.userId)
  // Noted once a minute.
  await systemClient().session.updateMany({ where: { userId: mine.userId }, data: { lastUsedAt: new Date() } })
  const ids = await makeRows(mine)
  const { id: mintRequestId } = await mine.ctx.db.mintRequest.findFirstOrThrow()
  undeployed = newId()
  await mine.ctx.db.collection.create({ data: { id: undeployed, organizationId: mine.id, name: 'New' } })
  await copyRows(mine.id, COPIED)
  await saveTemplate(ids.campaign_id!)
  await mine.ctx.db.import.updateMany({ data: { options: { collection_id: ids.collection_id! } } })
  params = {
    mintRequestId,
    type: 'redeem-nft',
    collectionId: ids.collection_id!,
    itemId: ids.item_id!,
    itemTypeId: ids.item_type_id!,
    claimId: ids.email_claim_id!,
    claimToken: ids.claim_token!,
    campaignId: ids.campaign_id!,
    importId: ids.import_id!,
    webhookId: ids.webhook_id!,
    perkId: ids.perk_id!,
    listingId: ids.listing_id!,
    purchaseId: ids.purchase_intent_id!,
    intentId: ids.purchase_intent_id!,
    transactionId: ids.transaction_id!,
    address: makeRandomAddress(),
  }
})

/** Of more tables, and in states that the pages show apart. */
const COPIED = {
  collections: "jsonb_build_object('name', gen_random_uuid(), 'contract_address', '0x' || md5(n::text) || '00000000')",
  purchase_intents: "jsonb_build_object('status', CASE WHEN n < 9 THEN 'UNRESOLVED' ELSE 'CONFIRMED' END)",
  listings: "jsonb_build_object('starts_at', now() + interval '1 day')",
}

/** A template of the campaign, with a version that a member wrote. */
async function saveTemplate(campaignId: string): Promise<void> {
  const own = { organizationId: mine.id, version: 1 }
  const { id: templateId } = await mine.ctx.db.emailTemplate.create({
    data: { ...own, id: newId(), campaignId, templateType: 'REDEEM_NFT' },
  })
  const words = {
    subject: 'Yours',
    text: '{{claim_url}}',
    format: 'HTML' as const,
    body: '<p>Yours</p>',
    html: '<p>Yours</p>',
  }
  await mine.ctx.db.emailTemplateVersion.create({
    data: { ...own, ...words, id: newId(), templateId, memberId: mine.memberId },
  })
}

type Module = { default: unknown }
const load = async (file: string) => ((await import(path.join(ROOT, file))) as Module).default

/** The round trips of one page, and what it shows. */
async function visit(file: string) {
  const layouts = file.startsWith(DASHBOARD) ? [await load('app/dashboard/layout.tsx')] : []
  const page = await load(file)
  const collectionId = file.endsWith('/deploy/page.tsx') ? undeployed : params.collectionId!
  const asked = { session, organizationId: mine.id, params: { ...params, collectionId } }
  return countRoundTrips(() => renderPage({ layouts, page }, asked))
}

const all = await Array.fromAsync(glob('app/{dashboard,c,claim,i,l,o,p,wallet,sign-in}/**/page.tsx', { cwd: ROOT }))
const pages = all.filter((file) => file !== CLOSED).toSorted()

const DASHBOARD = 'app/dashboard/'
const mostStatements = (file: string): number => {
  const known = STATEMENTS[file.slice(DASHBOARD.length).replace(/\/?page\.tsx$/, '')]
  if (known === undefined) throw new Error(`${file} needs a number in STATEMENTS.`)
  return known + ROOM
}

/** Somebody who is signed in needs no page to sign in. */
const isLedAway = (file: string, error: unknown): boolean =>
  file.startsWith('app/sign-in/') && error instanceof Error && error.message === 'NEXT_REDIRECT'

describe('a page keeps to its round trips, with 20 rows of everything', () => {
  test.each(pages)('%s takes no more than it may', async (file) => {
    const { roundTrips, statements } = await visit(file).catch((error: unknown) => {
      if (isLedAway(file, error)) return { roundTrips: [], statements: 0 }
      throw error
    })
    expect(roundTrips.length, roundTrips.join('\n')).toBeLessThanOrEqual(MOST)
    if (file.startsWith(DASHBOARD)) expect(statements, roundTrips.join('\n')).toBeLessThanOrEqual(mostStatements(file))
  })
})

test('a public page of what didn’t change reads versions, its seller and what is on sale, nothing else', async () => {
  await asOwner(`UPDATE items SET updated_at = now() WHERE id = '${params.itemId!}'`)
  for (const file of ['app/i/[itemId]/page.tsx', 'app/c/[collectionId]/page.tsx']) {
    const first = await visit(file)
    if (file.includes('itemId')) expect(first.roundTrips.join('\n')).toContain('i.attributes')
    // What has just changed is read with its rows once more.
    await visit(file)
    const again = await visit(file)
    expect(again.result).toBe(first.result)
    // Titles and owners are columns of rows; a version has neither.
    expect(again.roundTrips.filter((text) => /attributes|quantity AS|i\.token_id/.test(text))).toEqual([])
  }
})

test('the overview shows what it asked for in few round trips', async () => {
  const { result } = await visit('app/dashboard/page.tsx')
  for (const text of ['Sent last', 'ada@example.com', 'needs a decision', 'goes on sale soon'])
    expect(result).toContain(text)
})

test('what is asked for at once is read in one round trip, and of one organization alone', async () => {
  await makeRows(await makeOrganization())
  const { rows } = organizationScope(mine.id, { together: true })
  const { result, roundTrips } = await countRoundTrips(() =>
    Promise.all([
      rows<{ id: string }>({
        name: 'test_owners_of_items',
        text: 'SELECT DISTINCT organization_id::text AS id FROM items',
      }),
      rows<{ id: string }>({
        name: 'test_owners_of_claims',
        text: 'SELECT DISTINCT organization_id::text AS id FROM email_claims',
      }),
    ]),
  )
  expect(roundTrips).toHaveLength(1)
  expect(result).toEqual([[{ id: mine.id }], [{ id: mine.id }]])
})

test('rows that are asked for at once are only read, and fail together', async () => {
  const { rows } = organizationScope(mine.id, { together: true })
  const results = await Promise.allSettled([
    rows({ name: 'test_one', text: 'SELECT 1 AS one' }),
    rows({ name: 'test_write', text: 'DELETE FROM items WHERE organization_id = $1::uuid' }, mine.id),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await mine.ctx.db.item.count()).toBe(20)
})

test('what is read alone is shown as it is in its list', async () => {
  const { ctx } = mine
  const all = { limit: 100 }
  const pairs = [
    [await getCollection(ctx, params.collectionId!), await listCollections(ctx, { ...all, network_id: [] })],
    [await getItem(ctx, params.itemId!), await listItems(ctx, { ...all, attribute: [] })],
    [await getListing(ctx, params.listingId!), await listListings(ctx, all)],
    [await getMint(ctx, params.mintRequestId!), await listMints(ctx, all)],
    [await getCampaign(ctx, params.campaignId!), await listCampaigns(ctx, all)],
    [await getImport(ctx, params.importId!), await listImports(ctx, all)],
    [await getWebhook(ctx, params.webhookId!), await listWebhooks(ctx, all)],
    [await getMember(ctx, mine.memberId), await listMembers(ctx, all)],
    [await getClaim(ctx, params.claimId!), await listClaims(ctx, all)],
  ] as const
  for (const [alone, { results }] of pairs) {
    const list: readonly { id: string }[] = results
    expect(alone).toMatchObject(list.find(({ id }) => id === alone.id)!)
  }
})

test('forms offer what is the organization’s own, the newest first', async () => {
  const { ctx } = mine
  await makeRows(await makeOrganization())
  const failed = await ctx.db.collection.create({
    data: {
      id: newId(),
      organizationId: mine.id,
      name: 'Failed',
      networkId: 31337,
      contractAddress: `0x${'f'.repeat(40)}`,
      deploymentType: 'PLATFORM',
      deploymentStatus: 'FAILED',
    },
  })
  const { id: deploymentTransactionId } = await ctx.db.transaction.create({
    data: {
      id: newId(),
      organizationId: mine.id,
      collectionId: failed.id,
      networkId: 31337,
      txType: 'DEPLOY_TOKEN_CONTRACT',
      failure: 'Out of gas.',
    },
  })
  await ctx.db.collection.updateMany({ where: { id: failed.id }, data: { deploymentTransactionId } })
  const { results: collections } = await listCollections(ctx, { limit: 100, network_id: [] })
  expect(collections.find(({ name }) => name === 'Failed')!.deployment!.failure).toBe('Out of gas.')
  expect(await listCollectionChoices(ctx)).toEqual(collections)
  expect(await listCollectionChoices(ctx, { deployed: true })).toEqual(
    collections.filter(({ deployment }) => deployment?.status === 'SUCCESS'),
  )
  const types = await ctx.db.itemType.findMany({
    orderBy: { id: 'desc' },
    select: { id: true, name: true, schema: true },
  })
  expect(await listItemTypeChoices(ctx)).toEqual(types)
  const campaigns = await ctx.db.campaign.findMany({
    orderBy: { id: 'desc' },
    select: { id: true, name: true },
    take: 5,
  })
  expect(await listCampaignChoices(ctx, { limit: 5 })).toEqual(campaigns)
})
