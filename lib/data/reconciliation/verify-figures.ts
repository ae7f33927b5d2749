import { Prisma } from '../../../generated/prisma/client.ts'
import { ALL, OUTCOMES } from '../analytics/claim-figures.ts'

const list = (column: (name: string) => string): Prisma.Sql => Prisma.raw(OUTCOMES.map(column).join(', '))

/** Sums of figures and what they are sums of. Each statement returns the rows that don't agree. */
export const FIGURES: Record<string, Prisma.Sql> = {
  'a claim counts as what it is': Prisma.sql`
    SELECT coalesce(o.claim_id, f.claim_id)::text AS subject, format('it is %s and counts as %s',
        coalesce(o.figures::text, 'not there'), coalesce(f.figures::text, 'nothing')) AS detail
    FROM (SELECT claim_id, (organization_id, campaign_id, collection_id, day, ${list((name) => name)}) AS figures
        FROM claim_outcomes) o
    FULL JOIN (SELECT claim_id, (organization_id, campaign_id, collection_id, day, ${list((name) => name)}) AS figures
      FROM claim_figures) f USING (claim_id)
    WHERE o.figures IS DISTINCT FROM f.figures
      AND NOT EXISTS (SELECT 1 FROM claim_changes c WHERE c.claim_id = coalesce(o.claim_id, f.claim_id))`,
  'the sums of claims are the claims': Prisma.sql`
    SELECT format('%s %s', organization_id, day) AS subject,
      format('campaign %s, collection %s: %s too many', campaign_id,
        collection_id, (sum(created), ${list((name) => `sum(${name})`)})) AS detail
    FROM (
      SELECT organization_id, campaign_id, collection_id, day, created, ${list((name) => name)} FROM claim_days
      UNION ALL
      SELECT f.organization_id, a.campaign_id, b.collection_id, f.day, -1, ${list((name) => `-f.${name}::int`)}
      FROM claim_figures f
        CROSS JOIN LATERAL (SELECT f.campaign_id WHERE f.campaign_id IS NOT NULL UNION ALL SELECT ${ALL}::uuid) a
        CROSS JOIN LATERAL (VALUES (f.collection_id), (${ALL}::uuid)) b(collection_id)
    ) counted
    GROUP BY organization_id, campaign_id, collection_id, day
    HAVING sum(created) <> 0 OR ${Prisma.raw(OUTCOMES.map((name) => `sum(${name}) <> 0`).join(' OR '))}`,
  'the sums of sales are the purchases': Prisma.sql`
    SELECT format('%s %s', organization_id, day) AS subject,
      format('%s %s of %s: %s too many, %s too much', mode, currency, subject_id, sum(purchases + refunds),
        sum(gross)) AS detail
    FROM (
      SELECT organization_id, subject_id, day, mode, currency, currency_address, currency_decimals, purchases, units,
        gross, refunds, refunded FROM sale_days
      UNION ALL
      SELECT s.organization_id, k.subject_id, s.day, s.mode, s.currency, coalesce(l.currency_address, ''),
        l.currency_decimals,
        s.purchases, s.units, s.gross, s.refunds, s.refunded
      FROM (
        SELECT organization_id, listing_id, day, mode, currency, purchases, units, gross, refunds,
          refunded FROM sale_changes
        UNION ALL SELECT organization_id, listing_id, day, mode, currency, -purchases, -units, -gross, -refunds,
          -refunded FROM sale_outcomes
      ) s JOIN listings l ON l.id = s.listing_id
    CROSS JOIN LATERAL (VALUES (l.id), (l.collection_id), (${ALL}::uuid)) k(subject_id)
    ) counted
    GROUP BY organization_id, subject_id, day, mode, currency, currency_address, currency_decimals
    HAVING sum(purchases) <> 0 OR sum(units) <> 0 OR sum(gross) <> 0 OR sum(refunds) <> 0 OR sum(refunded) <> 0`,
}
