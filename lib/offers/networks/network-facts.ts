import type { Context } from '../../platform/auth/context.ts'
import { networksOf } from '../../ports/ports.ts'

/** The facts of our networks that a browser may know. RPC URLs are left out: they may contain keys. */
export function networkFacts(ctx: Pick<Context, 'ports'>) {
  return networksOf(ctx.ports).map(({ id, name, testnet, currency, explorerUrl }) => ({
    id,
    name,
    testnet,
    currency,
    explorerUrl,
  }))
}
