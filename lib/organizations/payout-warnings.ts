import type { Address } from 'viem'
import { withinTime } from '../core/within-time.ts'
import type { Context } from '../platform/auth/context.ts'

export type PayoutWarning = { network_id: number; detail: string }

/**
 * Money sent to a contract's address on a network where that contract isn't deployed is lost. Asks every network on which the
 * organization has a collection, so call it outside of transactions. A network that doesn't answer soon is not spoken of: every page
 * of the dashboard shows these.
 */
export async function listPayoutWarnings(ctx: Context, payoutAddress: Address): Promise<PayoutWarning[]> {
  const used = await ctx.db.collection.findMany({
    where: { networkId: { not: null } },
    distinct: ['networkId'],
    select: { networkId: true },
  })
  const chains = used.flatMap(({ networkId }) => ctx.ports.chains.get(networkId ?? -1) ?? [])
  const codes = await Promise.all(
    chains.map(async (chain) => ({
      network: chain.network,
      code: await withinTime(chain.code(payoutAddress), CHECK_TIMEOUT_MS, UNKNOWN),
    })),
  )
  if (codes.every(({ code }) => code === null || code === UNKNOWN)) return []
  return codes
    .filter(({ code }) => code === null)
    .map(({ network }) => ({
      network_id: network.id,
      detail: `The payout address is a contract that is not deployed on ${network.name}: funds sent there would be lost.`,
    }))
}

const UNKNOWN = 'unknown'
const CHECK_TIMEOUT_MS = 2_000
