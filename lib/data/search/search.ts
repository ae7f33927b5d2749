import { getAddress, isAddress } from 'viem'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { type search as endpoint, SEARCH_PERMISSIONS, type SearchKind } from '../../platform/api/search.ts'
import { type Context, may } from '../../platform/auth/context.ts'
import { peopleOf } from '../../platform/auth/person.ts'
import { isUuid } from '../../core/id.ts'
import { escapeLike } from '../../core/escape-like.ts'
import type { Statement } from '../../db/statements.ts'

type Found = Output<typeof endpoint>['results'][number]

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

/** Matches the text anywhere, in any case. */
const contains = (text: string) => ({ contains: escapeLike(text), mode: 'insensitive' as const })

async function findCollections(ctx: Context, q: string): Promise<Found[]> {
  const rows = await ctx.db.collection.findMany({
    where: isUuid(q)
      ? { id: q }
      : {
          OR: [{ name: contains(q) }, ...(isAddress(q, { strict: false }) ? [{ contractAddress: getAddress(q) }] : [])],
        },
    orderBy: { id: 'desc' },
    take: MAX_PER_KIND,
    select: { id: true, name: true, symbol: true },
  })
  return rows.map(({ id, name, symbol }) => ({ kind: 'COLLECTION', id, title: name, detail: symbol }))
}

type FoundItem = { id: string; title: unknown; token_id: string | null; collection: string }

async function findItems(ctx: Context, q: string): Promise<Found[]> {
  const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
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
  const found = rows.map(({ id, title, token_id, collection }): Found => ({
    kind: 'ITEM',
    id,
    title: typeof title === 'string' ? title : 'Untitled',
    detail: [collection, token_id && `#${token_id}`].filter(Boolean).join(' '),
  }))
  const rank = ({ title, detail }: Found) =>
    detail?.endsWith(` #${q}`) ? 0 : title.toLowerCase().startsWith(q.toLowerCase()) ? 1 : 2
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
      (SELECT t.id FROM collections k CROSS JOIN LATERAL (SELECT id FROM items WHERE collection_id = k.id AND token_id = $2::text LIMIT 1) t
        WHERE k.organization_id = $5::uuid AND $2::text IS NOT NULL LIMIT $4::int)
      UNION ALL SELECT s.id FROM search_items(to_tsquery('simple', $1::text), $3::int) s WHERE $1::text <> ''))
    ORDER BY i.id DESC`,
}

/** Listings of the found items and collections. */
async function findListings(ctx: Context, q: string, subjects: Found[]): Promise<Found[]> {
  const titles = new Map(subjects.map(({ id, title }) => [id, title]))
  const ids = (kind: SearchKind) => subjects.filter((found) => found.kind === kind).map(({ id }) => id)
  const rows = await ctx.db.listing.findMany({
    where: {
      OR: [
        { itemId: { in: ids('ITEM') } },
        { itemId: null, collectionId: { in: ids('COLLECTION') } },
        ...(isUuid(q) ? [{ id: q }] : []),
      ],
    },
    orderBy: { id: 'desc' },
    take: MAX_PER_KIND,
    select: { id: true, itemId: true, collectionId: true, status: true, currency: true },
  })
  return rows.map(({ id, itemId, collectionId, status, currency }) => ({
    kind: 'LISTING',
    id,
    title: titles.get(itemId ?? collectionId) ?? `Listing in ${currency}`,
    detail: `${status.charAt(0)}${status.slice(1).toLowerCase()}, in ${currency}`,
  }))
}

async function findClaims(ctx: Context, q: string): Promise<Found[]> {
  const select = { id: true, email: true, state: true, createdAt: true }
  const where = isUuid(q) ? { id: q } : { id: { in: await idsByMailbox(ctx, CLAIMS_BY_MAILBOX, q) } }
  const rows = await ctx.db.emailClaim.findMany({ where, orderBy: { id: 'desc' }, take: MAX_PER_KIND, select })
  return rows.map(({ id, email, createdAt }) => ({
    kind: 'EMAIL_CLAIM',
    id,
    title: email,
    detail: `Sent on ${dayOf(createdAt)}`,
  }))
}

async function findPurchases(ctx: Context, q: string): Promise<Found[]> {
  const address = isAddress(q, { strict: false }) ? getAddress(q) : null
  const where = isUuid(q)
    ? { id: q }
    : address
      ? { buyerAddress: address }
      : { id: { in: await idsByMailbox(ctx, PURCHASES_BY_MAILBOX, q) } }
  const rows = await ctx.db.purchaseIntent.findMany({
    where,
    orderBy: { id: 'desc' },
    take: MAX_PER_KIND,
    select: { id: true, buyerEmail: true, buyerAddress: true, createdAt: true },
  })
  return rows.map(({ id, buyerEmail, buyerAddress, createdAt }) => ({
    kind: 'PURCHASE_INTENT',
    id,
    title: buyerEmail ?? buyerAddress ?? id,
    detail: `Begun on ${dayOf(createdAt)}`,
  }))
}

/** Rows whose email begins with the query, as a range that an index serves. */
const byMailbox = (table: string, column: string): Statement => ({
  name: `search_${table}_by_mailbox`,
  text: `SELECT id::text AS id FROM ${table}
    WHERE organization_id = $1::uuid AND ${column} COLLATE "C" >= $2::text AND ${column} COLLATE "C" < $3::text
    ORDER BY ${column} COLLATE "C" LIMIT ${MAX_PER_KIND}`,
})
const CLAIMS_BY_MAILBOX = byMailbox('email_claims', 'email')
const PURCHASES_BY_MAILBOX = byMailbox('purchase_intents', 'buyer_email')

async function idsByMailbox(ctx: Context, statement: Statement, q: string): Promise<string[]> {
  const start = q.toLowerCase()
  const rows = await ctx.rows<{ id: string }>(statement, ctx.organizationId, start, `${start}\u{10ffff}`)
  return rows.map(({ id }) => id)
}

async function findCampaigns(ctx: Context, q: string): Promise<Found[]> {
  const rows = await ctx.db.campaign.findMany({
    where: isUuid(q) ? { id: q } : { name: contains(q) },
    orderBy: { id: 'desc' },
    take: MAX_PER_KIND,
    select: { id: true, name: true },
  })
  return rows.map(({ id, name }) => ({ kind: 'CAMPAIGN', id, title: name, detail: null }))
}

async function findMembers(ctx: Context, q: string): Promise<Found[]> {
  const rows = await ctx.db.member.findMany({
    where: { removedAt: null },
    take: 500,
    select: { id: true, userId: true },
  })
  const people = await peopleOf(rows.map(({ userId }) => userId))
  const wanted = q.toLowerCase()
  return rows
    .flatMap(({ id, userId }): Found[] => {
      const person = people.get(userId)
      const fits =
        person && (id === wanted || person.email.includes(wanted) || person.name?.toLowerCase().includes(wanted))
      return fits ? [{ kind: 'MEMBER', id, title: person.email, detail: person.name }] : []
    })
    .slice(0, MAX_PER_KIND)
}

const dayOf = (at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
