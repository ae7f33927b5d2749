import type { Address } from 'viem'
import { withTimeout } from '../core/with-timeout.ts'
import type { Chain, Network } from '../ports/chain/chain.ts'

/**
 * The networks on which funds sent to an address would be lost: those where it has no code although it is a contract on
 * another one of `chains`. `unknown` are those that failed or didn't answer in time. Call it outside of transactions.
 */
export async function findNetworksWithoutCode(
  chains: readonly Chain[],
  address: string,
  timeoutMs: number,
): Promise<{ lost: Network[]; unknown: Network[] }> {
  const found = await Promise.all(
    chains.map(async (chain) => ({
      network: chain.network,
      code: await withTimeout(chain.code(address as Address), timeoutMs, UNKNOWN),
    })),
  )
  const networksWith = (code: string | null) => found.filter((one) => one.code === code).map(({ network }) => network)
  const unknown = networksWith(UNKNOWN)
  const without = networksWith(null)
  return { lost: without.length + unknown.length < found.length ? without : [], unknown }
}

const UNKNOWN = 'unknown'
