import type { Context } from '../platform/auth/context.ts'
import { findNetworksWithoutCode } from './find-networks-without-code.ts'

export type PayoutWarning = { network_id: number; detail: string }

/** Short, since every page of the dashboard shows the warnings. */
const CHECK_TIMEOUT_MS = 2_000

/**
 * Warns of networks where the payout address is a contract that isn't deployed: money sent there is lost. Calls every network on
 * which the organization has a collection, so call it outside of transactions. A network that doesn't answer in time is left out.
 */
export async function listPayoutWarnings(ctx: Context, payoutAddress: string): Promise<PayoutWarning[]> {
  const used = await ctx.db.collection.findMany({
    where: { networkId: { not: null } },
    distinct: ['networkId'],
    select: { networkId: true },
  })
  const chains = used.flatMap(({ networkId }) => ctx.ports.chains.get(networkId ?? -1) ?? [])
  const { lost } = await findNetworksWithoutCode(chains, payoutAddress, CHECK_TIMEOUT_MS)
  return lost.map(({ id, name }) => ({
    network_id: id,
    detail: `The payout address is a contract that is not deployed on ${name}: funds sent there would be lost.`,
  }))
}
