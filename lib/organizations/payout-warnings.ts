import type { Address } from 'viem'
import type { Context } from '../auth/context.ts'

export type PayoutWarning = { network_id: number; detail: string }

/**
 * Money sent to a contract's address on a network where that contract isn't deployed is lost. Asks every network on which the
 * organization has a collection, so call it outside of transactions.
 */
export async function payoutWarnings(ctx: Context, payoutAddress: Address): Promise<PayoutWarning[]> {
  const used = await ctx.db.collection.findMany({ where: { networkId: { not: null } }, distinct: ['networkId'], select: { networkId: true } })
  const chains = used.flatMap(({ networkId }) => ctx.ports.chains.get(networkId ?? -1) ?? [])
  const codes = await Promise.all(chains.map(async (chain) => ({ network: chain.network, code: await chain.code(payoutAddress) })))
  if (codes.every(({ code }) => code === null)) return []
  return codes
    .filter(({ code }) => code === null)
    .map(({ network }) => ({ network_id: network.id, detail: `The payout address is a contract that is not deployed on ${network.name}: funds sent there would be lost.` }))
}
