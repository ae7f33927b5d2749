import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { waitForTransfer as endpoint } from '../../platform/api/changes.ts'
import { transferContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { askOwned, changesOf } from '../../platform/http/changes.ts'

type Key = readonly [organizationId: string, transferId: string]

const changes = changesOf(
  'transfers',
  askOwned<Key>(
    'transfer_versions',
    { id: 'uuid' },
    `SELECT concat_ws(' ', s.xmin, e.xmin) AS version
      FROM signed_transfers s LEFT JOIN escrows e ON e.organization_id = s.organization_id AND e.id = s.id
      WHERE s.id = asked.id`,
  ),
)

/**
 * The version of what a transfer's sender sees. Throws `not_found`, and `rate_limited` or `overloaded` where too many
 * wait.
 */
export async function waitForTransfer(
  anyone: Context,
  id: string,
  query: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const ctx = await transferContext(anyone, id)
  return changes(ctx, [ctx.organizationId, id.toLowerCase()], query)
}
