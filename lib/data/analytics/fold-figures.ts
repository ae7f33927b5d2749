import { Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { crashPoint } from '../../core/crash.ts'
import { ALL, OUTCOMES } from './claim-figures.ts'

const AT_ONCE = 5_000

/**
 * Adds what changed to the sums of claims and sales (docs/decisions/0023). Changes of transactions that end later than
 * others are taken when they can be seen. Whoever reads meanwhile finds a change either by itself or in the sums.
 */
export async function foldFigures(worker: SystemContext): Promise<void> {
  await foldAll(worker, Prisma.sql`claim_changes`, foldClaims)
  await foldAll(worker, Prisma.sql`sale_changes`, foldSales)
}

async function foldAll(worker: SystemContext, changes: Prisma.Sql, fold: Prisma.Sql): Promise<void> {
  for (let folded = AT_ONCE; folded === AT_ONCE;) {
    const due = await worker.sql(Prisma.sql`SELECT 1 FROM ${changes} ORDER BY id LIMIT 1`)
    if (due.length === 0) return
    folded = await inTransaction(worker, async (tx) => {
      // One at a time: the statement compares claims with what was last committed of them.
      await tx.sql(Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended('vitrine figures', 0))::text`)
      const [row] = await tx.sql<{ folded: number }>(fold)
      crashPoint('figures_folded')
      return row!.folded
    })
  }
}

const columns = (column: (name: string) => string): Prisma.Sql => Prisma.raw(OUTCOMES.map(column).join(', '))
const KEPT = columns((name) => name)
const added = (table: string, names: readonly string[]): Prisma.Sql =>
  Prisma.raw(names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', '))

const foldClaims = Prisma.sql`
  WITH taken AS (DELETE FROM claim_changes WHERE id IN (SELECT id FROM claim_changes ORDER BY id LIMIT ${AT_ONCE})
      RETURNING claim_id),
  changed AS (SELECT coalesce(array_agg(DISTINCT claim_id), '{}') AS ids FROM taken),
  before AS MATERIALIZED (
    SELECT claim_id, organization_id, campaign_id, collection_id, day, ${KEPT} FROM claim_figures
    WHERE claim_id = ANY((SELECT ids FROM changed)::uuid[])),
  after AS MATERIALIZED (
    SELECT claim_id, organization_id, campaign_id, collection_id, day, ${KEPT} FROM claim_outcomes
    WHERE claim_id = ANY((SELECT ids FROM changed)::uuid[])),
  gone AS (DELETE FROM claim_figures WHERE claim_id IN (SELECT claim_id FROM before EXCEPT SELECT claim_id FROM after)),
  kept AS (
    INSERT INTO claim_figures (claim_id, organization_id, campaign_id, collection_id, day, ${KEPT}) SELECT * FROM after
    ON CONFLICT (claim_id) DO UPDATE SET campaign_id = excluded.campaign_id, collection_id = excluded.collection_id,
      day = excluded.day,
      ${columns((name) => `${name} = excluded.${name}`)}),
  moved AS (
    SELECT organization_id, campaign_id, collection_id, day,
      1 AS created, ${columns((name) => `${name}::int AS ${name}`)} FROM after
    UNION ALL SELECT organization_id, campaign_id, collection_id, day,
      -1, ${columns((name) => `-${name}::int`)} FROM before),
  sums AS (
    INSERT INTO claim_days (organization_id, campaign_id, collection_id, day, created, ${KEPT})
    SELECT m.organization_id, a.campaign_id, b.collection_id, m.day, sum(created), ${columns((name) => `sum(${name})`)}
    FROM moved m
      CROSS JOIN LATERAL (SELECT m.campaign_id WHERE m.campaign_id IS NOT NULL UNION ALL SELECT ${ALL}::uuid) a
      CROSS JOIN LATERAL (VALUES (m.collection_id), (${ALL}::uuid)) b(collection_id)
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (organization_id, campaign_id, collection_id, day) DO UPDATE
      SET ${added('claim_days', ['created', ...OUTCOMES])})
  SELECT count(*)::int AS folded FROM taken`

const SALE_SUMS = ['purchases', 'units', 'gross', 'refunds', 'refunded']

const foldSales = Prisma.sql`
  WITH taken AS (DELETE FROM sale_changes
      WHERE id IN (SELECT id FROM sale_changes ORDER BY id LIMIT ${AT_ONCE}) RETURNING *),
  sums AS (
    INSERT INTO sale_days (organization_id, subject_id, day, mode, currency, currency_address, currency_decimals,
        ${Prisma.raw(SALE_SUMS.join(', '))})
    SELECT t.organization_id, s.subject_id, t.day, t.mode, t.currency, coalesce(l.currency_address, ''),
      l.currency_decimals,
      ${Prisma.raw(SALE_SUMS.map((name) => `sum(t.${name})`).join(', '))}
    FROM taken t JOIN listings l ON l.id = t.listing_id
      CROSS JOIN LATERAL (VALUES (l.id), (l.collection_id), (${ALL}::uuid)) s(subject_id)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (organization_id, subject_id, day, mode, currency, currency_address, currency_decimals)
      DO UPDATE SET ${added('sale_days', SALE_SUMS)})
  SELECT count(*)::int AS folded FROM taken`
