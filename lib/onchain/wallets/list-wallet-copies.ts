import { getAddress } from 'viem'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listWalletCopies as endpoint } from '../../platform/api/wallets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { walletCopiesContext } from '../../platform/auth/narrow-contexts.ts'
import { provedNetworks } from './wallet-proof.ts'

/** The copies of a wallet's key, for whoever proved that the wallet is theirs. */
export async function listWalletCopies(
  anyone: Context,
  given: string,
  { proof }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const address = getAddress(given)
  provedNetworks(address, proof)
  const rows = await walletCopiesContext(anyone).db.walletCopy.findMany({
    where: { address },
    orderBy: [{ createdAt: 'asc' }, { place: 'asc' }],
    select: { id: true, createdAt: true },
  })
  return {
    results: rows.map(({ id, createdAt }) => ({
      copy_id: Buffer.from(id).toString('base64url'),
      created_at: createdAt,
    })),
  }
}
