import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { findNetworksWithoutCode } from './find-networks-without-code.ts'

export type PayoutWarning = { network_id: number; detail: string }

/** Short, since every page of the dashboard shows the warnings. */
const CHECK_TIMEOUT_MS = 2_000

const NETWORKS: Statement = {
  name: 'networks_of_collections',
  text: 'SELECT DISTINCT network_id FROM collections WHERE organization_id = $1::uuid AND network_id IS NOT NULL',
}

/**
 * Warns of networks where the payout address is a contract that isn't deployed: money sent there is lost. Calls every network on
 * which the organization has a collection, so call it outside of transactions. A network that doesn't answer in time is left out.
 */
export async function listPayoutWarnings(ctx: Context, payoutAddress: string): Promise<PayoutWarning[]> {
  const used = await ctx.rows<{ network_id: number }>(NETWORKS, ctx.organizationId)
  const chains = used.flatMap(({ network_id }) => ctx.ports.chains.get(network_id) ?? [])
  const { lost } = await findNetworksWithoutCode(chains, payoutAddress, CHECK_TIMEOUT_MS)
  return lost.map(({ id, name }) => ({
    network_id: id,
    detail: `The payout address is a contract that is not deployed on ${name}: funds sent there would be lost.`,
  }))
}
