import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { unknownId } from '../../core/errors.ts'

/**
 * Prevents deletion of a campaign until the transaction ends, so that a listing or claim can refer to it. Throws
 * `not_found`.
 */
export async function lockCampaign(tx: Context, id: string | null | undefined): Promise<void> {
  if (!id) return
  const [row] = await tx.sql(Prisma.sql`SELECT 1 FROM campaigns WHERE id = ${id}::uuid FOR KEY SHARE`)
  if (!row) throw unknownId('campaign_id', 'campaign')
}
