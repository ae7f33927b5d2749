import type { NetworkFacts } from '@/components/shared/network'
import { authenticate } from '@/lib/platform/auth/authenticate'
import { env } from '@/lib/core/env'
import { networkFacts } from '@/lib/offers/networks/network-facts'

/** `takesNames`: ENS names can be looked up. */
type OriginFacts = { rpId: string; networks: NetworkFacts[]; takesNames: boolean }

/** The settings of this installation that the recipient's pages need. */
export async function originFacts(): Promise<OriginFacts> {
  const ctx = await authenticate('none', new Request(env.ORIGIN), {}, { requestId: 'page', clientAddress: '' })
  return {
    rpId: env.PASSKEY_RP_ID || new URL(env.ORIGIN).hostname,
    networks: networkFacts(ctx),
    takesNames: ctx.ports.names !== null,
  }
}
