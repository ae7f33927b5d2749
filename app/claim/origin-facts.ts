import type { NetworkFacts } from '@/components/shared/network'
import { authenticate } from '@/lib/platform/auth/authenticate'
import { env } from '@/lib/core/env'
import { networkFacts } from '@/lib/offers/networks/network-facts'

/** The settings of this installation that the recipient's pages need. */
export async function originFacts(): Promise<{ rpId: string; networks: NetworkFacts[] }> {
  const ctx = await authenticate('none', new Request(env.ORIGIN), {}, { requestId: 'page', clientAddress: '' })
  return { rpId: env.PASSKEY_RP_ID || new URL(env.ORIGIN).hostname, networks: networkFacts(ctx) }
}
