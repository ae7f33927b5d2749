import { getAddress } from 'viem'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { challengeWallet as endpoint } from '../../platform/api/wallets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { newWalletChallenge } from './wallet-proof.ts'

/**
 * Gives the message that a wallet signs to prove that it is here. Throws `not_found` for a network that isn't
 * configured.
 */
export async function challengeWallet(
  ctx: Context,
  address: string,
  { network_id }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  return newWalletChallenge(ctx, getAddress(address), network_id ?? 0)
}
