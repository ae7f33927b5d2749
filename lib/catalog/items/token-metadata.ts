import type { z } from 'zod'
import type { tokenMetadata as endpoint } from '../../platform/api/history.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { escapedUrlOf } from '../../records/media/media-urls.ts'
import { DESCRIPTIVE_ATTRIBUTES } from '../collections/collection-stats.ts'
import { type HotRead, oneRow, readHot } from '../../platform/http/hot/hot-read.ts'
import { type FlatPublicItem, PUBLIC_ITEM_COLUMNS } from './public-item.ts'
import { type Attributes, mediaOf, shownAttributesOf, titleOf } from './show-item.ts'

type Metadata = z.output<(typeof endpoint)['response']>
type Trait = Metadata['attributes'][number]

type Named = { params: { collection_id: string; token_id: string } }

/** The metadata of locked items of deployed collections, private ones too. */
export const publicTokenMetadata: HotRead<Named, FlatPublicItem & { externalLink: string | null }, Metadata> = {
  ...oneRow('token_metadata', {
    key: { collection_id: 'uuid', likelier: 'text', other: 'text' },
    from: `FROM items i JOIN collections c ON c.id = i.collection_id
      WHERE i.collection_id = asked.collection_id AND i.token_id IN (asked.likelier, asked.other)
        AND i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS'
      ORDER BY i.token_id = asked.likelier DESC`,
    version: 'i.id, i.xmin, c.xmin',
    columns: `${PUBLIC_ITEM_COLUMNS}, c.external_link AS "externalLink"`,
  }),
  keyOf: ({ params }) => {
    const [likelier, other = likelier] = tokenIdsOf(params.token_id)
    return likelier === undefined || other === undefined ? null : [params.collection_id, likelier, other]
  },
  show: ([row], _, { ports }) => metadataOf(row!, ports.addresses.origin),
}

/**
 * A token's metadata for wallets and marketplaces. Private collections have it too: their tokens are on a public chain.
 * Throws `not_found`.
 */
export const tokenMetadata = (ctx: Context, collectionId: string, token: string): Promise<Metadata> =>
  readHot(asDeployed(ctx), publicTokenMetadata, { params: { collection_id: collectionId, token_id: token } })

function metadataOf(row: FlatPublicItem & { externalLink: string | null }, origin: string): Metadata {
  const attributes = shownAttributesOf({ attributes: row.attributes, collection: row })
  return {
    name: titleOf(attributes),
    ...textOf('description', attributes.description),
    image: mediaOf(row, attributes, origin).image?.full ?? `${origin}/media/art/${row.id}.svg`,
    ...urlOf('animation_url', attributes.animation_url, origin),
    ...urlOf('external_url', attributes.external_url ?? row.externalLink, origin),
    attributes: traitsOf(attributes),
  }
}

/**
 * The token ids that a path may mean, the likelier first. Wallets write ERC-1155's `{id}` as 64 hex digits, and we
 * write no leading zeros: 64 digits with one are hex, and 64 without any letter are decimal where there is such a
 * token.
 */
function tokenIdsOf(token: string): string[] {
  const isHex = /^[0-9a-fA-F]{64}$/.test(token)
  const isDecimal = /^\d+$/.test(token) && !(isHex && token.startsWith('0'))
  return [...(isDecimal ? [BigInt(token).toString()] : []), ...(isHex ? [BigInt(`0x${token}`).toString()] : [])]
}

const textOf = <K extends string>(name: K, value: unknown) =>
  typeof value === 'string' && value !== '' ? ({ [name]: value } as Record<K, string>) : {}

const urlOf = <K extends string>(name: K, value: unknown, origin: string) =>
  textOf(name, typeof value === 'string' ? escapedUrlOf(value, origin) : value)

/** All attributes but the descriptive ones. A list gives one trait per entry. */
function traitsOf(attributes: Attributes): Trait[] {
  const others = Object.entries(attributes).filter(
    ([name]) => !(DESCRIPTIVE_ATTRIBUTES as readonly string[]).includes(name),
  )
  return others.flatMap(([trait_type, value]) =>
    [value].flat().flatMap((entry) => (isPlain(entry) ? [{ trait_type, value: entry }] : [])),
  )
}

const isPlain = (value: unknown): value is Trait['value'] => ['string', 'number', 'boolean'].includes(typeof value)
