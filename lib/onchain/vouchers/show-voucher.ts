import type { z } from 'zod'
import type { Voucher } from '../../../generated/prisma/client.ts'
import type { mintVoucher } from '../../platform/api/mint-vouchers.ts'

type Amount = { toFixed: () => string }

/** The fields of a voucher's row that its recipient gets. */
export type VoucherEntryRow = Pick<
  Voucher,
  | 'contract'
  | 'minter'
  | 'networkId'
  | 'signature'
  | 'currency'
  | 'expiry'
  | 'initialRecipient'
  | 'netRecipient'
  | 'nonce'
  | 'quantity'
  | 'tokenId'
> & { initialRecipientAmount: Amount; price: Amount }

/** A voucher as the API shows it, ready to be sent to its contract. */
export const voucherEntryOf = (row: VoucherEntryRow): z.output<typeof mintVoucher> => ({
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
