import { getAddress, isAddress } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { type search as endpoint, SEARCH_PERMISSIONS, type SearchKind } from '../../platform/api/search.ts'
import { type Context, may } from '../../platform/auth/context.ts'
import { peopleOf } from '../../platform/auth/person.ts'
import { isUuid } from '../../core/id.ts'
import { escapeLike } from '../../core/escape-like.ts'

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

async function findItems(ctx: Context, q: string): Promise<Found[]> {
  const ids = isUuid(q) ? [q] : await itemIds(ctx, q)
  const rows = await ctx.db.item.findMany({
    where: { id: { in: ids } },
    orderBy: { id: 'desc' },
    select: { id: true, attributes: true, tokenId: true, collection: { select: { name: true } } },
  })
  const found = rows.map(({ id, attributes, tokenId, collection }): Found => {
    const title = (attributes as { title?: unknown }).title
    return {
      kind: 'ITEM',
      id,
      title: typeof title === 'string' ? title : 'Untitled',
      detail: [collection.name, tokenId && `#${tokenId}`].filter(Boolean).join(' '),
    }
  })
  const rank = ({ title, detail }: Found) =>
    detail?.endsWith(` #${q}`) ? 0 : title.toLowerCase().startsWith(q.toLowerCase()) ? 1 : 2
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_PER_KIND)
}

/** Items whose title has a word beginning with each word of the query; a number also matches a token id. */
async function itemIds(ctx: Context, q: string): Promise<string[]> {
  const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const byToken = /^\d{1,78}$/.test(q)
    ? await ctx.db.item.findMany({ where: { tokenId: q }, take: MAX_PER_KIND, select: { id: true } })
    : []
  const byWords =
    words.length > 0
      ? await ctx.sql<{ id: string }>(
          Prisma.sql`SELECT id FROM search_items(to_tsquery('simple', ${words.map((word) => `${word}:*`).join(' & ')}), ${MAX_CANDIDATES}::int)`,
        )
      : []
  return [...byToken, ...byWords].map(({ id }) => id)
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
  const where = isUuid(q)
    ? { id: q }
    : { id: { in: await idsByMailbox(ctx, Prisma.sql`email_claims`, Prisma.sql`email`, q) } }
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
      : { id: { in: await idsByMailbox(ctx, Prisma.sql`purchase_intents`, Prisma.sql`buyer_email`, q) } }
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
async function idsByMailbox(ctx: Context, table: Prisma.Sql, column: Prisma.Sql, q: string): Promise<string[]> {
  const start = q.toLowerCase()
  const rows = await ctx.sql<{ id: string }>(Prisma.sql`
    SELECT id FROM ${table}
    WHERE organization_id = ${ctx.organizationId}::uuid AND ${column} COLLATE "C" >= ${start} AND ${column} COLLATE "C" < ${`${start}\u{10ffff}`}
    ORDER BY ${column} COLLATE "C" LIMIT ${MAX_PER_KIND}`)
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
