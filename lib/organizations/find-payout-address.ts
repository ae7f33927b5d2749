import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'

const PAYOUT_ADDRESS: Statement = {
  name: 'payout_address',
  text: 'SELECT payout_address FROM organizations WHERE id = $1::uuid',
}

/** Where the organization's crypto payments go; null when it has not set an address. */
export async function findPayoutAddress(ctx: Context, organizationId = ctx.organizationId): Promise<string | null> {
  const [organization] = await ctx.rows<{ payout_address: string | null }>(PAYOUT_ADDRESS, organizationId)
  return organization!.payout_address
}
