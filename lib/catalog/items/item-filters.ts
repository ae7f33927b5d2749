import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listItems as adminList, listPublicItems as publicList } from '../../platform/api/items.ts'
import type { Context } from '../../platform/auth/context.ts'
import { attributeNameOf } from '../../platform/api/attributes.ts'
import { escapeLike } from '../../core/escape-like.ts'
import { searchFormOf } from '../../core/search-form.ts'
import type { PageQuery } from '../../core/page.ts'
import type { TokenStatus } from './show-item.ts'

const { sql } = Prisma

export type ItemFilter = Omit<Input<typeof adminList>['query'], keyof PageQuery>
export type PublicItemFilter = Omit<Input<typeof publicList>['query'], keyof PageQuery>

/** The conditions of a search: a part of the title, and each attribute. SQL on `items i`. */
export const searchedBy = ({ attribute, search }: ItemFilter): Prisma.Sql[] => [
  ...(search ? [isTitled(search)] : []),
  ...haveAttributes(attribute),
]
export const searchedByPublic = ({ attributes }: PublicItemFilter): Prisma.Sql[] => haveAttributes(attributes)

export const isTitled = (part: string): Prisma.Sql => sql`search_form(i.attributes->>'title') LIKE ${patternOf(part)}`
export const haveAttributes = (attributes: readonly string[]): Prisma.Sql[] =>
  [...new Set(attributes)].map(hasAttribute)

/** SQL conditions on `items i` for a filter of an organization's items. */
export const filtersOf = (ctx: Context, query: ItemFilter): Prisma.Sql[] => [
  ...plainFiltersOf(ctx, query),
  ...searchedBy(query),
]

/** The conditions of a filter except those of a search. */
export const plainFiltersOf = (ctx: Context, query: ItemFilter): Prisma.Sql[] => [
  ...ownOf(ctx, query),
  ...(query.locked ? [query.locked === 'true' ? sql`i.locked_at IS NOT NULL` : sql`i.locked_at IS NULL`] : []),
  ...(query.token_status ? [STATUS_FILTERS[query.token_status]] : []),
]

/** The items of the organization, or of one of its collections. */
export const ownOf = (ctx: Context, query: ItemFilter): Prisma.Sql[] => [
  sql`i.organization_id = ${ctx.organizationId}::uuid`,
  ...(query.collection_id ? [sql`i.collection_id = ${query.collection_id}::uuid`] : []),
]

const patternOf = (part: string): string => `%${escapeLike(searchFormOf(part))}%`

/**
 * SQL conditions on `items i JOIN collections c` for locked items of deployed, public collections, of all
 * organizations.
 */
export const publicFiltersOf = (query: PublicItemFilter): Prisma.Sql[] => [
  ...publishedOf(query),
  ...ofTokensOf(query),
  // Hidden attributes must not be found by searching.
  ...(query.attributes.length > 0 ? [REVEALED] : []),
  ...searchedByPublic(query),
]

/**
 * The conditions of `publicFiltersOf` except those of a search, on `items i` alone: collections are read once, and
 * items may be walked in their order.
 */
export const plainPublicFiltersOf = (query: PublicItemFilter): Prisma.Sql[] => [
  sql`i.locked_at IS NOT NULL`,
  ...ofCollectionsOf(query),
  ...ofTokensOf(query),
  sql`(i.collection_id IN (SELECT c.id FROM collections c
    WHERE ${Prisma.join([PUBLISHED, REVEALED, ...onNetworksOf(query)], ' AND ')})) IS TRUE`,
]

const PUBLISHED = sql`c.deployment_status = 'SUCCESS' AND c.is_public`
const REVEALED = sql`(c.reveal_strategy = 'INSTANT' OR c.revealed_at IS NOT NULL)`

const ofTokensOf = (query: PublicItemFilter): Prisma.Sql[] => [
  ...(query.token_ids.length > 0 ? [anyOf(sql`i.token_id`, query.token_ids.map(String), 'text')] : []),
  ...(query.owner
    ? [sql`i.id IN (SELECT o.item_id FROM item_owners o WHERE o.address = ${query.owner} AND o.quantity > 0)`]
    : []),
]

const ofCollectionsOf = (query: PublicItemFilter): Prisma.Sql[] => [
  ...(query.organization_id ? [sql`i.organization_id = ${query.organization_id}::uuid`] : []),
  ...(query.collection_ids.length > 0 ? [anyOf(sql`i.collection_id`, query.collection_ids, 'uuid')] : []),
]

const onNetworksOf = (query: PublicItemFilter): Prisma.Sql[] =>
  query.network_ids.length > 0 ? [anyOf(sql`c.network_id`, query.network_ids, 'int')] : []

/** Those among which `countPublished` counts. */
export const publishedOf = (query: PublicItemFilter): Prisma.Sql[] => [
  sql`i.locked_at IS NOT NULL AND ${PUBLISHED}`,
  ...ofCollectionsOf(query),
  ...onNetworksOf(query),
]

/** The planner knows how frequent a value is that stands in the statement. */
const STATUS_FILTERS = {
  NOT_MINTED: sql`i.token_status = 'NOT_MINTED'`,
  MINTING: sql`i.token_status = 'MINTING'`,
  MINTED: sql`i.token_status = 'MINTED'`,
  BURNED: sql`i.token_status = 'BURNED'`,
} satisfies Record<TokenStatus, Prisma.Sql>

/** A single value is compared with `=`, so that an index can provide the order too. */
const anyOf = (column: Prisma.Sql, values: (string | number)[], type: 'uuid' | 'int' | 'text') =>
  values.length === 1
    ? sql`${column} = ${values[0]}::${Prisma.raw(type)}`
    : sql`${column} = ANY (${values}::${Prisma.raw(type)}[])`

/** Matches `name:value`. A number or boolean matches its text form. */
const hasAttribute = (filter: string): Prisma.Sql =>
  sql`(${Prisma.join(
    candidatesOf([filter]).map((wanted) => sql`i.attributes @> ${wanted}::jsonb`),
    ' OR ',
  )})`

/**
 * The search that an index is asked for where a part of a title and attributes are searched: the one that fewer items
 * match.
 */
type AskedFirst = 'title' | 'attributes'

/** Selects the ids of at most so many of an organization's items that a query searches for, by indexes. */
export function foundItems(query: ItemFilter, askedFirst: AskedFirst, most: number): Prisma.Sql {
  const { search, collection_id, locked, token_status } = query
  const { wanted, others } = wantedOf(query.attribute)
  const [byAttributes, byTitle] = askedFirst === 'title' ? [null, search] : [wanted, null]
  return sql`SELECT found.id FROM items_found(${byAttributes}::text[]::jsonb[],
    ${byAttributes ? null : wanted}::text[]::jsonb[], ${others}::text::jsonb,
    ${byTitle ? searchFormOf(byTitle) : null}::text, ${search ? patternOf(search) : null}::text,
    ${collection_id || null}::uuid,
    ${locked ? locked === 'true' : null}::boolean, ${token_status || null}::text, ${most}::int) AS found (id)`
}

/** Selects the ids of at most so many published items that a query searches for by attributes, by indexes. */
export function foundPublished(query: PublicItemFilter, most: number): Prisma.Sql {
  const { wanted, others } = wantedOf(query.attributes)
  return sql`SELECT found.id FROM published_items_found(${wanted}::text[]::jsonb[], ${others}::text::jsonb,
    ${query.organization_id || null}::uuid, ${givenOf(query.collection_ids)}::uuid[],
    ${givenOf(query.network_ids)}::int[], ${givenOf(query.token_ids.map(String))}::text[],
    ${query.owner || null}::text, ${most}::int) AS found (id)`
}

const givenOf = <T>(values: T[]): T[] | null => (values.length > 0 ? values : null)

/** An index isn't asked for more attributes at once, since each number doubles what is looked for. */
const AT_ONCE = 5

/**
 * Objects to look for in the index. `wanted`: an item matches the first attributes if it contains one of these.
 * `others`: for each further attribute the objects of which an item must contain one, as JSON.
 */
function wantedOf(attributes: readonly string[]): { wanted: string[] | null; others: string | null } {
  const all = [...new Set(attributes)]
  const [first, others] = [all.slice(0, AT_ONCE), all.slice(AT_ONCE)]
  const lists = others.map((one) => `[${candidatesOf([one]).join(',')}]`)
  return {
    wanted: first.length > 0 ? candidatesOf(first) : null,
    others: lists.length > 0 ? `[${lists.join(',')}]` : null,
  }
}

/**
 * The objects that an item's attributes contain one of when it has all of these. Of two values of one name there are
 * none.
 */
function candidatesOf(filters: readonly string[]): string[] {
  const valuesOf = new Map<string, string[]>()
  for (const filter of filters) {
    const at = filter.indexOf(':')
    const name = attributeNameOf(filter.slice(0, at))
    const values = meantBy(filter.slice(at + 1)).map((value) => JSON.stringify(value))
    valuesOf.set(name, valuesOf.get(name)?.filter((value) => values.includes(value)) ?? values)
  }
  return [...valuesOf]
    .reduce<string[]>(
      (objects, [name, values]) => {
        const pairs = formsOf(name).flatMap((form) => values.map((value) => `${JSON.stringify(form)}:${value}`))
        return objects.flatMap((some) => pairs.map((pair) => `${some && `${some},`}${pair}`))
      },
      [''],
    )
    .map((pairs) => `{${pairs}}`)
}

/** Items that were fixed before names had one form keep theirs. */
const formsOf = (name: string): string[] => [...new Set([name, name.normalize('NFD')])]

const meantBy = (value: string): (string | number | boolean)[] => [
  value,
  ...(/^-?\d+(\.\d+)?$/.test(value) ? [Number(value)] : []),
  ...(value === 'true' || value === 'false' ? [value === 'true'] : []),
]
