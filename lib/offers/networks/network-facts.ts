import type { Context } from '../../platform/auth/context.ts'
import { networksOf } from '../../ports/ports.ts'

/** What a page may tell a browser about our networks: nothing of our nodes' addresses, which may carry keys. */
export function networkFacts(ctx: Pick<Context, 'ports'>) {
  return networksOf(ctx.ports).map(({ id, name, testnet, currency, explorerUrl }) => ({
    id,
    name,
    testnet,
    currency,
    explorerUrl,
  }))
}
