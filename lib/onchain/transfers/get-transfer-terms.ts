import { randomBytes } from 'node:crypto'
import { type Address, isAddressEqual } from 'viem'
import { secondsFrom } from '../../core/clock.ts'
import { signedTransferTypedData } from '../../core/contracts/signed-transfers.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { getTransferTerms as endpoint, HolderPaysReason } from '../../platform/api/transfers.ts'
import type { Context } from '../../platform/auth/context.ts'
import { isSuspended } from '../../platform/auth/suspended.ts'
import { findTransferLimit, holderPays } from '../../orders/transfer-budget.ts'
import { ESCROW_DAYS, escrowOperatorOf } from '../escrows/request-escrow.ts'
import { findToken, type Token } from './find-token.ts'

type Query = Input<typeof endpoint>['query']

/** How a token can be sent, who pays, and what its holder should know of the receiver. It calls the token's network. */
export async function getTransferTerms(anyone: Context, query: Query): Promise<Output<typeof endpoint>> {
  const token = await findToken(anyone, query)
  const { chain, contract, tokenType, isSoulbound, takesSignatures } = token
  const reason = isSoulbound ? 'not_transferable' : await reasonOf(token, query)
  const keeper = escrowOperatorOf(token)
  return {
    network_id: chain.network.id,
    contract_address: contract,
    token_type: tokenType,
    transferable: !isSoulbound,
    signed: takesSignatures,
    gas_payer: reason === null ? 'ORGANIZATION' : 'HOLDER',
    reason: reason && sentenceOf(reason),
    reason_code: reason,
    receiver: query.to_address == null ? null : await receiverOf(token, query.to_address as Address),
    escrow: keeper && { to_address: keeper, days: ESCROW_DAYS },
    transfer_id: await findUnderWay(token, query),
    typed_data: query.to_address != null && takesSignatures && !isSoulbound ? typedDataOf(token, query) : null,
  }
}

/** Why the holder pays; null where the organization does. */
async function reasonOf(token: Token, { from_address: from }: Query): Promise<HolderPaysReason | null> {
  const { ctx, chain, collectionId, itemId, tokenType, takesSignatures } = token
  const { organizationId } = ctx
  if (!takesSignatures) return 'not_signed'
  if (await isSuspended(ctx, { organizationId, collectionId })) return 'not_offered'
  return findTransferLimit(ctx, chain.network, { itemId, isUnique: tokenType === 'ERC721', from })
}

/** The time within which a transfer that the holder signs may be sent. */
const VALID_SECONDS = 3600

/** A transfer to sign. Its nonce is random, so that no other one has it. */
function typedDataOf(
  { ctx, chain, contract, tokenType, tokenId }: Token,
  { from_address: from, to_address: to, quantity }: Query,
): Output<typeof endpoint>['typed_data'] {
  const deadline = Math.floor(secondsFrom(ctx.now(), VALID_SECONDS).getTime() / 1000)
  const { message, ...data } = signedTransferTypedData(tokenType, chain.network.id, contract, {
    tokenId,
    quantity: BigInt(quantity ?? 1),
    from: from as Address,
    to: to as Address,
    nonce: BigInt(`0x${randomBytes(32).toString('hex')}`),
    deadline: BigInt(deadline),
  })
  return { ...data, message: { ...message, deadline } }
}

function sentenceOf(reason: HolderPaysReason): string {
  if (reason === 'not_transferable') return 'Tokens of this collection can’t be transferred.'
  if (reason === 'not_signed')
    return 'The contract of this collection takes no signed transfers, so whoever sends a token pays the gas.'
  return holderPays(reason).message
}

/** The newest transfer that waits or is sent, so that its holder finds it again on any device. */
async function findUnderWay({ ctx, itemId }: Token, { from_address: fromAddress }: Query): Promise<string | null> {
  const row = await ctx.db.signedTransfer.findFirst({
    where: { itemId, fromAddress, state: { in: ['PENDING', 'SUBMITTED'] } },
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  })
  return row?.id ?? null
}

const receiverOf = async ({ chain, own }: Token, address: Address) => ({
  is_contract: (await chain.code(address)) !== null,
  is_organizations_own: own.some((one) => one !== null && isAddressEqual(one as Address, address)),
})
