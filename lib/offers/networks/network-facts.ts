import type { Context } from '../../platform/auth/context.ts'
import { networksOf } from '../../ports/ports.ts'

/** What a browser may know of our networks. RPC URLs are left out: they may contain keys. */
export function networkFacts(ctx: Pick<Context, 'ports'>) {
  return networksOf(ctx.ports).map(({ id, name, testnet, currency, explorerUrl }) => ({
    id,
    name,
    testnet,
    currency,
    explorerUrl,
  }))
}
