import type { SystemContext } from '../../platform/auth/context.ts'
import { serverKeys, voucherKeyFrom } from '../../core/server-keys.ts'
import { signersOf } from '../../ports/ports.ts'

const BATCH = 500

/**
 * The key that the signers of all collections were derived from while VOUCHER_KEY was empty: that of the listed server
 * key whose signers the contracts know. Throws an Error when it is none of them.
 */
export async function findVoucherKey(worker: SystemContext): Promise<Buffer> {
  let candidates = serverKeys().map((key) => {
    const voucherKey = voucherKeyFrom(key)
    return { voucherKey, keyring: signersOf(voucherKey) }
  })
  for (let after: string | null = null; ;) {
    const rows: { id: string; signer: string | null }[] = await worker.db.collection.findMany({
      where: { signer: { not: null }, ...(after && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      take: BATCH,
      select: { id: true, signer: true },
    })
    for (const { id, signer } of rows) {
      candidates = candidates.filter(({ keyring }) => keyring.voucherSigner(id) === signer)
      if (candidates.length === 0)
        throw new Error(
          `No key in SERVER_KEY gives the signers of all collections: collection ${id} has the signer ${signer}. ` +
            'List the server key with which it was deployed.',
        )
    }
    if (rows.length < BATCH) return candidates[0]!.voucherKey
    after = rows.at(-1)!.id
  }
}
