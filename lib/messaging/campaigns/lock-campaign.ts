import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/** Keeps the campaign that a listing or a claim is about to name from being deleted until this transaction is over. */
export async function lockCampaign(tx: Context, id: string | null | undefined): Promise<void> {
  if (!id) return
  const [row] = await tx.sql(Prisma.sql`SELECT 1 FROM campaigns WHERE id = ${id}::uuid FOR KEY SHARE`)
  if (!row) throw notFound()
}
