import type { NetworkFacts } from '@/components/shared/network'
import { authenticate } from '@/lib/platform/auth/authenticate'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'
import { env } from '@/lib/core/env'
import { networkFacts } from '@/lib/offers/networks/network-facts'

/** `takesNames`: ENS names can be looked up. */
type OriginFacts = { rpId: string; networks: NetworkFacts[]; takesNames: boolean }

/** The settings of this installation that the recipient's pages need. */
export async function originFacts(): Promise<OriginFacts> {
  const caller = { requestId: await pageRequestId(), clientAddress: '' }
  const ctx = await authenticate('none', new Request(env.ORIGIN), {}, caller)
  return {
    rpId: env.PASSKEY_RP_ID || new URL(env.ORIGIN).hostname,
    networks: networkFacts(ctx),
    takesNames: ctx.ports.names !== null,
  }
}
