import { mintKey, type Move, type RedeemedNonces } from './moves-of.ts'

/** A mint, or a transfer by one of our operators. */
export type Arrival = Pick<
  Move,
  | 'id'
  | 'type'
  | 'organizationId'
  | 'collectionId'
  | 'tokenId'
  | 'quantity'
  | 'toAddress'
  | 'txHash'
  | 'logIndex'
  | 'networkId'
> & { itemId: string }

/** A mint request that a transaction we signed carries. `holdId` null: its units aren't held (any more). */
export type CarriedRequest = {
  id: string
  type: 'MINT' | 'TRANSFER'
  txHash: string
  itemId: string
  toAddress: string
  quantity: bigint
  holdId: string | null
}
/** A signed voucher that isn't redeemed yet. */
export type WaitingVoucher = {
  id: string
  itemId: string
  tokenType: string | null
  nonce: bigint
  minter: string
  quantity: bigint
  holdId: string | null
}

export type Fulfilment = {
  arrival: Arrival
  promise: { type: 'MINT_REQUEST' | 'VOUCHER'; id: string; holdId: string | null }
}

/**
 * Which mint request or voucher each arrival fulfils: the mint request for which we signed the transaction, else, for a
 * mint, a voucher (ERC-721: of this token to its minter; ERC-1155: the mint right after its nonce was named). An
 * arrival that fulfils none is foreign. Each is fulfilled once.
 */
export function matchMintsToPromises(
  arrivals: readonly Arrival[],
  requests: readonly CarriedRequest[],
  vouchers: readonly WaitingVoucher[],
  nonces: RedeemedNonces,
): Fulfilment[] {
  const waiting = new Map<string, Fulfilment['promise'][]>()
  const wait = (key: string, promise: Fulfilment['promise']) => waiting.set(key, [...(waiting.get(key) ?? []), promise])
  for (const { id, holdId, txHash, ...request } of requests)
    wait(`${termsOf(request)} in ${txHash}`, { type: 'MINT_REQUEST', id, holdId })
  for (const { id, holdId, nonce, ...voucher } of vouchers)
    wait(
      `${termsOf({ ...voucher, type: 'MINT', toAddress: voucher.minter })} by ` +
        `${voucher.tokenType === 'ERC721' ? 'token' : nonce}`,
      { type: 'VOUCHER', id, holdId },
    )

  return arrivals.flatMap((arrival) => {
    const terms = termsOf(arrival)
    const keys = [`${terms} in ${arrival.txHash}`, `${terms} by ${nonces.get(mintKey(arrival))}`, `${terms} by token`]
    const key = keys.find((one) => waiting.get(one)?.length)
    return key === undefined ? [] : [{ arrival, promise: waiting.get(key)!.shift()! }]
  })
}

const termsOf = ({ type, quantity, itemId, toAddress }: Pick<Arrival, 'type' | 'quantity' | 'itemId' | 'toAddress'>) =>
  `${type} ${quantity} of ${itemId} to ${toAddress}`
