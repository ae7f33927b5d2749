import {
  concat,
  decodeFunctionData,
  encodeFunctionData,
  hashDomain,
  hashStruct,
  isAddressEqual,
  keccak256,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { vitrine721Abi } from './abi.ts'

/** A mint voucher as the contracts define it. Amounts are in the currency's smallest unit, expiry in Unix seconds. */
export type MintVoucher = {
  /** Receives the token, whoever sends the voucher. */
  minter: Address
  netRecipient: Address
  initialRecipient: Address
  /** The part of the total that goes to initialRecipient; the rest goes to netRecipient. */
  initialRecipientAmount: bigint
  /** Always 1 on ERC-721. */
  quantity: bigint
  /** Below 2^53. On ERC-1155 it shares its sequence with mint request ids. */
  nonce: bigint
  expiry: bigint
  /** Of one unit. With 0, both recipients are the zero address and nobody is paid. */
  price: bigint
  tokenId: bigint
  /** The zero address stands for the network's own coin. */
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

/** The EIP-712 domain of our contracts. */
export const domainOf = (chainId: number, contract: Address) => ({
  name: 'Vitrine',
  version: '1',
  chainId,
  verifyingContract: contract,
})

/** The EIP-712 typed data of a voucher, in the form that viem's and wallets' `signTypedData` take. */
export function voucherTypedData(chainId: number, contract: Address, voucher: MintVoucher) {
  return {
    domain: domainOf(chainId, contract),
    types: VOUCHER_TYPES,
    primaryType: 'MintVoucher' as const,
    message: voucher,
  }
}

const DOMAIN_TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const

/** The EIP-712 hash of a contract's domain. Many vouchers of one contract are signed in a row. */
export const voucherDomain = (chainId: number, contract: Address): Hex =>
  hashDomain({ domain: { ...domainOf(chainId, contract), chainId: BigInt(chainId) }, types: DOMAIN_TYPES })

/** The EIP-712 hash that is signed for a voucher: that of `voucherTypedData`, with the contract's `voucherDomain`. */
export const voucherHash = (domain: Hex, voucher: MintVoucher): Hex =>
  keccak256(concat(['0x1901', domain, hashStruct({ data: voucher, primaryType: 'MintVoucher', types: VOUCHER_TYPES })]))

/**
 * Calls `mintWithVoucher`, which is the same on ERC-721 and ERC-1155. Send `voucherValue(voucher)` wei with it.
 * @param signature 64 or 65 bytes signed by a key, or a signing contract's address followed by its ERC-1271 signature.
 */
export function encodeMintWithVoucher(voucher: MintVoucher, signature: Hex): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'mintWithVoucher', args: [voucher, signature] })
}

/** The exact wei that must be sent with `mintWithVoucher`; 0 when the voucher is priced in a token. */
export function voucherValue(voucher: MintVoucher): bigint {
  return isAddressEqual(voucher.currency, zeroAddress) ? voucher.price * voucher.quantity : 0n
}

/** The voucher in a transaction's data; null when the data is no `mintWithVoucher` call. */
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

/** Makes a voucher void. Its minter, and the owner, minters and signers of the contract may call it. */
export function encodeCancelVoucher(voucher: MintVoucher, signature: Hex): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'cancelVoucher', args: [voucher, signature] })
}
