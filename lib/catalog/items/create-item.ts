import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createItem as endpoint } from '../../platform/api/items.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inStatements } from '../../platform/auth/context.ts'
import { readAdminItem } from './find-admin-items.ts'
import { insertItems } from './insert-items.ts'
import { adminItemOf } from './show-item.ts'

/** Creates one unlocked item. Throws `attributes_invalid`, `image_invalid` and `royalty_unsupported`. */
export const createItem = (ctx: Context, body: Input<typeof endpoint>['body']): Promise<Output<typeof endpoint>> =>
  inStatements(ctx, async (tx) => {
    const [id] = await insertItems(tx, [body], (_, name) => name)
    const shown = adminItemOf(await readAdminItem(tx, id!), tx.ports.addresses.origin)
    await recordAudit(tx, { action: 'item.created', subject: { type: 'item', id: shown.id }, after: shown })
    return shown
  })
