import { getAddress } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { AppError } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { saveWalletCopy as endpoint } from '../../platform/api/wallets.ts'
import { asDeployed, walletsContext } from '../../platform/auth/authenticate.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { provedNetworks } from './wallet-proof.ts'

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
  const [id, sealed] = [Buffer.from(body.copy_id, 'base64url'), Buffer.from(body.sealed, 'base64url')]
  const kept = await keep(walletsContext(anyone), { id, address, sealed })
  if (kept.length === 0)
    throw new AppError('conflict', 'This wallet has as many further passkeys as it can have.', {
      extra: { reason: 'too_many' },
    })
}

type Copy = { id: Buffer; address: string; sealed: Buffer }

/**
 * Writes the copy to the first free place. Another one may take that place at the same time: then the next one is
 * looked for.
 */
async function keep(wallets: SystemContext, copy: Copy): Promise<unknown[]> {
  const { id, address, sealed } = copy
  return inTransaction(wallets, (tx) =>
    tx.sql(Prisma.sql`
      INSERT INTO wallet_copies (id, address, place, sealed)
      SELECT ${id}, ${address}, place, ${sealed} FROM generate_series(1, 10) AS place
      WHERE place = (SELECT place FROM wallet_copies WHERE id = ${id})
        OR NOT EXISTS (SELECT 1 FROM wallet_copies w
          WHERE w.id = ${id} OR (w.address = ${address} AND w.place = place.place))
      ORDER BY place LIMIT 1
      ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed WHERE wallet_copies.address = excluded.address
      RETURNING 1`),
  ).catch((error: unknown) => {
    if (isUniqueViolation(error, 'address', 'place')) return keep(wallets, copy)
    throw error
  })
}
