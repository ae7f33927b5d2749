import { decodeFunctionData, encodeFunctionData, isAddressEqual, zeroAddress, type Address, type Hex } from 'viem'
import { vitrine721Abi } from './abi.ts'

/** A signed permission to mint, as the contracts know it. Amounts in the currency's smallest unit, expiry in Unix seconds. */
export type MintVoucher = {
  /** Gets the token, whoever sends the voucher. */
  minter: Address
  netRecipient: Address
  initialRecipient: Address
  /** Of the voucher's total, what goes to initialRecipient; the rest is netRecipient's. */
  initialRecipientAmount: bigint
  /** Always 1 on ERC-721. */
  quantity: bigint
  /** Below 2^53; on ERC-1155 from the same sequence as request ids. */
  nonce: bigint
  expiry: bigint
  /** Of one unit. 0: both recipients are the zero address and nobody is paid. */
  price: bigint
  tokenId: bigint
  /** The zero address is the network's own coin. */
  currency: Address
}

const VOUCHER_TYPES = {
  MintVoucher: [
    { name: 'minter', type: 'address' },
    { name: 'netRecipient', type: 'address' },
    { name: 'initialRecipient', type: 'address' },
    { name: 'initialRecipientAmount', type: 'uint256' },
    { name: 'quantity', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint256' },
    { name: 'price', type: 'uint256' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'currency', type: 'address' },
  ],
} as const

/** What a voucher's signer signs (EIP-712), as viem's and wallets' signTypedData take it. */
export function voucherTypedData(chainId: number, contract: Address, voucher: MintVoucher) {
  return {
    domain: { name: 'Vitrine', version: '1', chainId, verifyingContract: contract },
    types: VOUCHER_TYPES,
    primaryType: 'MintVoucher' as const,
    message: voucher,
  }
}

/**
 * Redeems a voucher; the same call on ERC-721 and ERC-1155. Send `voucherValue(voucher)` with it.
 * @param signature 64 or 65 bytes of a key, or a signing contract's address followed by its ERC-1271 signature.
 */
export function encodeMintWithVoucher(voucher: MintVoucher, signature: Hex): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'mintWithVoucher', args: [voucher, signature] })
}

/** The wei that must accompany `mintWithVoucher`, exactly. */
export function voucherValue(voucher: MintVoucher): bigint {
  return isAddressEqual(voucher.currency, zeroAddress) ? voucher.price * voucher.quantity : 0n
}

/** The voucher in the data of a transaction, or null when that does anything but redeem one. */
export function decodeMintWithVoucher(data: Hex): { voucher: MintVoucher; signature: Hex } | null {
  try {
    const call = decodeFunctionData({ abi: vitrine721Abi, data })
    if (call.functionName !== 'mintWithVoucher') return null
    const [voucher, signature] = call.args
    return { voucher, signature }
  } catch {
    return null
  }
}

/** Makes a voucher void. For its minter, and for owner, minters and signers of the contract. */
export function encodeCancelVoucher(voucher: MintVoucher, signature: Hex): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'cancelVoucher', args: [voucher, signature] })
}
