import type { Address } from 'viem'
import type { z } from 'zod'
import type { organization } from '../api/me.ts'
import type { Context } from '../auth/context.ts'
import { notFound } from '../core/errors.ts'

/** The organization of this request. */
export async function getOrganization(ctx: Context): Promise<z.output<typeof organization>> {
  const row = await ctx.db.organization.findFirst({ where: { id: ctx.organizationId } })
  if (!row) throw notFound()
  return {
    id: row.id,
    name: row.name,
    payout_address: row.payoutAddress,
    payout_warnings: row.payoutAddress ? await payoutWarnings(ctx, row.payoutAddress as Address) : [],
    created_at: row.createdAt,
  }
}

/** Money sent to a contract's address on a network where that contract isn't deployed is lost. */
async function payoutWarnings(ctx: Context, payoutAddress: Address): Promise<{ network_id: number; detail: string }[]> {
  const used = await ctx.db.collection.findMany({ where: { networkId: { not: null } }, distinct: ['networkId'], select: { networkId: true } })
  const chains = used.flatMap(({ networkId }) => ctx.ports.chains.get(networkId ?? -1) ?? [])
  const codes = await Promise.all(chains.map(async (chain) => ({ network: chain.network, code: await chain.code(payoutAddress) })))
  if (codes.every(({ code }) => code === null)) return []
  return codes
    .filter(({ code }) => code === null)
    .map(({ network }) => ({ network_id: network.id, detail: `The payout address is a contract that is not deployed on ${network.name}: funds sent there would be lost.` }))
}
