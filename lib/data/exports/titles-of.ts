import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { titleOf } from '../../catalog/items/show-item.ts'

const READ: Statement = {
  name: 'titles_of_items',
  text: `SELECT id::text, jsonb_build_object('title', attributes -> 'title') AS attributes FROM items
    WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`,
}

/** The titles of items by their ids. All attributes of the items of a page would be many megabytes. */
export async function titlesOf(ctx: Context, itemIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.rows<{ id: string; attributes: { title: string } }>(READ, ctx.organizationId, [
    ...new Set(itemIds),
  ])
  return new Map(rows.map(({ id, attributes }) => [id, titleOf(attributes)]))
}
