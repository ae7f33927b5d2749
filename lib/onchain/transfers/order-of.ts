import type { Address, Hex } from 'viem'
import type { TokenType } from '../../core/contracts/calls.ts'
import type { Prisma, SignedTransfer as Stored } from '../../../generated/prisma/client.ts'
import { encodeTransferWithSignature, type SignedTransfer } from '../../core/contracts/signed-transfers.ts'

type Row = Pick<Stored, 'tokenId' | 'quantity' | 'fromAddress' | 'toAddress' | 'nonce' | 'deadline'>

/** A stored transfer as its holder signed it. */
export const orderOf = (row: Row): SignedTransfer => ({
  tokenId: BigInt(row.tokenId),
  quantity: row.quantity,
  from: row.fromAddress as Address,
  to: row.toAddress as Address,
  nonce: BigInt(row.nonce.toFixed()),
  deadline: row.deadline,
})

/** The fields of a transfer's collection that judging the transfer reads. */
export const CARRIED = {
  collection: { select: { tokenType: true, contractAddress: true, following: true } },
} as const satisfies Prisma.SignedTransferInclude

export type CarriedTransfer = Prisma.SignedTransferGetPayload<{ include: typeof CARRIED }>

export const contractOf = ({ collection }: CarriedTransfer): Address => collection.contractAddress as Address

/** The call that makes a stored transfer. */
export const callOf = (row: Row & Pick<Stored, 'signature'>, tokenType: TokenType): Hex =>
  encodeTransferWithSignature(tokenType, orderOf(row), row.signature as Hex)
