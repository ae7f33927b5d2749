import type { Address, Hex } from 'viem'
import type { MintVoucher } from '../../core/contracts/vouchers.ts'
import type { UnsignedTransaction } from './chain.ts'

/**
 * The keys that sign. They come from the settings or a key service, never from the database. Nothing is sent to a chain
 * here.
 */
export type Keyring = {
  /** The accounts that send our transactions. Each is one lane (a nonce sequence) on every network. */
  operators: readonly Address[]
  /**
   * Signs an EIP-1559 transaction and gives its bytes and hash, so that they can be stored before they are sent. The
   * same transaction gives the same bytes. Throws an Error when there is no key of that operator.
   */
  signTransaction(
    operator: Address,
    chainId: number,
    transaction: UnsignedTransaction,
  ): Promise<{ raw: Hex; hash: Hex }>
  /**
   * The account that signs a new collection's mint vouchers: always the same for the same collection and voucher key.
   */
  voucherSigner(collectionId: string): Address
  /** The accounts that sign a collection's mint vouchers by each voucher key, the newest first. */
  voucherSigners(collectionId: string): readonly Address[]
  /**
   * A 65-byte EIP-712 signature of the voucher for one contract on one chain, by `signer` (else by the newest voucher
   * key). Throws an Error when no voucher key gives this signer.
   */
  signVoucher(
    collectionId: string,
    chainId: number,
    contract: Address,
    voucher: MintVoucher,
    signer?: Address,
  ): Promise<Hex>
}
