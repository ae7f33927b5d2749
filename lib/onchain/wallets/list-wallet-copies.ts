import { getAddress } from 'viem'
import type { Statement } from '../../db/statements.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listWalletCopies as endpoint } from '../../platform/api/wallets.ts'
import { walletsContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { provedNetworks } from './wallet-proof.ts'

const LIST: Statement = {
  name: 'wallet_copies_of_address',
  text: 'SELECT id, created_at AS "createdAt" FROM wallet_copies WHERE address = $1 ORDER BY created_at, place',
}

/** The copies of a wallet's key, for whoever proved that the wallet is theirs. */
export async function listWalletCopies(
  anyone: Context,
  given: string,
  { proof }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const address = getAddress(given)
  provedNetworks(address, proof)
  const rows = await walletsContext(anyone).rows<{ id: Uint8Array; createdAt: Date }>(LIST, address)
  return {
    results: rows.map(({ id, createdAt }) => ({
      copy_id: Buffer.from(id).toString('base64url'),
      created_at: createdAt,
    })),
  }
}
