import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

const WAITING: Statement = {
  name: 'gifts_that_wait',
  text: `SELECT count(*)::int AS count FROM outbox_messages
    WHERE organization_id = $1::uuid AND campaign_id = $2::uuid AND state = 'PENDING'
      AND template_type = 'REDEEM_NFT' AND attempts = 0
      AND next_at > $3::timestamptz`,
}

/** How many of a campaign's gifts are mailed on its day, which is still to come. */
export async function countWaitingGifts(
  ctx: Context,
  { id, send_at: sendAt }: { id: string; send_at: Date | null },
): Promise<number> {
  if (sendAt === null || sendAt <= ctx.now()) return 0
  const [row] = await ctx.rows<{ count: number }>(WAITING, ctx.organizationId, id, ctx.now().toISOString())
  return row!.count
}
