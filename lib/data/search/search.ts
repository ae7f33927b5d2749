import { getAddress, isAddress } from 'viem'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { type search as endpoint, SEARCH_PERMISSIONS, type SearchKind } from '../../platform/api/search.ts'
import { type Context, may } from '../../platform/auth/context.ts'
import { peopleOf } from '../../platform/auth/person.ts'
import { isUuid } from '../../core/id.ts'
import { escapeLike } from '../../core/escape-like.ts'
import { searchFormOf } from '../../core/search-form.ts'
import { rangeOfMailboxes } from '../../db/mailbox-begins.ts'
import type { Statement } from '../../db/statements.ts'

type SearchResult = Output<typeof endpoint>['results'][number]

const MAX_PER_KIND = 5
/** Matching items that are ranked; those whose title begins with the query come first. */
const MAX_CANDIDATES = 100

/** Searches everything the caller may read. Each part uses an index, or reads a table that stays small. */
export async function search(ctx: Context, { q }: Input<typeof endpoint>['query']): Promise<Output<typeof endpoint>> {
  const maySee = (kind: SearchKind) => may(ctx, SEARCH_PERMISSIONS[kind])
  const [collections, items, claims, purchases, campaigns, members] = await Promise.all([
    maySee('COLLECTION') || maySee('LISTING') ? findCollections(ctx, q) : [],
    maySee('ITEM') || maySee('LISTING') ? findItems(ctx, q) : [],
    maySee('EMAIL_CLAIM') ? findClaims(ctx, q) : [],
    maySee('PURCHASE_INTENT') ? findPurchases(ctx, q) : [],
    maySee('CAMPAIGN') ? findCampaigns(ctx, q) : [],
    maySee('MEMBER') ? findMembers(ctx, q) : [],
  ])
  const listings = maySee('LISTING') ? await findListings(ctx, q, [...collections, ...items]) : []
  const results = [...collections, ...items, ...listings, ...claims, ...purchases, ...campaigns, ...members].filter(
    ({ kind }) => maySee(kind),
  )
  return { results }
}

type Named = { id: string; name: string; symbol: string | null }

/** Their names contain the text, in any case. An organization has few of them. */
const COLLECTIONS: Statement = {
  name: 'search_collections',
  text: `SELECT id::text AS id, name, symbol FROM collections
    WHERE organization_id = $1::uuid
      AND (id = $2::uuid OR search_form(name) LIKE $3::text OR contract_address = $4::text)
    ORDER BY collections.id DESC LIMIT ${MAX_PER_KIND}`,
}
const CAMPAIGNS: Statement = {
  name: 'search_campaigns',
  text: `SELECT id::text AS id, name FROM campaigns
    WHERE organization_id = $1::uuid AND (id = $2::uuid OR search_form(name) LIKE $3::text)
    ORDER BY campaigns.id DESC LIMIT ${MAX_PER_KIND}`,
}
/** Either the id that the text is, or a pattern that matches the text anywhere. */
const idOrPattern = (q: string): [string | null, string | null] =>
  isUuid(q) ? [q, null] : [null, `%${escapeLike(searchFormOf(q))}%`]

async function findCollections(ctx: Context, q: string): Promise<SearchResult[]> {
  const contract = isAddress(q, { strict: false }) ? getAddress(q) : null
  const rows = await ctx.rows<Named>(COLLECTIONS, ctx.organizationId, ...idOrPattern(q), contract)
  return rows.map(({ id, name, symbol }) => ({ kind: 'COLLECTION', id, title: name, detail: symbol }))
}

type FoundItem = { id: string; title: unknown; token_id: string | null; collection: string }

async function findItems(ctx: Context, q: string): Promise<SearchResult[]> {
  const words = searchFormOf(q).match(/[\p{L}\p{N}]+/gu) ?? []
  const rows = isUuid(q)
    ? await ctx.rows<FoundItem>(ITEM_BY_ID, q)
    : await ctx.rows<FoundItem>(
        ITEMS_BY_WORDS,
        words.map((word) => `${word}:*`).join(' & '),
        /^\d{1,78}$/.test(q) ? q : null,
        MAX_CANDIDATES,
        MAX_PER_KIND,
        ctx.organizationId,
      )
  const found = rows.map(({ id, title, token_id, collection }): SearchResult => ({
    kind: 'ITEM',
    id,
    title: typeof title === 'string' ? title : 'Untitled',
    detail: [collection, token_id && `#${token_id}`].filter(Boolean).join(' '),
  }))
  const rank = ({ title, detail }: SearchResult) =>
    detail?.endsWith(` #${q}`) ? 0 : searchFormOf(title).startsWith(searchFormOf(q)) ? 1 : 2
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_PER_KIND)
}

const SHOWN = "i.id::text AS id, i.attributes -> 'title' AS title, i.token_id, c.name AS collection"
const ITEM_BY_ID: Statement = {
  name: 'search_item_by_id',
  text: `SELECT ${SHOWN} FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = $1::uuid`,
}
/** Items whose title has a word beginning with each word of the query; a number also matches a token id. */
const ITEMS_BY_WORDS: Statement = {
  name: 'search_items_by_words',
  text: `
    SELECT ${SHOWN} FROM items i JOIN collections c ON c.id = i.collection_id
    WHERE i.id = ANY(ARRAY(
      (SELECT t.id FROM collections k
          CROSS JOIN LATERAL (SELECT id FROM items WHERE collection_id = k.id AND token_id = $2::text LIMIT 1) t
        WHERE k.organization_id = $5::uuid AND $2::text IS NOT NULL LIMIT $4::int)
      UNION ALL SELECT s.id FROM search_items(to_tsquery('simple', $1::text), $3::int) s WHERE $1::text <> ''))
    ORDER BY i.id DESC`,
}

type FoundListing = { id: string; subject: string; status: string; currency: string }

/** Listings of the found items and collections. */
async function findListings(ctx: Context, q: string, subjects: SearchResult[]): Promise<SearchResult[]> {
  const titles = new Map(subjects.map(({ id, title }) => [id, title]))
  const ids = (kind: SearchKind) => subjects.filter((found) => found.kind === kind).map(({ id }) => id)
  const [wanted] = idOrPattern(q)
  const rows = await ctx.rows<FoundListing>(LISTINGS, ctx.organizationId, ids('ITEM'), ids('COLLECTION'), wanted)
  return rows.map(({ id, subject, status, currency }) => ({
    kind: 'LISTING',
    id,
    title: titles.get(subject) ?? `Listing in ${currency}`,
    detail: `${status.charAt(0)}${status.slice(1).toLowerCase()}, in ${currency}`,
  }))
}

const LISTINGS: Statement = {
  name: 'search_listings',
  text: `SELECT id::text AS id, coalesce(item_id, collection_id)::text AS subject, status::text AS status,
      currency FROM listings
    WHERE organization_id = $1::uuid
      AND (item_id = ANY($2::uuid[]) OR (item_id IS NULL AND collection_id = ANY($3::uuid[])) OR id = $4::uuid)
    ORDER BY listings.id DESC LIMIT ${MAX_PER_KIND}`,
}

type FoundClaim = { id: string; email: string; created_at: Date }
type FoundPurchase = { id: string; buyer_email: string | null; buyer_address: string | null; created_at: Date }

/** Rows whose email begins with the text, as a range that an index serves; the newest of them first. */
const byMailbox = (table: string, column: string, shown: string): Statement => ({
  name: `search_${table}_by_mailbox`,
  text: `SELECT * FROM (
      SELECT id::text AS id, ${shown} FROM ${table}
      WHERE organization_id = $1::uuid AND ${column} COLLATE "C" >= $2::text AND ${column} COLLATE "C" < $3::text
      ORDER BY ${column} COLLATE "C" LIMIT ${MAX_PER_KIND}) found
    ORDER BY id DESC`,
})
const byColumn = (table: string, column: string, type: string, shown: string): Statement => ({
  name: `search_${table}_by_${column}`,
  text: `SELECT id::text AS id, ${shown} FROM ${table} WHERE organization_id = $1::uuid AND ${column} = $2::${type}
    ORDER BY ${table}.id DESC LIMIT ${MAX_PER_KIND}`,
})
const CLAIM = 'email, created_at'
const PURCHASE = 'buyer_email, buyer_address, created_at'
const CLAIMS_BY_MAILBOX = byMailbox('email_claims', 'email', CLAIM)
const CLAIM_BY_ID = byColumn('email_claims', 'id', 'uuid', CLAIM)
const PURCHASES_BY_MAILBOX = byMailbox('purchase_intents', 'buyer_email', PURCHASE)
const PURCHASES_BY_ADDRESS = byColumn('purchase_intents', 'buyer_address', 'text', PURCHASE)
const PURCHASE_BY_ID = byColumn('purchase_intents', 'id', 'uuid', PURCHASE)

async function findClaims(ctx: Context, q: string): Promise<SearchResult[]> {
  const rows = isUuid(q)
    ? await ctx.rows<FoundClaim>(CLAIM_BY_ID, ctx.organizationId, q)
    : await ctx.rows<FoundClaim>(CLAIMS_BY_MAILBOX, ctx.organizationId, ...rangeOfMailboxes(q))
  return rows.map(({ id, email, created_at }) => ({
    kind: 'EMAIL_CLAIM',
    id,
    title: email,
    detail: `Sent on ${dayOf(created_at)}`,
  }))
}

async function findPurchases(ctx: Context, q: string): Promise<SearchResult[]> {
  const rows = isUuid(q)
    ? await ctx.rows<FoundPurchase>(PURCHASE_BY_ID, ctx.organizationId, q)
    : isAddress(q, { strict: false })
      ? await ctx.rows<FoundPurchase>(PURCHASES_BY_ADDRESS, ctx.organizationId, getAddress(q))
      : await ctx.rows<FoundPurchase>(PURCHASES_BY_MAILBOX, ctx.organizationId, ...rangeOfMailboxes(q))
  return rows.map(({ id, buyer_email, buyer_address, created_at }) => ({
    kind: 'PURCHASE_INTENT',
    id,
    title: buyer_email ?? buyer_address ?? id,
    detail: `Begun on ${dayOf(created_at)}`,
  }))
}

async function findCampaigns(ctx: Context, q: string): Promise<SearchResult[]> {
  const rows = await ctx.rows<Named>(CAMPAIGNS, ctx.organizationId, ...idOrPattern(q))
  return rows.map(({ id, name }) => ({ kind: 'CAMPAIGN', id, title: name, detail: null }))
}

async function findMembers(ctx: Context, q: string): Promise<SearchResult[]> {
  const rows = await ctx.db.member.findMany({
    where: { removedAt: null },
    take: 500,
    select: { id: true, userId: true },
  })
  const people = await peopleOf(rows.map(({ userId }) => userId))
  const wanted = searchFormOf(q)
  return rows
    .flatMap(({ id, userId }): SearchResult[] => {
      const person = people.get(userId)
      const fits =
        person &&
        (id === wanted ||
          searchFormOf(person.email).includes(wanted) ||
          (person.name && searchFormOf(person.name).includes(wanted)))
      return fits ? [{ kind: 'MEMBER', id, title: person.email, detail: person.name }] : []
    })
    .slice(0, MAX_PER_KIND)
}

const dayOf = (at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
