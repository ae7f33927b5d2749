import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createItems as endpoint } from '../../platform/api/items.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inStatements } from '../../platform/auth/context.ts'
import { insertItems } from './insert-items.ts'

/** Creates many unlocked items, all or none. Throws what `createItem` throws. */
export const createItems = (
  ctx: Context,
  { items }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inStatements(ctx, async (tx) => {
    const itemIds = await insertItems(tx, items, (at, name) => `items.${at}.${name}`)
    await recordAudit(tx, {
      action: 'items.created',
      subject: { type: 'collection', id: items[0]!.collection_id },
      after: { item_ids: itemIds },
    })
    return { item_ids: itemIds }
  })
