import type { Listing } from '../../../generated/prisma/client.ts'
import type { Statement } from '../../db/statements.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { getEligibility as endpoint } from '../../platform/api/listings.ts'
import { asDeployed, buyerContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { HOUR } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { notFound } from '../../core/errors.ts'
import { limitDistinct } from '../../platform/http/limit-distinct.ts'
import { standingsOf } from './buyer-units.ts'
import { eligibilityOf, REASONS } from './eligibility.ts'

/** So that nobody reads an allow list, or who bought what, by asking about many emails. */
const EMAILS = { name: 'eligibility-emails', most: env.ELIGIBILITY_EMAILS_PER_HOUR, seconds: HOUR }

type Offer = Pick<
  Listing,
  | 'id'
  | 'organizationId'
  | 'policyType'
  | 'snapshotId'
  | 'status'
  | 'startsAt'
  | 'endsAt'
  | 'maxPerUser'
  | 'quantityListed'
  | 'quantityOpen'
  | 'quantityConfirmed'
>

const OFFER: Statement = {
  name: 'eligibility_offer',
  text: `SELECT l.id, l.organization_id AS "organizationId", l.policy_type AS "policyType", l.snapshot_id AS "snapshotId", l.status,
      l.starts_at AS "startsAt", l.ends_at AS "endsAt", l.max_per_user AS "maxPerUser", l.quantity_listed AS "quantityListed",
      l.quantity_open AS "quantityOpen", l.quantity_confirmed AS "quantityConfirmed"
    FROM listings l JOIN collections c ON c.id = l.collection_id
    WHERE l.id = $1::uuid AND l.status <> 'DRAFT' AND c.deployment_status = 'SUCCESS'`,
}

/** Whether an address or an email may buy from a listing now, and how much in all. Throws `rate_limited` for too many different emails. */
export async function getEligibility(
  ctx: Context,
  { listing_id, eth_address, email_address }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const [listing] = await asDeployed(ctx).rows<Offer>(OFFER, listing_id)
  if (!listing) throw notFound()
  if (email_address) await limitDistinct(EMAILS, clientNetwork(ctx.clientAddress), email_address)
  // Allow lists and buyers are private to the organization: the public learns only this answer.
  const buyer = await standingsOf(buyerContext(ctx, listing.organizationId), listing, {
    address: eth_address ?? null,
    email: email_address ?? null,
  })
  const { eligible, allowed, claimed, reason } = eligibilityOf(listing, buyer, ctx.now())
  return {
    is_eligible: eligible,
    quantity_allowed: allowed.toString(),
    quantity_claimed: claimed.toString(),
    reason,
    reason_detail: reason && REASONS[reason],
  }
}
