import { toFunctionSelector, type Abi, type AbiFunction } from 'viem'
import { vitrine1155Abi, vitrine721Abi } from './abi.ts'
import type { TokenType } from './calls.ts'
import { takesSignedTransfers } from './signed-transfers.ts'

const functionsByCapability = {
  ERC721: [
    'balanceOf',
    'ownerOf',
    'safeTransferFrom',
    'transferFrom',
    'approve',
    'setApprovalForAll',
    'getApproved',
    'isApprovedForAll',
  ],
  ERC721_METADATA: ['name', 'symbol', 'tokenURI'],
  ERC1155: [
    'balanceOf',
    'balanceOfBatch',
    'safeTransferFrom',
    'safeBatchTransferFrom',
    'setApprovalForAll',
    'isApprovedForAll',
  ],
  ERC1155_METADATA_URI: ['uri'],
  EIP165: ['supportsInterface'],
  ERC2981: ['royaltyInfo'],
  CONTRACT_ROYALTY: ['setDefaultRoyalty'],
  PER_TOKEN_ROYALTY: ['setTokenRoyalty'],
  CONTRACT_NAME_SYMBOL: ['name', 'symbol'],
  ADMIN_MINT_SINGLE: ['adminMint'],
  ADMIN_MINT_MULTIPLE: ['adminMintMultiple'],
  MINT_VOUCHER: [
    'mintWithVoucher',
    'cancelVoucher',
    'setVouchersPaused',
    'vouchersPaused',
    'voucherDigest',
    'eip712Domain',
  ],
  BURN_TOKEN: ['burn'],
  SET_BASE_URI: ['setBaseURI', 'baseURI', 'contractURI', 'refreshMetadata'],
  SET_BASE_URI_PERMANENT: ['lockBaseURI', 'baseURILocked'],
  TRANSFER_WITH_SIGNATURE: ['transferWithSignature', 'transferNonceUsed', 'cancelTransferNonce', 'eip712Domain'],
  SOULBOUND: ['soulbound', 'locked'],
  MANAGE_SUPPLY: ['maxSupply', 'setMaxSupply', 'tokenMaxSupply', 'setTokenMaxSupply', 'totalMinted'],
} as const satisfies Record<string, readonly (FunctionName721 | FunctionName1155)[]>

type FunctionName721 = Extract<(typeof vitrine721Abi)[number], { type: 'function' }>['name']
type FunctionName1155 = Extract<(typeof vitrine1155Abi)[number], { type: 'function' }>['name']

/** A group of functions that a token contract may have. */
export type Capability = keyof typeof functionsByCapability

const only721: readonly Capability[] = ['ERC721', 'ERC721_METADATA']
const only1155: readonly Capability[] = ['ERC1155', 'ERC1155_METADATA_URI']

/** The ABI functions of each capability. Where ERC-721 and ERC-1155 differ, both forms are listed. */
export const CAPABILITIES: Readonly<Record<Capability, readonly AbiFunction[]>> = Object.fromEntries(
  Object.entries(functionsByCapability).map(([name, functions]) => {
    const sources: Abi[] = []
    if (!only1155.includes(name as Capability)) sources.push(vitrine721Abi)
    if (!only721.includes(name as Capability)) sources.push(vitrine1155Abi)
    return [name, functionsOf(sources, functions)]
  }),
) as Record<Capability, AbiFunction[]>

/** The capabilities of one of our own contracts, in a fixed order. */
export function capabilitiesOf(
  tokenType: TokenType,
  collection: { contractVersion: string | null; soulbound: boolean },
): Capability[] {
  const missing: Capability[] = [...(tokenType === 'ERC721' ? only1155 : only721)]
  if (!collection.soulbound) missing.push('SOULBOUND')
  if (!takesSignedTransfers(collection)) missing.push('TRANSFER_WITH_SIGNATURE')
  return (Object.keys(functionsByCapability) as Capability[]).filter((name) => !missing.includes(name))
}

/** The named functions of these ABIs, each signature once. */
function functionsOf(abis: Abi[], names: readonly string[]): AbiFunction[] {
  const found = abis.flat().filter((part): part is AbiFunction => part.type === 'function' && names.includes(part.name))
  return [...new Map(found.map((part) => [toFunctionSelector(part), part])).values()]
}
