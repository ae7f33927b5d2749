import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { ADMIN_COLLECTION_COLUMNS, ADMIN_COLLECTION_FROM, type AdminCollection } from './find-collections.ts'
import { type AdminCollectionRow, shownCollectionOf } from './show-collection.ts'

const MAX_CHOICES = 100

const choicesOf = (name: string, condition: string): Statement => ({
  name,
  text: `SELECT ${ADMIN_COLLECTION_COLUMNS} FROM ${ADMIN_COLLECTION_FROM}
    WHERE c.organization_id = $1::uuid ${condition} ORDER BY c.id DESC LIMIT ${MAX_CHOICES}`,
})
const ALL = choicesOf('collection_choices', '')
const DEPLOYED = choicesOf('deployed_collection_choices', "AND c.deployment_status = 'SUCCESS'")

/** The newest collections that a form offers, without their number. `deployed`: only those with a contract. */
export async function listCollectionChoices(
  ctx: Context,
  { deployed = false }: { deployed?: boolean } = {},
): Promise<AdminCollection[]> {
  const rows = await ctx.rows<AdminCollectionRow>(deployed ? DEPLOYED : ALL, ctx.organizationId)
  return rows.map((row) => shownCollectionOf(ctx, row))
}
