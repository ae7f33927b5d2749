import { setTimeout as wait } from 'node:timers/promises'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Collection, Item } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { CallReverted, CallUndecided, ChainUnavailable } from '../../ports/chain/chain.ts'
import { isReceiverAcceptance, encodeReceiverCall } from '../../core/contracts/calls.ts'
import { AppError, fieldError } from '../../core/errors.ts'

type Where = Pick<Item, 'tokenId'> & { collection: Pick<Collection, 'networkId' | 'contractAddress' | 'tokenType'> }
type Receiver = { address: string; quantity: bigint; field?: string }

/**
 * Throws for an address that can't receive the token: one without code always can, a contract is asked as its token
 * standard demands. Calls the network, so call it before any transaction.
 */
export async function assertReceives(
  ctx: Context,
  { tokenId, collection }: Where,
  { address, quantity, field = 'address' }: Receiver,
): Promise<void> {
  const cannotReceive = (why: string) => fieldError('address_cannot_receive', field, `${why} Choose another one.`)
  const { networkId, contractAddress, tokenType } = collection
  if (isAddressEqual(address as Address, zeroAddress)) throw cannotReceive('The zero address belongs to nobody.')
  if (networkId === null || !contractAddress || !tokenType || tokenId === null)
    throw new AppError('internal', 'This item has no contract.')
  const chain = ctx.ports.chains.get(networkId)
  if (!chain)
    throw new AppError('unavailable', 'The blockchain network of this item is not connected right now.', {
      retryAfterSeconds: 60,
    })
  if ((await chain.code(address as Address)) === null) return
  const operator = ctx.ports.keys.operators[0] ?? zeroAddress
  const data = encodeReceiverCall(tokenType, { operator, tokenId: BigInt(tokenId), quantity })
  try {
    const answer = await chain.read({ from: contractAddress as Address, to: address as Address, data })
    if (!isReceiverAcceptance(tokenType, answer))
      throw cannotReceive('This address belongs to a contract that can’t hold the item.')
  } catch (error) {
    if (error instanceof CallReverted) throw cannotReceive('This address belongs to a contract that refuses the item.')
    throw error
  }
}

const PATIENCE_MS = 1_000

/**
 * The same for a purchase, which a slow network doesn't stop where the token's contract asks the receiver itself: ERC-1155 units that a contract refuses
 * aren't minted, and return to the sale. Of an ERC-721 token only we ask.
 */
export async function assertBuyerReceives(ctx: Context, where: Where, receiver: Receiver): Promise<void> {
  const asked = assertReceives(ctx, where, receiver)
  if (where.collection.tokenType !== 'ERC1155') return asked
  const unlessSilent = asked.catch((error: unknown) => {
    if (!(error instanceof ChainUnavailable || error instanceof CallUndecided)) throw error
  })
  await Promise.race([unlessSilent, wait(PATIENCE_MS, undefined, { ref: false })])
}
