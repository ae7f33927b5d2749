import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { auditEntriesOf } from './show-audit-entry.ts'

/** One entry, with unchanged fields as well. */
export async function getAuditEntry(ctx: Context, id: string) {
  const [shown] = await auditEntriesOf(ctx, await ctx.db.auditEntry.findMany({ where: { id } }), { full: true })
  if (!shown) throw notFound()
  return shown
}
