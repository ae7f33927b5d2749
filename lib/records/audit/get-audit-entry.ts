import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { findEntry } from './find-entries.ts'
import { auditEntriesOf } from './show-audit-entry.ts'

/** One entry, with unchanged fields as well. */
export async function getAuditEntry(ctx: Context, id: string) {
  const [shown] = await auditEntriesOf(await findEntry(ctx, id), { full: true })
  if (!shown) throw notFound()
  return shown
}
