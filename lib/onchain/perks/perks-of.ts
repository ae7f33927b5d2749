import type { Perk } from '../../../generated/prisma/client.ts'
import type { Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'
import { perkOf } from './show-perk.ts'

const PERKS: Statement = {
  name: 'perks_of_place',
  text: `SELECT id::text AS id, collection_id::text AS "collectionId", item_id::text AS "itemId", kind::text AS kind, title, is_public AS "isPublic", content,
      file_name AS "fileName", file_bytes AS "fileBytes", code_count AS "codeCount", given_count AS "givenCount", created_at AS "createdAt", updated_at AS "updatedAt"
    FROM perks WHERE organization_id = $1::uuid AND (item_id = $2::uuid OR (item_id IS NULL AND collection_id = $3::uuid))
    ORDER BY item_id IS NULL, id DESC`,
}

/** All perks that come with an item, its own first; without an item those of the collection. */
export async function perksOf(ctx: Context, { collectionId, itemId }: { collectionId: string; itemId: string | null }) {
  const rows = await ctx.rows<Omit<Perk, 'organizationId'>>(PERKS, ctx.organizationId, itemId, collectionId)
  return rows.map(perkOf)
}
