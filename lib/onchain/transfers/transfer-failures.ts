import { type Hex, size, slice, toFunctionSelector } from 'viem'
import type { TransferFailure } from '../../platform/api/transfers.ts'

/** The errors of our contracts that say more of a transfer than that it reverts. */
const CODES: ReadonlyMap<Hex, TransferFailure> = new Map(
  (
    [
      ['TransferIsExpired()', 'expired'],
      ['TransferNonceIsUsed()', 'nonce_used'],
      ['TransferFromIncorrectOwner()', 'not_owner'],
      ['TokenDoesNotExist()', 'not_owner'],
      ['TokenIsBurnt()', 'not_owner'],
      ['InsufficientBalance()', 'not_owner'],
      ['TransferToNonERC721ReceiverImplementer()', 'receiver_refused'],
      ['TransferToNonERC1155ReceiverImplementer()', 'receiver_refused'],
      ['TransferIsNotSigned()', 'signature_refused'],
    ] as const
  ).map(([error, code]) => [toFunctionSelector(error), code]),
)

/** Why a transfer reverts, by its revert data. A receiver may revert with any error of its own. */
export const failureCodeOf = (data: Hex | null): TransferFailure =>
  (data && size(data) >= 4 && CODES.get(slice(data, 0, 4))) || 'reverted'

export const EXPIRED = 'It wasn’t sent before its deadline. Nothing was moved, and no gas was paid.'
export const NONCE_USED = 'The holder’s nonce was used for something else, or cancelled.'
