import type { Chain } from 'viem'
import { relayPath } from './relay'

/** What the browser knows of a network; the server fills it from the configured ones. */
export type NetworkFacts = {
  id: number
  name: string
  testnet: boolean
  currency: { name: string; symbol: string; decimals: number }
  explorerUrl: string | null
}

/** The network as viem and wagmi want it. Its only transport is our own relay, so that the page calls nobody else. */
export function chainOf(network: NetworkFacts, origin: string): Chain {
  return {
    id: network.id,
    name: network.name,
    testnet: network.testnet,
    nativeCurrency: network.currency,
    rpcUrls: { default: { http: [`${origin}${relayPath(network.id)}`] } },
    ...(network.explorerUrl ? { blockExplorers: { default: { name: 'Explorer', url: network.explorerUrl } } } : {}),
  }
}

/** An amount of the network's coin in three digits, as people say it: what is needed rounded up, what is there rounded down. */
export function coins(wei: bigint, network: Pick<NetworkFacts, 'currency'>, round: 'up' | 'down' = 'up'): string {
  const { decimals, symbol } = network.currency
  const step = 10n ** BigInt(Math.max(0, wei.toString().length - 3))
  const rounded = ((wei + (round === 'up' ? step - 1n : 0n)) / step) * step
  const one = 10n ** BigInt(decimals)
  const fraction = (rounded % one).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${rounded / one}${fraction ? `.${fraction}` : ''} ${symbol}`
}
