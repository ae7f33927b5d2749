import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { isHidden } from './reveal.ts'

/** Attributes that describe an item; all others are its traits. */
export const DESCRIPTIVE_ATTRIBUTES = ['title', 'description', 'image_url', 'animation_url', 'external_url'] as const
const MAX_VALUES = 1_000

type Totals = { items: number; minted: string; owners: number }
type Counted = { name: string; value: string; items: number }

/** Trait counts of a published collection's locked items; empty before a delayed reveal. Throws `not_found`. */
export async function getCollectionStats(ctx: Context, collectionId: string) {
  const collection = await ctx.db.collection.findFirst({
    where: { id: collectionId },
    select: { revealStrategy: true, revealedAt: true },
  })
  if (!collection) throw notFound()
  const [totals, counted] = await Promise.all([
    ctx.sql<Totals>(Prisma.sql`
      SELECT count(*)::int AS items, coalesce(sum(minted), 0)::text AS minted,
        (SELECT count(DISTINCT o.address)::int FROM item_owners o JOIN items i ON i.id = o.item_id WHERE i.collection_id = ${collectionId}::uuid AND o.quantity > 0) AS owners
      FROM items WHERE collection_id = ${collectionId}::uuid AND locked_at IS NOT NULL`),
    isHidden(collection) ? [] : countAttributes(ctx, collectionId),
  ])
  const { items, minted, owners } = totals[0]!
  const attributes: Record<string, Record<string, number>> = {}
  for (const { name, value, items } of counted) (attributes[name] ??= {})[value] = items
  return { attributes, items, minted: BigInt(minted), owners }
}

/** Items per trait value. Each entry of a list counts. Equal values are counted before they are taken apart. */
const countAttributes = (ctx: Context, collectionId: string): Promise<Counted[]> =>
  ctx.sql<Counted>(Prisma.sql`
    SELECT name, value, items FROM (
      SELECT name, v.value, sum(many)::int AS items, row_number() OVER (PARTITION BY name ORDER BY sum(many) DESC, v.value) AS place
      FROM (
        SELECT a.key AS name, a.value::text AS given, count(*) AS many
        FROM items i, jsonb_each(i.attributes) a
        WHERE i.collection_id = ${collectionId}::uuid AND i.locked_at IS NOT NULL AND a.key <> ALL(${[...DESCRIPTIVE_ATTRIBUTES]}::text[])
        GROUP BY 1, 2
      ) traits, LATERAL (
        SELECT DISTINCT e #>> '{}' AS value FROM jsonb_path_query(given::jsonb, '$[*]') e WHERE jsonb_typeof(e) IN ('string', 'number', 'boolean')
      ) v
      GROUP BY name, v.value
    ) counted WHERE place <= ${MAX_VALUES} ORDER BY name, place`)
