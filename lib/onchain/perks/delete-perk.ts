import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { lockPerk } from './lock-perk.ts'

/** Deletes a perk with its codes and its file. */
export const deletePerk = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockPerk(tx, id)
    await tx.db.perk.deleteMany({ where: { id } })
    await recordAudit(tx, { action: 'perk.deleted', subject: { type: 'perk', id }, before })
    return undefined
  })
