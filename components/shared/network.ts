import type { Chain } from 'viem'
import { formatTagOf } from '@/lib/core/format-tag'
import { shortDecimalOf } from '@/lib/core/money'
import { relayPath } from './relay'

/** The facts of a configured network that pages need in the browser. */
export type NetworkFacts = {
  id: number
  name: string
  testnet: boolean
  currency: { name: string; symbol: string; decimals: number }
  explorerUrl: string | null
}

/** The network for viem and wagmi. Its only transport is our own relay, so the page calls no other server. */
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

/** More decimals than these are refused by some browsers. */
const MOST_PLACES = 20

/**
 * An amount of the network's coin in three significant digits, as a language writes it. Round up what is needed, down
 * what is there.
 */
export function coins(
  wei: bigint,
  network: Pick<NetworkFacts, 'currency'>,
  locale: string,
  round: 'up' | 'down' = 'up',
): string {
  const { decimals, symbol } = network.currency
  const step = 10n ** BigInt(Math.max(0, wei.toString().length - 3))
  const rounded = ((wei + (round === 'up' ? step - 1n : 0n)) / step) * step
  const written = new Intl.NumberFormat(formatTagOf(locale), { maximumFractionDigits: Math.min(decimals, MOST_PLACES) })
  return `${written.format(Number(shortDecimalOf(rounded, decimals)))} ${symbol}`
}
