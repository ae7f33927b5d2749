import type { Input, Output } from '../platform/api/endpoint.ts'
import type { waitForClaim as endpoint } from '../platform/api/changes.ts'
import type { Context } from '../platform/auth/context.ts'
import { askOwned, changesOf } from '../platform/http/changes.ts'
import { linkOf } from './current-claim.ts'

type Key = readonly [organizationId: string, claimId: string, generation: number]

/** A replaced link has one version for ever: whoever has it learns nothing of the new one. */
const changes = changesOf(
  'claims',
  askOwned<Key>(
    'claim_versions',
    { id: 'uuid', generation: 'int' },
    `SELECT CASE WHEN e.generation <> asked.generation THEN 'replaced'
        ELSE concat_ws(' ', e.xmin, e.expires_at <= asked.moment,
          is_suspended(e.organization_id, e.collection_id), i.xmin, m.row_version, m.tx_hash, v.row_version,
          v.expiry <= extract(epoch FROM asked.moment)) END AS version
      FROM email_claims e JOIN items i ON i.organization_id = e.organization_id AND i.id = e.item_id
        LEFT JOIN LATERAL (SELECT n.xmin AS row_version, x.tx_hash FROM mint_requests n
          JOIN transactions x ON x.organization_id = n.organization_id AND x.id = n.transaction_id
          WHERE n.claim_id = e.id ORDER BY n.id DESC LIMIT 1) m ON true
        LEFT JOIN LATERAL (SELECT n.xmin AS row_version, n.expiry FROM vouchers n
          WHERE n.claim_id = e.id ORDER BY n.id DESC LIMIT 1) v ON true
      WHERE e.id = asked.id`,
  ),
)

/**
 * The version of what a claim's link shows. Throws `not_found`, and `rate_limited` or `overloaded` where too many wait.
 */
export function waitForClaim(ctx: Context, query: Input<typeof endpoint>['query']): Promise<Output<typeof endpoint>> {
  const { id, generation } = linkOf(ctx)
  return changes(ctx, [ctx.organizationId, id, generation], query)
}
