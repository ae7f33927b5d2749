import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { findWalletCopy as endpoint } from '../../platform/api/wallets.ts'
import { walletsContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

const FIND: Statement = { name: 'wallet_copy', text: 'SELECT sealed FROM wallet_copies WHERE id = $1::bytea' }

/** Finds the copy of a wallet that a passkey has sealed, by the id that only the passkey derives. */
export async function findWalletCopy(
  anyone: Context,
  { copy_id }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const id = new Uint8Array(Buffer.from(copy_id, 'base64url'))
  const [row] = await walletsContext(anyone).rows<{ sealed: Uint8Array }>(FIND, id)
  return { sealed: row ? Buffer.from(row.sealed).toString('base64url') : null }
}
