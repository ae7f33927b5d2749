import type { z } from 'zod'
import { type ItemType, Prisma } from '../../../generated/prisma/client.ts'
import type { itemType } from '../../platform/api/item-types.ts'
import type { Context } from '../../platform/auth/context.ts'

type ShownItemType = z.output<typeof itemType>

/** Which of the types an item or a collection uses, read in one statement. */
export async function typesInUse(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.sql<{ id: string }>(Prisma.sql`
    SELECT t.id FROM unnest(${[...ids]}::uuid[]) AS t (id)
    WHERE EXISTS (SELECT 1 FROM items WHERE organization_id = ${ctx.organizationId}::uuid AND item_type_id = t.id)
       OR EXISTS (SELECT 1 FROM collections
         WHERE organization_id = ${ctx.organizationId}::uuid AND default_item_type_id = t.id)`)
  return new Set(rows.map(({ id }) => id))
}

/** Item types as the API shows them, in the order of the rows. */
export async function itemTypesOf(ctx: Context, rows: readonly ItemType[]): Promise<ShownItemType[]> {
  const used = await typesInUse(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    schema: row.schema as Record<string, unknown>,
    in_use: used.has(row.id),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }))
}

export const itemTypeOf = async (ctx: Context, row: ItemType): Promise<ShownItemType> =>
  (await itemTypesOf(ctx, [row]))[0]!
