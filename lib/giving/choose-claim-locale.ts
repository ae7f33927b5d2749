import type { Input } from '../platform/api/endpoint.ts'
import type { chooseClaimLocale as endpoint } from '../platform/api/locale-choices.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { localeGiven } from '../core/locale-given.ts'
import { linkOf } from './current-claim.ts'

const CHOOSE: Statement = {
  name: 'choose_claim_locale',
  text: `UPDATE email_claims SET locale = $4::text, updated_at = $5::timestamptz
    WHERE organization_id = $1::uuid AND id = $2::uuid AND generation = $3::int AND locale IS DISTINCT FROM $4::text`,
}

/**
 * Records the language that the recipient chose. A link that was replaced changes nothing. Throws `invalid_request` for
 * one that we don't speak.
 */
export async function chooseClaimLocale(ctx: Context, body: Input<typeof endpoint>['body']): Promise<undefined> {
  const locale = localeGiven(body.locale)
  const { id, generation } = linkOf(ctx)
  await inTransaction(ctx, (tx) => tx.rows(CHOOSE, tx.organizationId, id, generation, locale, tx.now()))
  return undefined
}
