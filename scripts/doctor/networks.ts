import { jsonRpcOver, type JsonRpc } from '../../lib/ports/chain/json-rpc.ts'
import type { Network } from '../../lib/ports/chain/chain.ts'
import { networksFromEnv } from '../../lib/ports/chain/networks.ts'
import type { Subject } from './check.ts'

export type NetworkNodes = { network: Network; nodes: { name: string; rpc: JsonRpc; url: string }[] }

/**
 * The networks with each of their nodes; none when the settings can't be read, which the check of the settings tells.
 */
export function networksOf({ settings, timeoutMs }: Subject): NetworkNodes[] {
  try {
    return networksFromEnv(settings.RPC_URLS, settings.CONTRACTS, settings.FINAL_BY_DEPTH).map(
      ({ network, rpcUrls }) => ({
        network,
        // URLs may contain keys, so nodes are named by host and place.
        nodes: rpcUrls.map((url, at) => ({
          name: `${network.name}, node ${at + 1} (${new URL(url).host})`,
          rpc: jsonRpcOver(url, timeoutMs),
          url,
        })),
      }),
    )
  } catch {
    return []
  }
}

/**
 * The answer of the first of the network's nodes that has one and is of this network. Throws the last one's failure.
 */
export async function askAny<T>({ network, nodes }: NetworkNodes, ask: (rpc: JsonRpc) => Promise<T>): Promise<T> {
  let failure: unknown = new Error('No node is set.')
  for (const { rpc } of nodes)
    try {
      if (Number(await rpc('eth_chainId', [])) !== network.id) throw new Error('The node is of another chain.')
      return await ask(rpc)
    } catch (error) {
      failure = error
    }
  throw failure
}
