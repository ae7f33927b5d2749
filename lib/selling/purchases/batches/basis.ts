import type { Collection, Item } from '../../../../generated/prisma/client.ts'
import type { Offer } from '../../../offers/listings/offer.ts'

type Terms = Pick<Offer, 'price' | 'currencyAddress' | 'sessionSeconds' | 'sessionOverride'>
type Place = Pick<Collection, 'networkId' | 'contractAddress' | 'signer'> & { payoutAddress: string | null }

/**
 * Everything that a voucher's terms follow from, as text: a voucher that was signed for something else isn't issued.
 */
export const basisOf = (
  { price, currencyAddress, sessionSeconds, sessionOverride }: Terms,
  { networkId, contractAddress, signer, payoutAddress }: Place,
  { id, tokenId }: Pick<Item, 'id' | 'tokenId'>,
): string =>
  JSON.stringify([
    price.toString(),
    currencyAddress,
    sessionSeconds,
    sessionOverride,
    networkId,
    contractAddress,
    signer,
    payoutAddress,
    id,
    tokenId,
  ])
