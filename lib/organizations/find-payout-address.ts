import type { Context } from '../platform/auth/context.ts'

/** Where the organization's crypto payments go; null when it has not set an address. */
export async function findPayoutAddress(ctx: Context, organizationId = ctx.organizationId): Promise<string | null> {
  const { payoutAddress } = await ctx.db.organization.findFirstOrThrow({
    where: { id: organizationId },
    select: { payoutAddress: true },
  })
  return payoutAddress
}
