import { Prisma } from '../../../generated/prisma/client.ts'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../platform/auth/context.ts'
import { memberIdOf } from '../../platform/auth/person.ts'

/**
 * The member behind a request, whose row is locked: one change of their views after the other. Throws `forbidden` for
 * anybody else.
 */
export async function assertMember(tx: Context): Promise<string> {
  const id = memberIdOf(tx)
  if (id === null) throw new AppError('forbidden', 'Views belong to a member, and nobody is signed in.')
  await tx.sql(Prisma.sql`
    SELECT id FROM members WHERE organization_id = ${tx.organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`)
  return id
}
