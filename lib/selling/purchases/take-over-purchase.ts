import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { takeOverPurchaseIntent as endpoint } from '../../platform/api/purchase-challenges.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { assertNotSuspended } from '../../platform/auth/suspended.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { AppError } from '../../core/errors.ts'
import { assertSignedBy, useChallenge } from './address-challenge.ts'
import { issuePurchaseVoucher } from './issue-purchase-voucher.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseSecretOf, secretColumnsOf } from './purchase-secret.ts'
import { readPurchase } from './read-purchase.ts'
import { purchaseViewOf, voucherDataOf } from './show-purchase.ts'
import { getUnprovedPurchase } from './unproved-purchase.ts'

/**
 * Gives an open voucher purchase to whoever signs with its address. Earlier secrets and the request that made it are
 * void, and the email that was given with it is forgotten: all of them may be a stranger's.
 */
export async function takeOverPurchase(
  anyone: Context,
  id: string,
  signed: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const { ctx, purchase, address } = await getUnprovedPurchase(anyone, id)
  await assertNotSuspended(ctx, purchase.listing)
  await assertSignedBy(ctx, { listing: purchase.listing, address, action: 'TAKE_OVER' }, signed)
  await issuePurchaseVoucher(ctx, id)
  return inTransaction(ctx, async (tx) => {
    const secret = await changeHands(tx, id, signed)
    const row = await readPurchase(tx, id)
    return { ...(await purchaseViewOf(tx, row, voucherDataOf(row, tx.now()))), secret }
  })
}

async function changeHands(tx: Context, id: string, signed: Input<typeof endpoint>['body']): Promise<string> {
  const intent = await lockPurchase(tx, id)
  if (intent.status !== 'PENDING') throw new AppError('conflict', 'The purchase is not open any more.')
  await useChallenge(tx, signed)
  const secretGeneration = intent.secretGeneration + 1
  const secret = secretColumnsOf({ id, secretGeneration })
  await tx.db.purchaseIntent.updateMany({
    where: { id },
    data: {
      secretGeneration,
      ...secret,
      requestKey: null,
      buyerEmail: null,
      buyerMailbox: null,
      buyerProved: true,
      clientAddress: tx.clientAddress || null,
      clientNetwork: clientNetwork(tx.clientAddress) || null,
    },
  })
  await recordAudit(tx, { action: 'purchase_intent.taken_over', subject: { type: 'purchase_intent', id } })
  return purchaseSecretOf({ id, secretGeneration, ...secret })
}
