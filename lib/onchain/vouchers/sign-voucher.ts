import { type Address, zeroAddress } from 'viem'
import type { Collection, EmailClaim, Item } from '../../../generated/prisma/client.ts'
import { type Context, withoutIdempotentResult } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import type { MintVoucher } from '../../core/contracts/vouchers.ts'
import { isMintedToken, type Mintable } from '../../stock/custody.ts'
import { promisesHeld } from '../../stock/hold-units.ts'
import { nextRequestNumber } from '../../orders/next-request-number.ts'
import { findSigner, voucherKeyMissing } from '../../orders/voucher-signer.ts'

/** How long a claim's voucher is valid at most; those of purchases end with their purchase, which is sooner. */
export const LONGEST_VOUCHER_SECONDS = 7 * DAY

export type SignedVoucher = {
  collectionId: string
  itemId: string
  networkId: number
  contract: string
  voucher: MintVoucher
  signature: string
}
type Claim = Pick<EmailClaim, 'quantity' | 'expiresAt'> & { item: VoucherItem }

/**
 * The money part of a voucher: the price of one unit and the platform's share of all of them, in the currency's
 * smallest unit.
 */
export type VoucherMoney = Pick<
  MintVoucher,
  'price' | 'currency' | 'netRecipient' | 'initialRecipient' | 'initialRecipientAmount'
>

export const FREE: VoucherMoney = {
  price: 0n,
  currency: zeroAddress,
  netRecipient: zeroAddress,
  initialRecipient: zeroAddress,
  initialRecipientAmount: 0n,
}

/** Signs a free voucher for a claim's units. */
export function signVoucher(
  ctx: Context,
  { item, quantity, expiresAt }: Claim,
  minter: string,
): Promise<SignedVoucher> {
  const life = secondsFrom(ctx.now(), LONGEST_VOUCHER_SECONDS)
  return signTerms(
    ctx,
    { item, quantity, expiresAt: expiresAt && expiresAt < life ? expiresAt : life, money: FREE },
    minter,
  )
}

type VoucherItem = Pick<Item, 'id' | 'tokenId' | 'minted'> & {
  collection: Pick<Collection, 'id' | 'tokenType' | 'networkId' | 'contractAddress' | 'signer' | 'promisesFrom'>
}
export type VoucherTerms = {
  item: VoucherItem
  quantity: bigint
  expiresAt: Date
  money: VoucherMoney
}

/**
 * Signs a voucher. Its nonce is taken from the collection's sequence in a transaction of its own, so signing happens
 * outside of any; a voucher that isn't issued leaves a gap, which is harmless. Throws what `signWithNonce` throws.
 */
export async function signTerms(ctx: Context, terms: VoucherTerms, minter: string): Promise<SignedVoucher> {
  assertSignable(ctx, terms.item)
  return signWithNonce(
    ctx,
    terms,
    minter,
    await nextRequestNumber(withoutIdempotentResult(ctx), terms.item.collection.id),
  )
}

/**
 * Signs a voucher whose nonce was taken before. Throws `recovering` while an earlier voucher that the books don't know
 * may be valid, `unavailable` without the key of the signer that the contract knows, and `voucher_unsupported` for a
 * token that is minted.
 */
export async function signWithNonce(
  ctx: Pick<Context, 'now' | 'ports'>,
  { item, quantity, expiresAt, money }: VoucherTerms,
  minter: string,
  nonce: bigint,
): Promise<SignedVoucher> {
  const { networkId, contract, tokenId, signer } = assertSignable(ctx, item)
  const voucher: MintVoucher = {
    minter: minter as Address,
    quantity,
    nonce,
    expiry: BigInt(Math.floor(expiresAt.getTime() / 1000)),
    tokenId: BigInt(tokenId),
    ...money,
  }
  const collectionId = item.collection.id
  const signature = await ctx.ports.keys.signVoucher(collectionId, networkId, contract, voucher, signer)
  return { collectionId, itemId: item.id, networkId, contract, voucher, signature }
}

/** Throws for a token that the index has as minted: a voucher could mint nothing, or a holder's token again. */
export function assertUnminted(item: Mintable): void {
  if (isMintedToken(item))
    throw new AppError(
      'voucher_unsupported',
      'This was minted meanwhile, so there is nothing left that you could mint yourself. ' +
        'Ask the sender for another link.',
    )
}

/** The signer and contract of a voucher for an item. Throws where none may be signed. */
function assertSignable(ctx: Pick<Context, 'now' | 'ports'>, item: VoucherItem) {
  assertUnminted(item)
  const { tokenId, collection } = item
  const { networkId, contractAddress, promisesFrom } = collection
  if (networkId === null || contractAddress === null || tokenId === null)
    throw new AppError('internal', 'A promised item has no contract.')
  const signer = findSigner(ctx, collection)
  if (signer === null) throw voucherKeyMissing(collection.signer)
  if (promisesFrom && promisesFrom > ctx.now()) throw promisesHeld()
  return { networkId, contract: contractAddress as Address, tokenId, signer }
}
