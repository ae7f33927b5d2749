import type { Config, Connector } from 'wagmi'
import { switchChain } from 'wagmi/actions'

/** Asks the wallet to switch to a network unless it is there, or to add it. Throws when the person says no. */
export async function toNetwork(config: Config, connector: Connector, chainId: number): Promise<void> {
  if ((await connector.getChainId()) !== chainId) await switchChain(config, { chainId, connector })
}
