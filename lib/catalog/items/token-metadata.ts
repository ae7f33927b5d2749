import type { z } from 'zod'
import type { tokenMetadata as endpoint } from '../../platform/api/history.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { DESCRIPTIVE_ATTRIBUTES } from '../collections/collection-stats.ts'
import { notFound } from '../../core/errors.ts'
import { type Attributes, mediaOf, shownAttributesOf, titleOf, withCollection } from './show-item.ts'

type Metadata = z.output<(typeof endpoint)['response']>
type Trait = Metadata['attributes'][number]

/**
 * A token's metadata for wallets and marketplaces. Private collections have it too: their tokens are on a public chain.
 * Throws `not_found`.
 */
export async function tokenMetadata(ctx: Context, collectionId: string, token: string): Promise<Metadata> {
  const tokenIds = tokenIdsOf(token)
  const items = await asDeployed(ctx).db.item.findMany({
    where: { collectionId, tokenId: { in: tokenIds } },
    ...withCollection,
  })
  const item = tokenIds.map((tokenId) => items.find((one) => one.tokenId === tokenId)).find(Boolean)
  if (!item) throw notFound()
  const attributes = shownAttributesOf(item)
  const { origin } = ctx.ports.addresses
  return {
    name: titleOf(attributes),
    ...textOf('description', attributes.description),
    image: mediaOf(item, attributes, origin).image?.full ?? `${origin}/media/art/${item.id}.svg`,
    ...textOf('animation_url', attributes.animation_url),
    ...textOf('external_url', attributes.external_url ?? item.collection.externalLink),
    attributes: traitsOf(attributes),
  }
}

/** The token ids that a path may mean, the likelier first: 64 digits are read as decimal before hex. */
function tokenIdsOf(token: string): string[] {
  const decimal = /^\d+$/.test(token) ? [BigInt(token).toString()] : []
  return /^[0-9a-fA-F]{64}$/.test(token) ? [...decimal, BigInt(`0x${token}`).toString()] : decimal
}

const textOf = <K extends string>(name: K, value: unknown) =>
  typeof value === 'string' && value !== '' ? ({ [name]: value } as Record<K, string>) : {}

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
