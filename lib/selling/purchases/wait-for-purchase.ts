import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { waitForPurchase as endpoint } from '../../platform/api/changes.ts'
import type { Context } from '../../platform/auth/context.ts'
import { askOwned, changesOf } from '../../platform/http/changes.ts'

type Key = readonly [organizationId: string, purchaseId: string]

/** The versions of the mints and vouchers of a purchase, or of its claims, in SQL. */
const deliveriesOf = (where: string): string => `
        (SELECT string_agg(concat_ws(' ', n.xmin, x.tx_hash), ',' ORDER BY n.id) FROM mint_requests n
          JOIN transactions x ON x.organization_id = n.organization_id AND x.id = n.transaction_id WHERE n.${where}),
        (SELECT string_agg(concat_ws(' ', n.xmin, n.expiry <= extract(epoch FROM asked.moment)), ',' ORDER BY n.id)
          FROM vouchers n WHERE n.${where})`

const changes = changesOf(
  'purchases',
  askOwned<Key>(
    'purchase_versions',
    { id: 'uuid' },
    `SELECT concat_ws(' ', p.xmin, p.expires_at <= asked.moment, is_suspended(l.organization_id, l.collection_id),
        (SELECT string_agg(concat_ws(' ', y.state, y.refunded_minor), ',' ORDER BY y.id) FROM payments y
            WHERE y.intent_id = p.id),
        ${deliveriesOf('purchase_intent_id = p.id')},
        ${deliveriesOf('claim_id IN (SELECT k.id FROM email_claims k WHERE k.purchase_intent_id = p.id)')}) AS version
      FROM purchase_intents p JOIN listings l ON l.organization_id = p.organization_id AND l.id = p.listing_id
      WHERE p.id = asked.id`,
  ),
)

/**
 * The version of what a purchase's buyer sees. Throws `not_found`, and `rate_limited` or `overloaded` where too many
 * wait.
 */
export const waitForPurchase = (
  ctx: Context,
  id: string,
  query: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> => changes(ctx, [ctx.organizationId, id.toLowerCase()], query)
