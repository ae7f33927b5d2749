import type { Context } from '../../platform/auth/context.ts'

/** How many items and collections use an item type. */
export async function countUses(ctx: Context, id: string): Promise<{ items: number; collections: number }> {
  const [items, collections] = await Promise.all([
    ctx.db.item.count({ where: { itemTypeId: id } }),
    ctx.db.collection.count({ where: { defaultItemTypeId: id } }),
  ])
  return { items, collections }
}
