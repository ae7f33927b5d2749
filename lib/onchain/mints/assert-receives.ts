import { setTimeout as wait } from 'node:timers/promises'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Collection, Item, TokenType } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { CallReverted, CallUndecided, type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
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
  const operator = ctx.ports.keys.operators[0] ?? zeroAddress
  const refusal = await refusalOf(chain, { contractAddress, tokenType, tokenId, operator }, { address, quantity })
  if (refusal !== null) throw cannotReceive(refusal)
}

type Token = { contractAddress: string; tokenType: TokenType; tokenId: string; operator: Address }

/** Why the contract at an address doesn't take the token; null where it does, or where there is none. */
export async function refusalOf(
  chain: Pick<Chain, 'code' | 'read'>,
  { contractAddress, tokenType, tokenId, operator }: Token,
  { address, quantity }: Pick<Receiver, 'address' | 'quantity'>,
): Promise<string | null> {
  if ((await chain.code(address as Address)) === null) return null
  const data = encodeReceiverCall(tokenType, { operator, tokenId: BigInt(tokenId), quantity })
  try {
    const answer = await chain.read({ from: contractAddress as Address, to: address as Address, data })
    return isReceiverAcceptance(tokenType, answer)
      ? null
      : 'This address belongs to a contract that can’t hold the item.'
  } catch (error) {
    if (error instanceof CallReverted) return 'This address belongs to a contract that refuses the item.'
    throw error
  }
}

const REDEMPTION_PATIENCE_MS = 2_000
const PURCHASE_PATIENCE_MS = 1_000

/**
 * Throws as `assertReceives` does, for a redemption that we pay for. A silent network doesn't stop it: false says that
 * no node answered, and that the sender is to ask before it signs (judge-receivers.ts).
 */
export const isReceiverAsked = (ctx: Context, where: Where, receiver: Receiver): Promise<boolean> =>
  answeredWithin(
    REDEMPTION_PATIENCE_MS,
    assertReceives(ctx, where, receiver),
    (error) => error instanceof ChainUnavailable,
  )

/**
 * Throws as `assertReceives` does, for a purchase. A slow network doesn't stop it where the token's contract asks the
 * receiver itself: ERC-1155 units that a contract refuses aren't minted, and return to the sale. For an ERC-721 token
 * only we ask.
 */
export async function assertBuyerReceives(ctx: Context, where: Where, receiver: Receiver): Promise<void> {
  const asked = assertReceives(ctx, where, receiver)
  if (where.collection.tokenType !== 'ERC1155') return asked
  await answeredWithin(
    PURCHASE_PATIENCE_MS,
    asked,
    (error) => error instanceof ChainUnavailable || error instanceof CallUndecided,
  )
}

/** Whether the answer came in time. An error that isn't silence is thrown. */
function answeredWithin(ms: number, asked: Promise<void>, isSilence: (error: unknown) => boolean): Promise<boolean> {
  const answer = asked.then(
    () => true,
    (error: unknown) => {
      if (isSilence(error)) return false
      throw error
    },
  )
  return Promise.race([answer, wait(ms, false, { ref: false })])
}
