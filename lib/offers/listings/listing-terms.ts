import { type Listing, Prisma } from '../../../generated/prisma/client.ts'
import { fieldsOf } from '../../core/columns-of.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { updateListing as endpoint } from '../../platform/api/listings.ts'

/** Fields of a listing that can change, with their columns: bodies, answers and the audit log have them from here. */
export const TERMS = {
  max_quantity_per_tx: 'maxQuantityPerTx',
  start_time: 'startsAt',
  end_time: 'endsAt',
  campaign_id: 'campaignId',
  proof_of_work: 'proofOfWork',
} as const satisfies Record<string, keyof Listing>

/** Fields of a listing's `policy` that can change, with their columns. */
export const POLICY = {
  max_per_user: 'maxPerUser',
  email_claim_duration: 'claimSeconds',
} as const satisfies Record<string, keyof Listing>

type Column = (typeof TERMS)[keyof typeof TERMS] | (typeof POLICY)[keyof typeof POLICY]
export type TermsRow = Pick<Listing, Column | 'sessionSeconds' | 'sessionOverride'>

type Session = NonNullable<Input<typeof endpoint>['body']['policy']>['payment_session_duration']

/** Both parts are kept in columns of their own: one that is left out stays, null clears. */
export function sessionColumnsOf(session: Session) {
  if (session === undefined) return {}
  const { timeout_seconds, provider_override } = session ?? { timeout_seconds: null, provider_override: null }
  return {
    sessionSeconds: timeout_seconds,
    sessionOverride: provider_override === null ? Prisma.DbNull : provider_override,
  }
}

/** The terms of a policy, as answers and the audit log show them. */
export const policyTermsOf = (row: TermsRow) => ({
  ...fieldsOf(POLICY, row),
  payment_session_duration: {
    timeout_seconds: row.sessionSeconds,
    provider_override: (row.sessionOverride ?? {}) as Record<string, number>,
  },
})

/** All terms, for the audit log. */
export const termsOf = (row: TermsRow) => ({ ...fieldsOf(TERMS, row), ...policyTermsOf(row) })
