import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import { identitiesOf } from './buyer-units.ts'
import type { Offer } from './offer.ts'

const COUNT_SALES: Statement = {
  name: 'count_sales',
  text: `UPDATE listings SET quantity_open = quantity_open + $2::bigint, quantity_confirmed = quantity_confirmed + $3::bigint,
      status = CASE WHEN $4::boolean THEN 'COMPLETE' ELSE status END, completed_at = CASE WHEN $4::boolean THEN $5::timestamptz ELSE completed_at END,
      updated_at = $5::timestamptz
    WHERE id = $1::uuid`,
}

/** The statement that counts units of many purchases at a locked listing, which `isComplete` ends. */
export const countSalesCall = (
  { id }: Offer,
  units: { open: bigint; confirmed: bigint },
  { isComplete, now }: { isComplete: boolean; now: Date },
): Call => call(COUNT_SALES, id, units.open, units.confirmed, isComplete, now)

const COUNT_BUYERS: Statement = {
  name: 'count_buyers',
  text: `INSERT INTO listing_buyers AS b (organization_id, listing_id, kind, identity, quantity)
    SELECT $1::uuid, $2::uuid, n.kind::"IdentityKind", n.identity, sum(n.quantity)::bigint
    FROM unnest($3::text[], $4::text[], $5::bigint[]) AS n(kind, identity, quantity) GROUP BY n.kind, n.identity
    ON CONFLICT (listing_id, kind, identity) DO UPDATE SET quantity = b.quantity + excluded.quantity`,
}

/** The statement that adds confirmed units to what the buyers of a locked listing have. That they may have them was decided before. */
export function countBuyersCall(
  { id, organizationId }: Offer,
  purchases: readonly Pick<PurchaseIntent, 'buyerAddress' | 'buyerMailbox' | 'quantity'>[],
): Call {
  const counts = purchases.flatMap(({ buyerAddress, buyerMailbox, quantity }) =>
    identitiesOf({ address: buyerAddress, email: buyerMailbox }).map((identity) => ({ ...identity, quantity })),
  )
  return call(
    COUNT_BUYERS,
    organizationId,
    id,
    counts.map(({ kind }) => kind),
    counts.map(({ identity }) => identity),
    counts.map(({ quantity }) => quantity),
  )
}
