import { columns } from '../../db/columns.ts'
import { asListing, rowsOfEach } from '../../db/rows-of-each.ts'
import { call, type Statement } from '../../db/statements.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { getEligibility as endpoint } from '../../platform/api/listings.ts'
import type { Context } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { HOUR } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { unknownId } from '../../core/errors.ts'
import { questions } from '../../platform/http/hot/questions.ts'
import { limitDistinct } from '../../platform/http/limit-distinct.ts'
import { askedOf, STANDINGS_OF_LISTING, standingValuesOf } from './buyer-units.ts'
import { eligibilityOf, type EligibilityTerms, type Standing } from './eligibility.ts'
import { type Offered, obstacleOf, SALE_FACTS } from './obstacles.ts'
import { REASONS } from './reasons.ts'

/** So that nobody reads an allow list, or who bought what, by asking about many emails. */
const EMAILS = { name: 'eligibility-emails', most: env.ELIGIBILITY_EMAILS_PER_HOUR, seconds: HOUR }

/** A listing with one of the buyer's standings at it, or with none. */
type EligibilityRow = Omit<EligibilityTerms, 'obstacle'> & Offered
type Row = EligibilityRow & (Standing | { kind: null })

const TERMS = columns('l', 'Listing', [
  'policyType',
  'status',
  'startsAt',
  'endsAt',
  'maxPerUser',
  'quantityListed',
  'quantityOpen',
  'quantityConfirmed',
  'collectionId',
])
const OFFER: Statement = {
  name: 'eligibility',
  text: `SELECT ${TERMS}, l.payment_providers::text[] AS "paymentProviders",
      is_suspended(l.organization_id, l.collection_id) AS suspended, ${SALE_FACTS} AS facts, s.*
    FROM listings l JOIN collections c ON c.organization_id = l.organization_id AND c.id = l.collection_id
      LEFT JOIN LATERAL (${STANDINGS_OF_LISTING}) s ON true
    WHERE l.id = $1::uuid AND l.status <> 'DRAFT' AND c.deployment_status = 'SUCCESS' ORDER BY s.at`,
}

type Key = ReturnType<typeof standingValuesOf>
const offers = questions(async (keys: readonly Key[]) => {
  const asked = keys.map((key) => ({ as: asListing(key[0]), calls: [call(OFFER, ...key)] }))
  return (await rowsOfEach(asked)).map(([rows]) => rows as Row[])
})

/**
 * Whether an address or an email may buy from a listing now, and how much in all. Throws `rate_limited` for too many
 * different emails.
 */
export async function getEligibility(
  ctx: Context,
  { listing_id, eth_address, email_address }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  // Allow lists and buyers are private to the organization: the public learns only this answer.
  const asked = askedOf({ address: eth_address ?? null, email: email_address ?? null })
  const rows = await offers(standingValuesOf(ctx, listing_id, asked), ctx.signal)
  const [listing] = rows
  if (!listing) throw unknownId('listing_id', 'listing')
  if (email_address) await limitDistinct(EMAILS, clientNetwork(ctx.clientAddress), email_address)
  const buyer = rows.filter((row): row is EligibilityRow & Standing => row.kind !== null)
  const terms = { ...listing, obstacle: obstacleOf(ctx, listing) }
  const { eligible, allowed, claimed, reason } = eligibilityOf(terms, buyer, ctx.now())
  return {
    is_eligible: eligible,
    quantity_allowed: allowed.toString(),
    quantity_claimed: claimed.toString(),
    reason,
    reason_detail: reason && REASONS[reason],
  }
}
