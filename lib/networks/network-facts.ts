import type { Context } from '../auth/context.ts'
import { networksOf } from '../ports.ts'

/** What a page may tell a browser about a network: nothing of our nodes' addresses, which may carry keys. */
export type NetworkFacts = {
  id: number
  name: string
  testnet: boolean
  currency: { name: string; symbol: string; decimals: number }
  explorerUrl: string | null
}

/** The networks we are on, by id. */
export function networkFacts(ctx: Pick<Context, 'ports'>): NetworkFacts[] {
  return networksOf(ctx.ports).map(({ id, name, testnet, currency, explorerUrl }) => ({ id, name, testnet, currency, explorerUrl }))
}
