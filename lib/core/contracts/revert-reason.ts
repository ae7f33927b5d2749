import { concat, decodeAbiParameters, decodeErrorResult, size, toFunctionSelector, type Hex } from 'viem'
import { vitrine1155Abi, vitrine721Abi, vitrineFactoryAbi } from './abi.ts'

type OwnError = Extract<
  (typeof vitrine721Abi | typeof vitrine1155Abi | typeof vitrineFactoryAbi)[number],
  { type: 'error' }
>['name']

export const SENTENCES = {
  AccountBalanceOverflow: 'That address holds too many tokens of this collection.',
  AmountIsZero: 'The quantity must be at least 1.',
  ArrayLengthsMismatch: 'There must be as many amounts as token ids.',
  BalanceQueryForZeroAddress: 'The zero address holds nothing.',
  BaseURIIsLocked: 'The metadata address of this collection is locked for ever.',
  BlobNotStored: 'The owners of the consecutive batch couldn’t be stored: it needs more gas.',
  ChunkIsFull: 'Too many consecutive batches lie side by side there. Mint these tokens one by one.',
  ImplementationMissing: 'The token contract to copy isn’t deployed on this network.',
  InitialRecipientAmountTooHigh: 'The fee exceeds the price.',
  InsufficientBalance: 'The sender doesn’t hold that many.',
  InvalidSignature: 'The voucher isn’t signed by a key that may sign for this collection.',
  MaxSupplyBelowMinted: 'More than that have been minted already.',
  MaxSupplyNotLower: 'The max supply can only be lowered.',
  MaxSupplyReached: 'The max supply is reached.',
  NotEnoughGas: 'The transaction needs more gas to ask its receivers.',
  NotOwnerNorApproved: 'Only the token’s owner, or whom the owner has approved, may do that.',
  OwnerIsZeroAddress: 'The new owner can’t be the zero address.',
  RequestIsUsed: 'This mint request was carried out before.',
  RoyaltyReceiverMissing: 'A royalty needs a receiver.',
  RoyaltyTooHigh: 'A royalty can’t exceed 100 %.',
  TokenAlreadyExists: 'This token was minted before.',
  TokenDoesNotExist: 'There is no such token.',
  TokenIsBurnt: 'This token was burnt and can’t be minted again.',
  TokenIsSoulbound: 'Tokens of this collection can’t be transferred.',
  TransferFromIncorrectOwner: 'The token has another owner.',
  TransferIsExpired: 'The deadline of this transfer has passed.',
  TransferIsNotSigned: 'The transfer isn’t signed by the account that it moves the token from.',
  TransferNonceIsUsed: 'A transfer with this number was made or cancelled before.',
  TransferToNonERC1155ReceiverImplementer: 'The receiving contract doesn’t accept this token.',
  TransferToNonERC721ReceiverImplementer: 'The receiving contract doesn’t accept this token.',
  TransferToZeroAddress: 'A token can’t go to the zero address.',
  Unauthorized: 'The sender isn’t allowed to do that on this contract.',
  UnknownRole: 'There is no such role.',
  ValueNotAccepted: 'This call takes no payment.',
  VoucherIsCancelled: 'This voucher was cancelled.',
  VoucherIsExpired: 'This voucher has expired.',
  VoucherIsUsed: 'This voucher was used or cancelled before.',
  VouchersArePaused: 'Minting with vouchers is paused for this collection.',
  WrongNonce: 'The voucher’s number is out of bounds.',
  WrongPacking: 'The list of mints isn’t packed as it should be.',
  WrongPayee: 'The voucher names no one who could be paid.',
  WrongPayment: 'The payment must be exactly the voucher’s price.',
  WrongQuantity: 'A voucher for a unique item has quantity 1.',
  WrongRange: 'The first token id must not exceed the last.',
} as const satisfies Record<OwnError, string>

/** Errors of the libraries that the contracts use, which throw them without declaring them in the ABI. */
const LIBRARY_SENTENCES: Record<Hex, string> = {
  [toFunctionSelector('TransferFromFailed()')]:
    'The payment token refused the transfer: is the amount there and approved?',
  [toFunctionSelector('ETHTransferFailed()')]: 'The payment couldn’t be passed on.',
  [toFunctionSelector('DeploymentFailed()')]: 'The contract couldn’t be deployed.',
}

/**
 * Reverts of our contracts when a mint's token id or request number was used before. They don't say by whom: that has
 * to be asked.
 */
const USED_BEFORE: ReadonlySet<string> = new Set([
  SENTENCES.TokenAlreadyExists,
  SENTENCES.TokenIsBurnt,
  SENTENCES.RequestIsUsed,
])

/** Whether a reason that `revertReason` gave says that the mint, or another of its token, was carried out before. */
export const isUsedBefore = (reason: string): boolean => USED_BEFORE.has(reason)

/**
 * Whether a reason that `revertReason` gave says that the sender has no role that allows the call, whatever the call
 * is.
 */
export const isForbidden = (reason: string): boolean => reason === SENTENCES.Unauthorized

const errorAbi = [...vitrine721Abi, ...vitrine1155Abi, ...vitrineFactoryAbi].filter((part) => part.type === 'error')

/** Why a call reverted, as a sentence for people. `data` is the revert data, or only an error's 4-byte selector. */
export function revertReason(data: Hex | null | undefined): string {
  if (!data || size(data) < 4) return 'The contract refused without giving a reason.'
  const selector = data.slice(0, 10).toLowerCase() as Hex
  const library = LIBRARY_SENTENCES[selector]
  if (library) return library
  if (selector === '0x08c379a0') return textReason(data)
  if (selector === '0x4e487b71') return 'The contract met an amount or a state that it can’t work with.'
  try {
    // A bare selector has no arguments, so zeros stand in for them.
    const { errorName } = decodeErrorResult({ abi: errorAbi, data: concat([data, `0x${'00'.repeat(32)}`]) })
    return SENTENCES[errorName]
  } catch {
    return `The contract refused with the error ${selector}.`
  }
}

/** The text of `Error(string)`, which `require` and `revert` with a message throw. */
function textReason(data: Hex): string {
  try {
    const [text] = decodeAbiParameters([{ type: 'string' }], `0x${data.slice(10)}`)
    return `The contract refused: ${text.trim().replace(/\.?$/, '.')}`
  } catch {
    return 'The contract refused without giving a reason.'
  }
}
