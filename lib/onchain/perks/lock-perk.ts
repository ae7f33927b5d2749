import { Prisma, type Perk } from '../../../generated/prisma/client.ts'
import { notFound } from '../../core/errors.ts'
import type { Context } from '../../platform/auth/context.ts'

/** The perk's row, locked until the transaction ends. Throws `not_found`. */
export async function lockPerk(tx: Context, id: string): Promise<Perk> {
  await tx.sql(
    Prisma.sql`SELECT 1 FROM perks WHERE id = ${id}::uuid AND organization_id = ${tx.organizationId}::uuid FOR UPDATE`,
  )
  const row = await tx.db.perk.findFirst({ where: { id } })
  if (!row) throw notFound()
  return row
}
