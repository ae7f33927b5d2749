import type { SavedView } from '../../platform/api/saved-views.ts'
import type { Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'
import { memberIdOf } from '../../platform/auth/person.ts'

const VIEWS: Statement = {
  name: 'saved_views_of_member',
  text: `SELECT id, list, name, query FROM saved_views
    WHERE organization_id = $1::uuid AND member_id = $2::uuid ORDER BY list, lower(name), id`,
}

/** The views that the member saved, of all lists, by name. */
export const listViews = (ctx: Context): Promise<SavedView[]> =>
  ctx.rows<SavedView>(VIEWS, ctx.organizationId, memberIdOf(ctx))
