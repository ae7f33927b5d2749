import type { Address, Hex } from 'viem'
import type { MintVoucher } from '../../core/contracts/vouchers.ts'
import type { UnsignedTransaction } from './chain.ts'

/** Keys that sign. They come from the environment or a key service, never from the database. */
export type Keyring = {
  /** Accounts that send our transactions; each is a lane on every network. */
  operators: readonly Address[]
  /** Signs without sending, so that the bytes can be stored first. */
  signTransaction(
    operator: Address,
    chainId: number,
    transaction: UnsignedTransaction,
  ): Promise<{ raw: Hex; hash: Hex }>
  /** The account that signs a collection's mint vouchers. */
  voucherSigner(collectionId: string): Address
  /** A 65-byte EIP-712 signature of the voucher. */
  signVoucher(collectionId: string, chainId: number, contract: Address, voucher: MintVoucher): Promise<Hex>
}
