import type { z } from 'zod'
import { type ItemType, Prisma } from '../../../generated/prisma/client.ts'
import type { itemType } from '../../platform/api/item-types.ts'
import type { Context } from '../../platform/auth/context.ts'

/** Whether an item or a collection uses the type. */
export async function isInUse(ctx: Context, id: string): Promise<boolean> {
  const [row] = await ctx.sql<{ used: boolean }>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM items WHERE organization_id = ${ctx.organizationId}::uuid AND item_type_id = ${id}::uuid)
        OR EXISTS (SELECT 1 FROM collections WHERE organization_id = ${ctx.organizationId}::uuid AND default_item_type_id = ${id}::uuid) AS used`)
  return row?.used ?? false
}

export const itemTypeOf = async (ctx: Context, row: ItemType): Promise<z.output<typeof itemType>> => ({
  id: row.id,
  name: row.name,
  schema: row.schema as Record<string, unknown>,
  in_use: await isInUse(ctx, row.id),
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
