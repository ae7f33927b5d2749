import { createClaims } from '../../lib/giving/create-claims.ts'
import { issueVoucher } from '../../lib/onchain/vouchers/issue-voucher.ts'
import { signVoucher } from '../../lib/onchain/vouchers/sign-voucher.ts'
import { openTransaction } from '../../lib/orders/open-transaction.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { makeRandomAddress } from './claims.ts'
import type { TestOrganization } from './organization.ts'

/** Waiting cancellations of vouchers that were signed for claims of these items of a collection. */
export async function openCancellations(
  { ctx }: TestOrganization,
  { collectionId, itemIds }: { collectionId: string; itemIds: readonly string[] },
): Promise<string[]> {
  const ids: string[] = []
  const claims = await inTransaction(ctx, (tx) =>
    createClaims(
      tx,
      itemIds.map((item_id) => ({ email: `${item_id}@example.com`, item_id, tx_payer: 'BUYER' as const })),
    ),
  )
  for (const { id } of claims) {
    const claim = await ctx.db.emailClaim.findFirstOrThrow({
      where: { id },
      include: { item: { include: { collection: true } } },
    })
    const signed = await signVoucher(ctx, claim, makeRandomAddress())
    ids.push(
      await inTransaction(ctx, async (tx) => {
        const voucher = await issueVoucher(tx, { claimId: id }, signed)
        const payload = { voucher_id: voucher.id }
        return openTransaction(tx, { collectionId, networkId: 31337, txType: 'CANCEL_VOUCHER', payload })
      }),
    )
  }
  return ids
}
