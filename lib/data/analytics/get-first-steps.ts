import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { claimUrlOf } from '../../giving/claim-token.ts'

/** How far an organization is on its way to the first delivered gift; null where a step is still to be made. */
type FirstSteps = {
  collection: {
    id: string
    name: string
    networkId: number | null
    status: 'PENDING' | 'SUCCESS' | 'FAILED' | null
  } | null
  item: { id: string; title: string; isLocked: boolean } | null
  claim: { id: string; email: string; url: string | null } | null
}

/** Delivered gifts and sales are counted as totals of lists are (lib/records/counts). */
const ARE_SHOWN: Statement = {
  name: 'first_steps_are_shown',
  text: `
    SELECT o.first_steps_hidden_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM row_counts r WHERE r.organization_id = $1::uuid
        AND (r.table_name = 'email_claims' AND r.traits[2] = 'CLAIMED'
          OR r.table_name = 'purchase_intents' AND r.traits[1] IN ('CONFIRMED', 'UNRESOLVED'))
      GROUP BY r.table_name HAVING sum(r.amount) > 0) AS shown
    FROM organizations o WHERE o.id = $1::uuid`,
}

/**
 * The steps that were made: the collection and the item that the next step needs, the newest claim with the token of
 * its link.
 */
const STEPS: Statement = {
  name: 'first_steps',
  text: `
    SELECT c.id::text AS id, c.name, c.network_id, c.deployment_status::text AS status, i.id::text AS item_id, i.title,
      i.is_locked, e.id::text AS claim_id, e.email, e.generation, e.token
    FROM (SELECT id, name, network_id, deployment_status
        FROM (SELECT * FROM collections WHERE organization_id = $1::uuid ORDER BY collections.id DESC LIMIT 100) recent
        ORDER BY deployment_status = 'SUCCESS' DESC NULLS LAST, deployment_status = 'PENDING' DESC NULLS LAST,
          recent.id DESC LIMIT 1) c
      LEFT JOIN LATERAL (
        SELECT id, attributes ->> 'title' AS title, locked_at IS NOT NULL AS is_locked
        FROM (SELECT * FROM items WHERE collection_id = c.id ORDER BY items.id DESC LIMIT 100) recent
        ORDER BY is_free DESC, recent.id DESC LIMIT 1) i ON true
      LEFT JOIN LATERAL (
        SELECT k.id, k.email, k.generation, t.hash AS token
        FROM (SELECT id, email, generation FROM email_claims
            WHERE organization_id = $1::uuid AND state IN ('OPEN', 'REDEEMED') ORDER BY email_claims.id DESC LIMIT 1) k
          LEFT JOIN claim_tokens t ON t.claim_id = k.id ORDER BY t.generation DESC LIMIT 1) e ON true`,
}
type Made = {
  id: string
  name: string
  network_id: number | null
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | null
  item_id: string | null
  title: string | null
  is_locked: boolean
  claim_id: string | null
  email: string
  generation: number
  token: Uint8Array<ArrayBuffer> | null
}

/** null once a gift was delivered or something was sold, or when the steps were dismissed. */
export async function getFirstSteps(ctx: Context): Promise<FirstSteps | null> {
  const [steps] = await ctx.rows<{ shown: boolean }>(ARE_SHOWN, ctx.organizationId)
  if (!steps!.shown) return null
  const [made] = await ctx.rows<Made>(STEPS, ctx.organizationId)
  if (!made) return { collection: null, item: null, claim: null }
  const { id, name, network_id: networkId, status } = made
  return {
    collection: { id, name, networkId, status },
    item: made.item_id ? { id: made.item_id, title: made.title ?? 'Your item', isLocked: made.is_locked } : null,
    claim: made.claim_id ? { id: made.claim_id, email: made.email, url: urlOf(ctx, made.claim_id, made) } : null,
  }
}

const urlOf = (ctx: Context, id: string, { generation, token }: Made): string | null =>
  claimUrlOf(ctx, { id, generation, tokens: token ? [{ hash: token }] : [] })
