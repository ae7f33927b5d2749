import { mintKey, type Move, type RedeemedNonces } from './moves-of.ts'

export type Mint = Pick<Move, 'id' | 'organizationId' | 'collectionId' | 'tokenId' | 'quantity' | 'toAddress' | 'txHash' | 'logIndex' | 'networkId'> & { itemId: string }

/** A mint of ours that is carried by a transaction we signed. `holdId` null: its units aren't held (any more). */
export type CarriedRequest = { id: string; txHash: string; itemId: string; toAddress: string; quantity: bigint; holdId: string | null }
/** A signed voucher that wasn't redeemed so far. */
export type WaitingVoucher = { id: string; itemId: string; tokenType: string | null; nonce: bigint; minter: string; quantity: bigint; holdId: string | null }

export type Fulfilment = { mint: Mint; promise: { type: 'MINT_REQUEST' | 'VOUCHER'; id: string; holdId: string | null } }

/**
 * Which promise each mint keeps: a mint request when the transaction is one we signed for it, else a voucher (ERC-721: the mint of
 * its token to its minter; ERC-1155: the mint right after its nonce was named). What keeps none is a stranger's. Every promise is
 * kept once.
 */
export function matchMints(
  mints: readonly Mint[],
  requests: readonly CarriedRequest[],
  vouchers: readonly WaitingVoucher[],
  nonces: RedeemedNonces,
): Fulfilment[] {
  const waiting = new Map<string, Fulfilment['promise'][]>()
  const wait = (key: string, promise: Fulfilment['promise']) => waiting.set(key, [...(waiting.get(key) ?? []), promise])
  for (const { id, holdId, txHash, ...request } of requests) wait(`${termsOf(request.itemId, request.toAddress, request.quantity)} in ${txHash}`, { type: 'MINT_REQUEST', id, holdId })
  for (const { id, holdId, nonce, ...voucher } of vouchers)
    wait(`${termsOf(voucher.itemId, voucher.minter, voucher.quantity)} by ${voucher.tokenType === 'ERC721' ? 'token' : nonce}`, { type: 'VOUCHER', id, holdId })

  return mints.flatMap((mint) => {
    const terms = termsOf(mint.itemId, mint.toAddress, mint.quantity)
    const keys = [`${terms} in ${mint.txHash}`, `${terms} by ${nonces.get(mintKey(mint))}`, `${terms} by token`]
    const key = keys.find((one) => waiting.get(one)?.length)
    return key === undefined ? [] : [{ mint, promise: waiting.get(key)!.shift()! }]
  })
}

const termsOf = (itemId: string, to: string, quantity: bigint) => `${quantity} of ${itemId} to ${to}`
