import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { findWalletCopy as endpoint } from '../../platform/api/wallets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { walletCopiesContext } from '../../platform/auth/narrow-contexts.ts'

/** Finds the copy of a wallet that a passkey has sealed, by the id that only the passkey derives. */
export async function findWalletCopy(
  anyone: Context,
  { copy_id }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const id = new Uint8Array(Buffer.from(copy_id, 'base64url'))
  const { walletCopy } = walletCopiesContext(anyone).db
  const row = await walletCopy.findUnique({ where: { id }, select: { sealed: true } })
  return { sealed: row ? Buffer.from(row.sealed).toString('base64url') : null }
}
