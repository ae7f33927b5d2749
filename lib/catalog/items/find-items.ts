import type { Context } from '../../platform/auth/context.ts'
import { readAdminItems } from './find-admin-items.ts'
import { adminItemOf } from './show-item.ts'

export type AdminItem = ReturnType<typeof adminItemOf>

/** Items by their ids, read in one statement. Ids that aren't found are missing from the map. */
export async function findItems(ctx: Context, ids: readonly string[]): Promise<Map<string, AdminItem>> {
  if (ids.length === 0) return new Map()
  const rows = await readAdminItems(ctx, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, adminItemOf(row, ctx.ports.addresses.origin)]))
}
