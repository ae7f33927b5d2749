import { glob } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { organizationScope } from '../../lib/db/scope.ts'
import { installFakeChain } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { renderPage } from '../support/render-page.ts'
import { makeRows } from '../support/rows.ts'
import { makeSession } from '../support/sessions.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** How many round trips to PostgreSQL a page takes at most, its layout, session and organization included. */
const MOST = 6

const CLAIM = 'A claim is read with its item, mints, vouchers and links, a statement for each kind.'
const PURCHASE = 'A purchase is read with its units, payments, claims, mints and vouchers, a statement for each kind.'
const CHOICES = 'Its form offers collections and campaigns or types, each counted.'
const ITEM = 'Its item, the item’s collection and its holds are statements of their own.'
const TEMPLATES = 'Templates of the campaign, the organization and the platform are looked for one after another.'

/** Pages that take more, and why. */
const MORE: Record<string, [most: number, why: string]> = {
  'app/claim/[claimToken]/page.tsx': [16, CLAIM],
  'app/dashboard/claims/[claimId]/page.tsx': [14, CLAIM],
  'app/dashboard/claims/page.tsx': [12, CLAIM],
  'app/dashboard/purchases/[purchaseId]/page.tsx': [16, PURCHASE],
  'app/dashboard/purchases/page.tsx': [16, PURCHASE],
  'app/dashboard/listings/[listingId]/page.tsx': [27, PURCHASE],
  'app/dashboard/listings/[listingId]/edit/page.tsx': [10, CHOICES],
  'app/dashboard/claims/new/page.tsx': [8, CHOICES],
  'app/dashboard/collections/[collectionId]/edit/page.tsx': [7, CHOICES],
  'app/dashboard/imports/new/page.tsx': [7, CHOICES],
  'app/dashboard/imports/page.tsx': [7, CHOICES],
  'app/dashboard/items/new/page.tsx': [7, CHOICES],
  'app/dashboard/imports/[importId]/page.tsx': [7, 'Its lines are counted by verdict, and listed.'],
  'app/dashboard/items/[itemId]/page.tsx': [10, ITEM],
  'app/dashboard/listings/[listingId]/allow-list/page.tsx': [10, ITEM],
  'app/dashboard/listings/page.tsx': [9, ITEM],
  'app/dashboard/mint-requests/[mintRequestId]/page.tsx': [
    12,
    'The mint requests that it was moved from are read, too.',
  ],
  'app/dashboard/mint-requests/page.tsx': [8, ITEM],
  'app/dashboard/campaigns/[campaignId]/page.tsx': [15, TEMPLATES],
  'app/dashboard/campaigns/[campaignId]/templates/[type]/page.tsx': [13, TEMPLATES],
  'app/dashboard/campaigns/page.tsx': [13, TEMPLATES],
  'app/dashboard/campaigns/templates/[type]/page.tsx': [10, TEMPLATES],
  'app/dashboard/members/page.tsx': [7, 'People belong to no organization, and are read by another role than members.'],
  'app/dashboard/settings/email/page.tsx': [
    8,
    'People belong to no organization, and are read by another role than members.',
  ],
  'app/dashboard/webhooks/[webhookId]/page.tsx': [8, 'Deliveries and their attempts are statements of their own.'],
}

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
  await systemClient().session.updateMany({ where: { userId: mine.userId }, data: { lastUsedAt: new Date() } }) // Noted once a minute.
  const ids = await makeRows(mine)
  const { id: mintRequestId } = await mine.ctx.db.mintRequest.findFirstOrThrow()
  undeployed = newId()
  await mine.ctx.db.collection.create({ data: { id: undeployed, organizationId: mine.id, name: 'New' } })
  for (const [table, changes] of Object.entries(COPIED))
    await systemClient().$executeRawUnsafe(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid()) || ${changes}::jsonb)).*
       FROM (SELECT * FROM ${table} WHERE organization_id = $1::uuid ORDER BY id LIMIT 1) t, generate_series(1, 19) n`,
      mine.id,
    )
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
    listingId: ids.listing_id!,
    purchaseId: ids.purchase_intent_id!,
    intentId: ids.purchase_intent_id!,
    transactionId: ids.transaction_id!,
  }
})

/** What is different in each copy of a row. A page that asked for something of each would take 20 times as many round trips. */
const COPIED: Record<string, string> = {
  collections: "jsonb_build_object('name', gen_random_uuid(), 'contract_address', '0x' || md5(n::text) || '00000000')",
  campaigns: "jsonb_build_object('name', gen_random_uuid())",
  item_types: "jsonb_build_object('name', gen_random_uuid())",
  items: "jsonb_build_object('token_id', (1000 + n)::text)",
  email_claims: "'{}'",
  transactions: "'{}'",
  snapshots: "'{}'",
  suppressions: "jsonb_build_object('email', gen_random_uuid() || '@example.com')",
  webhooks: "'{}'",
  webhook_deliveries: "jsonb_build_object('message_id', gen_random_uuid())",
  media_files: "jsonb_build_object('cid', gen_random_uuid())",
  imports: "'{}'",
  audit_entries: "'{}'",
  purchase_intents: "jsonb_build_object('status', CASE WHEN n < 9 THEN 'UNRESOLVED' ELSE 'CONFIRMED' END)",
  listings: "jsonb_build_object('starts_at', now() + interval '1 day')",
}

type Module = { default: unknown }
const load = async (file: string) => ((await import(path.join(ROOT, file))) as Module).default

/** The round trips of one page, and what it shows. */
async function visit(file: string) {
  const layouts = file.startsWith('app/dashboard/') ? [await load('app/dashboard/layout.tsx')] : []
  const page = await load(file)
  const collectionId = file.endsWith('/deploy/page.tsx') ? undeployed : params.collectionId!
  const asked = { session, organizationId: mine.id, params: { ...params, collectionId } }
  return countRoundTrips(() => renderPage({ layouts, page }, asked))
}

const all = await Array.fromAsync(glob('app/{dashboard,claim,l,p,wallet,sign-in}/**/page.tsx', { cwd: ROOT }))
const pages = all.filter((file) => file !== CLOSED).toSorted()

/** Somebody who is signed in needs no page to sign in. */
const isLedAway = (file: string, error: unknown): boolean =>
  file.startsWith('app/sign-in/') && error instanceof Error && error.message === 'NEXT_REDIRECT'

describe('a page keeps to its round trips, with 20 rows of everything', () => {
  test.each(pages)('%s', async (file) => {
    const { roundTrips } = await visit(file).catch((error: unknown) => {
      if (isLedAway(file, error)) return { roundTrips: [] }
      throw error
    })
    expect(roundTrips.length, roundTrips.join('\n')).toBeLessThanOrEqual(MORE[file]?.[0] ?? MOST)
  })
})

test('every page with a bound of its own exists', () => {
  expect(pages).toEqual(expect.arrayContaining(Object.keys(MORE)))
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
