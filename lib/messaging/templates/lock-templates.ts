import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

const LOCK: Statement = {
  name: 'lock_templates',
  text: 'UPDATE organizations SET updated_at = $2::timestamptz WHERE id = $1::uuid',
}

/**
 * Makes changes of an organization's templates follow one another, and writes the row by which If-Match sees that there
 * was one.
 */
export const lockTemplates = (tx: Context): Promise<void> => tx.later(LOCK, tx.organizationId, tx.now().toISOString())
