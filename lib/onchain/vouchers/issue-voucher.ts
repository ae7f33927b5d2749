import type { Voucher } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import type { SignedVoucher } from './sign-voucher.ts'

/** Stores a signed voucher. The units stay held by its claim or purchase until it is redeemed or has ended. */
export const issueVoucher = (
  tx: Context,
  owner: { claimId: string } | { purchaseIntentId: string },
  { voucher, ...signed }: SignedVoucher,
): Promise<Voucher> =>
  tx.db.voucher.create({
    data: {
      id: newId(),
      organizationId: tx.organizationId,
      ...owner,
      ...signed,
      ...voucher,
      initialRecipientAmount: voucher.initialRecipientAmount.toString(),
      price: voucher.price.toString(),
      tokenId: voucher.tokenId.toString(),
      createdAt: tx.now(),
    },
  })
