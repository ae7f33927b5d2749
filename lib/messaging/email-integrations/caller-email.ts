import type { Context } from '../../platform/auth/context.ts'
import { personOf } from '../../platform/auth/person.ts'
import { AppError } from '../../core/errors.ts'

/**
 * The email address of the calling member, or of the member whose API key calls. Throws `conflict` when there is none.
 */
export async function callerEmail(ctx: Context): Promise<string> {
  const person = await personOf(ctx)
  if (!person) throw new AppError('conflict', 'There is no member behind this request whom a message could be sent to.')
  return person.email
}
