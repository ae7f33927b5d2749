import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { isHidden } from './reveal.ts'

/**
 * Attributes that describe an item; all others are its traits. The function `traits_of` of the database has the same.
 */
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
    ctx.rows<Totals>(TOTALS, collectionId),
    isHidden(collection) ? [] : ctx.rows<Counted>(TRAITS, collectionId),
  ])
  const { items, minted, owners } = totals[0]!
  const attributes: Record<string, Record<string, number>> = {}
  for (const { name, value, items } of counted) (attributes[name] ??= {})[value] = items
  return { attributes, items, minted: BigInt(minted), owners }
}

const TOTALS: Statement = {
  name: 'collection_totals',
  text: `SELECT
      (SELECT coalesce(sum(r.amount), 0)::int FROM collections c
        JOIN row_counts r ON r.table_name = 'items' AND r.organization_id = c.organization_id AND r.parent_id = c.id
        WHERE c.id = $1::uuid AND r.traits[1] = 'true') AS items,
      (SELECT coalesce(sum(amount), 0)::text
        FROM collection_sums WHERE collection_id = $1::uuid AND kind = 'minted') AS minted,
      (SELECT coalesce(sum(amount), 0)::int
        FROM collection_sums WHERE collection_id = $1::uuid AND kind = 'owners') AS owners`,
}

/**
 * Items per trait value, the most frequent of each trait. A trait may have as many values as there are items: an index
 * gives the first of the folded sums in order, and those that changed since are looked up one by one.
 */
const TRAITS: Statement = {
  name: 'collection_traits',
  text: `WITH RECURSIVE folded (name) AS (
      SELECT min(name) FROM collection_sums WHERE collection_id = $1::uuid AND kind = 'trait' AND folded
      UNION ALL
      SELECT (SELECT min(s.name) FROM collection_sums s
        WHERE s.collection_id = $1::uuid AND s.kind = 'trait' AND s.folded AND s.name > f.name)
      FROM folded f WHERE f.name IS NOT NULL),
    changed AS MATERIALIZED (
      SELECT name, value, sum(amount) AS amount
      FROM collection_sums WHERE collection_id = $1::uuid AND kind = 'trait' AND NOT folded GROUP BY 1, 2)
    SELECT name, value, items::int AS items FROM (
      SELECT name, value, items, row_number() OVER (PARTITION BY name ORDER BY items DESC, value) AS place FROM (
        SELECT f.name, s.value, s.amount AS items FROM folded f, LATERAL (
          SELECT value, amount FROM collection_sums
          WHERE collection_id = $1::uuid AND kind = 'trait' AND folded AND name = f.name AND amount > 0
            AND (name, value) NOT IN (SELECT c.name, c.value FROM changed c)
          ORDER BY amount DESC, left(value, 100), value LIMIT ${MAX_VALUES}) s
        UNION ALL
        SELECT c.name, c.value, c.amount + coalesce((
          SELECT s.amount FROM collection_sums s
          WHERE s.collection_id = $1::uuid AND s.kind = 'trait' AND s.folded
            AND s.name = c.name AND md5(s.value) = md5(c.value)), 0)
        FROM changed c) counted
      WHERE items > 0) placed
    WHERE place <= ${MAX_VALUES} ORDER BY name, place`,
}
