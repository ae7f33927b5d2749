import type { Listing } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { unknownId } from '../../core/errors.ts'
import { gather } from '../../core/gather.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { type SaleFacts, SALE_FACTS } from './obstacles.ts'

const LISTING = columns('l', 'Listing', [
  'id',
  'organizationId',
  'collectionId',
  'itemId',
  'mode',
  'networkId',
  'status',
  'quantityListed',
  'quantityOpen',
  'quantityConfirmed',
  'currency',
  'currencyAddress',
  'currencyDecimals',
  'campaignId',
  'maxQuantityPerTx',
  'policyType',
  'snapshotId',
  'maxPerUser',
  'sessionSeconds',
  'sessionOverride',
  'assignment',
  'proofOfWork',
  'startsAt',
  'endsAt',
])
/** The fields of a listing that tell what it sells, on which terms, and how much of it is left. */
export type Offer = RowOf<typeof LISTING> &
  Pick<Listing, 'paymentProviders'> & {
    /** Of one unit, in minor units of the currency. */
    price: bigint
    suspended: boolean
  }

/** The columns of an `Offer`, of `listings l`. */
const COLUMNS = `${LISTING}, l.price::text AS price, l.payment_providers::text[] AS "paymentProviders"`

export type OfferRow = Omit<Offer, 'price'> & { price: string }
export const offerOf = <R extends OfferRow>({ price, ...row }: R): Omit<R, 'price'> & { price: bigint } => ({
  ...row,
  price: BigInt(price),
})

const CONTRACT = columns('c', 'Collection', ['tokenType', 'contractAddress'])

/**
 * A listing as buyers see it, with one of the tokens that it sells. Receiving contracts are asked whether they take
 * that one.
 */
export type FoundOffer = Offer & RowOf<typeof CONTRACT> & { tokenId: string | null; facts: SaleFacts }

/**
 * `vitrine_public` sees listings of deployed collections only; the predicates say it once more, for whoever sees others
 * too.
 */
export const offerQuery = (id: string) => `SELECT ${COLUMNS}, ${CONTRACT},
    is_suspended(l.organization_id, l.collection_id) AS suspended, ${SALE_FACTS} AS facts,
    CASE WHEN l.item_id IS NULL
      THEN (SELECT token_id FROM items WHERE collection_id = l.collection_id AND locked_at IS NOT NULL LIMIT 1)
      ELSE (SELECT token_id FROM items WHERE id = l.item_id) END AS "tokenId"
  FROM listings l JOIN collections c ON c.id = l.collection_id
  WHERE l.id = ${id} AND l.status <> 'DRAFT' AND c.deployment_status = 'SUCCESS'`
const FIND: Statement = { name: 'find_offer', text: offerQuery('$1::uuid') }

/** A row of `offerQuery`. */
export type FoundOfferRow = OfferRow & Omit<FoundOffer, keyof Offer>

/**
 * A listing that anybody may buy from, by one read of what is committed. A private collection's can be bought by
 * whoever has its link. Those who ask at the same moment share the read; nobody joins one that was sent.
 */
export function findOffer(anyone: Context, id: string): Promise<FoundOffer> {
  return new Promise((resolve) => ask({ anyone, id, resolve }))
}

type Asker = { anyone: Context; id: string; resolve: (offer: Promise<FoundOffer>) => void }
const ask = gather<Asker>((askers) => {
  for (const [id, together] of Map.groupBy(askers, ({ id }) => id)) {
    const offer = readOffer(together[0]!.anyone, id)
    for (const { resolve } of together) resolve(offer)
  }
})

async function readOffer(anyone: Context, id: string): Promise<FoundOffer> {
  const [row] = await anyone.rows<FoundOfferRow>(FIND, id)
  if (!row) throw unknownId('listing_id', 'listing')
  return offerOf(row)
}

/**
 * Locks a listing until the transaction ends and reads it as it is then. A suspension waits until the transaction has
 * ended. What is read by later statements of the transaction can't be changed by other purchases any more.
 */
export const LOCK_OFFER: Statement = {
  name: 'lock_offer',
  text: `SELECT ${COLUMNS}, is_suspended_until_commit(l.organization_id, l.collection_id) AS suspended
    FROM listings l WHERE l.id = $1::uuid FOR NO KEY UPDATE OF l`,
}
