import { type Address, zeroAddress } from 'viem'
import type { Collection, EmailClaim, Item } from '../../generated/prisma/client.ts'
import { type Context, aside } from '../auth/context.ts'
import { DAY } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import type { MintVoucher } from '../chain/contracts.ts'
import { nextRequestNumber } from '../mints/next-request-number.ts'

const LIFE_SECONDS = 7 * DAY

export type SignedVoucher = { collectionId: string; itemId: string; networkId: number; contract: string; voucher: MintVoucher; signature: string }
type Claim = Pick<EmailClaim, 'itemId' | 'quantity' | 'expiresAt'> & { item: Item & { collection: Collection } }

/**
 * A voucher for what a claim gives, free of charge. Its nonce is taken from the collection's sequence at once, so that it is
 * signed before any transaction begins; a voucher that isn't issued leaves a gap, which hurts nobody.
 */
export async function signVoucher(ctx: Context, claim: Claim, minter: string): Promise<SignedVoucher> {
  const { id: collectionId, networkId, contractAddress } = claim.item.collection
  if (networkId === null || contractAddress === null || claim.item.tokenId === null) throw new AppError('internal', 'A claimed item has no contract.')
  const life = Math.floor(ctx.now().getTime() / 1000) + LIFE_SECONDS
  const expiry = claim.expiresAt ? Math.min(life, Math.floor(claim.expiresAt.getTime() / 1000)) : life
  const voucher: MintVoucher = {
    minter: minter as Address,
    netRecipient: zeroAddress,
    initialRecipient: zeroAddress,
    initialRecipientAmount: 0n,
    quantity: claim.quantity,
    nonce: await nextRequestNumber(aside(ctx), collectionId),
    expiry: BigInt(expiry),
    price: 0n,
    tokenId: BigInt(claim.item.tokenId),
    currency: zeroAddress,
  }
  const signature = await ctx.ports.keys.signVoucher(collectionId, networkId, contractAddress as Address, voucher)
  return { collectionId, itemId: claim.itemId, networkId, contract: contractAddress, voucher, signature }
}
