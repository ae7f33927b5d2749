import { getAddress } from 'viem'
import { notFound } from '../../core/errors.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { removeWalletCopy as endpoint } from '../../platform/api/wallets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { walletCopiesContext } from '../../platform/auth/narrow-contexts.ts'
import { assertProvedLately } from './wallet-proof.ts'

/**
 * Deletes the copy of a wallet's key that a passkey has sealed. Throws `signature_invalid`, and `not_found` for a copy
 * of another wallet.
 */
export async function removeWalletCopy(
  anyone: Context,
  given: string,
  copyId: string,
  { proof }: Input<typeof endpoint>['query'],
): Promise<undefined> {
  const address = getAddress(given)
  const copy = { id: new Uint8Array(Buffer.from(copyId, 'base64url')), address }
  const { walletCopy } = walletCopiesContext(anyone).db
  if (!(await walletCopy.findFirst({ where: copy, select: { id: true } }))) throw notFound()
  assertProvedLately(address, proof)
  await walletCopy.deleteMany({ where: copy })
  return undefined
}
