import { Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { asDeletion } from '../deletions/as-deletion.ts'
import { notFound } from '../../core/errors.ts'

/**
 * Deletes a campaign with its templates. Its listings and claims fall back to the organization's templates, or the
 * platform's. Nobody sees it any more, and the worker takes its claims out of it.
 */
export const deleteCampaign = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    // Waits for transactions that hold `lockCampaign`; later ones find no campaign.
    await tx.sql(Prisma.sql`SELECT 1 FROM campaigns WHERE id = ${id}::uuid FOR UPDATE`)
    const before = await tx.db.campaign.findFirst({ where: { id } })
    if (!before) throw notFound()
    const templates = await tx.db.emailTemplate.deleteMany({ where: { campaignId: id } })
    const listings = await tx.db.listing.updateMany({ where: { campaignId: id }, data: { campaignId: null } })
    const claims = await countRows(tx, { table: 'email_claims', traits: { campaignId: id } })
    // Its name is free for another.
    await asDeletion(tx, () => tx.db.campaign.updateMany({ where: { id }, data: { name: id, deletedAt: tx.now() } }))
    const counts = { templates: templates.count, listings: listings.count, email_claims: claims }
    await recordAudit(tx, {
      action: 'campaign.deleted',
      subject: { type: 'campaign', id },
      before: { ...before, ...counts },
    })
    return undefined
  })
