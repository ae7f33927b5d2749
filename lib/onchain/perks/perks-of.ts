import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'
import { perkOf } from './show-perk.ts'

const PERK = columns('p', 'Perk', [
  'id',
  'collectionId',
  'itemId',
  'kind',
  'title',
  'isPublic',
  'content',
  'fileName',
  'fileBytes',
  'codeCount',
  'givenCount',
  'createdAt',
  'updatedAt',
])
const PERKS: Statement = {
  name: 'perks_of_place',
  text: `SELECT ${PERK} FROM perks p
    WHERE organization_id = $1::uuid AND (item_id = $2::uuid OR (item_id IS NULL AND collection_id = $3::uuid))
    ORDER BY item_id IS NULL, id DESC`,
}

/** All perks that come with an item, its own first; without an item those of the collection. */
export async function perksOf(ctx: Context, { collectionId, itemId }: { collectionId: string; itemId: string | null }) {
  const rows = await ctx.rows<RowOf<typeof PERK>>(PERKS, ctx.organizationId, itemId, collectionId)
  return rows.map(perkOf)
}
