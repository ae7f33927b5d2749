import { getAddress } from 'viem'
import type { WalletCopy } from '../../../generated/prisma/client.ts'
import { AppError } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { saveWalletCopy as endpoint } from '../../platform/api/wallets.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context, ModelsContext } from '../../platform/auth/context.ts'
import { walletCopiesContext } from '../../platform/auth/narrow-contexts.ts'
import type { Statement } from '../../db/statements.ts'
import { provedNetworks } from './wallet-proof.ts'

/** How many copies a wallet can have. */
const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const HAS_RECEIVED: Statement = {
  name: 'wallet_has_received',
  text: 'SELECT 1 FROM item_owners o WHERE o.address = $1 LIMIT 1',
}

/**
 * Keeps a wallet's key as a passkey has sealed it. Only for whoever proved that the wallet is theirs, and for wallets
 * that have received something: rows that stay until their holder removes them must not be free to make.
 */
export async function saveWalletCopy(
  anyone: Context,
  given: string,
  body: Input<typeof endpoint>['body'],
): Promise<undefined> {
  const address = getAddress(given)
  if (provedNetworks(address, body.proof) !== 'all')
    throw new AppError('signature_invalid', 'This wallet is a contract, which has no key to keep.')
  const [received] = await asDeployed(anyone).rows(HAS_RECEIVED, address)
  if (!received)
    throw new AppError('conflict', 'A passkey can be added once something has arrived in this wallet.', {
      extra: { reason: 'nothing_received' },
    })
  const [id, sealed] = [body.copy_id, body.sealed].map((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  if (!(await keep(walletCopiesContext(anyone), { id: id!, address, sealed: sealed! })))
    throw new AppError('conflict', 'This wallet has as many further passkeys as it can have.', {
      extra: { reason: 'too_many' },
    })
}

type Copy = Pick<WalletCopy, 'id' | 'address' | 'sealed'>

/**
 * Writes the copy over an earlier one of the same passkey, else to the first free place; false where there is none, or
 * where the id is of another wallet. Another copy may take that place at the same time: then the next one is looked
 * for.
 */
async function keep(wallets: ModelsContext<'walletCopy'>, copy: Copy): Promise<boolean> {
  const { walletCopy } = wallets.db
  const { id, address, sealed } = copy
  const { count } = await walletCopy.updateMany({ where: { id, address }, data: { sealed } })
  if (count > 0) return true
  const others = await walletCopy.findMany({
    where: { OR: [{ address }, { id }] },
    select: { address: true, place: true },
  })
  const taken = others.map(({ place }) => place)
  const place = PLACES.find((each) => !taken.includes(each))
  if (place === undefined || others.some((other) => other.address !== address)) return false
  try {
    await walletCopy.create({ data: { id, address, place, sealed } })
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return keep(wallets, copy)
    throw error
  }
}
