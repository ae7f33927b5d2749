import { type Address, zeroAddress } from 'viem'
import type { z } from 'zod'
import type { MintVoucher } from '../../lib/core/contracts/vouchers.ts'
import type { mintVoucher } from '../../lib/platform/api/mint-vouchers.ts'

/** The terms of a voucher for one unit of token 1 that costs nothing, unless `more` differs. */
export const makeTerms = (more: Partial<MintVoucher> & { minter: Address }): MintVoucher => ({
  netRecipient: zeroAddress,
  initialRecipient: zeroAddress,
  initialRecipientAmount: 0n,
  quantity: 1n,
  nonce: 1n,
  expiry: 4_102_444_800n,
  price: 0n,
  tokenId: 1n,
  currency: zeroAddress,
  ...more,
})

/** Terms as columns of a voucher's row. */
export const columnsOf = ({ initialRecipientAmount, price, tokenId, ...same }: MintVoucher) => ({
  ...same,
  initialRecipientAmount: String(initialRecipientAmount),
  price: String(price),
  tokenId: String(tokenId),
})

/** The terms of a voucher as the API shows it, which tests read untyped. */
export const termsOf = ({ voucher, minter }: any): MintVoucher => ({
  minter,
  netRecipient: voucher.net_recipient,
  initialRecipient: voucher.initial_recipient,
  initialRecipientAmount: BigInt(voucher.initial_recipient_amount),
  quantity: BigInt(voucher.quantity),
  nonce: BigInt(voucher.nonce),
  expiry: BigInt(voucher.expiry),
  price: BigInt(voucher.price),
  tokenId: BigInt(voucher.token_id),
  currency: voucher.currency,
})

type Entry = z.output<typeof mintVoucher>

/** A voucher as the API shows it, of which nobody checks the signature. */
export const makeEntry = ({
  voucher,
  ...more
}: Partial<Omit<Entry, 'voucher'>> & { voucher?: Partial<Entry['voucher']> }): Entry => ({
  contract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  minter: zeroAddress,
  network_id: 31337,
  signature: `0x${'22'.repeat(64)}`,
  ...more,
  voucher: {
    currency: zeroAddress,
    expiry: 1_800_000_000,
    initial_recipient: zeroAddress,
    initial_recipient_amount: '0',
    net_recipient: zeroAddress,
    nonce: 7,
    price: '5',
    quantity: 1,
    token_id: '12',
    token_uri: null,
    ...voucher,
  },
})
