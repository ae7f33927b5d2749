import { getAddress } from 'viem'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { proveWallet as endpoint } from '../../platform/api/wallets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { proofOf } from './wallet-proof.ts'

/** A proof that the caller holds an address, for whoever signed a challenge. */
export const proveWallet = (
  ctx: Context,
  address: string,
  { challenge, signature }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> => proofOf(ctx, getAddress(address), challenge, signature)
