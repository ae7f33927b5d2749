import type { z } from 'zod'
import type { Voucher } from '../../../generated/prisma/client.ts'
import type { mintVoucher } from '../../platform/api/mint-vouchers.ts'

/** A voucher as the API shows it, ready to be sent to its contract. */
export const voucherEntryOf = (row: Voucher): z.output<typeof mintVoucher> => ({
  contract: row.contract,
  minter: row.minter,
  network_id: row.networkId,
  signature: row.signature,
  voucher: {
    currency: row.currency,
    expiry: Number(row.expiry),
    initial_recipient: row.initialRecipient,
    initial_recipient_amount: row.initialRecipientAmount.toFixed(),
    net_recipient: row.netRecipient,
    nonce: Number(row.nonce),
    price: row.price.toFixed(),
    quantity: Number(row.quantity),
    token_id: row.tokenId,
    token_uri: null,
  },
})
