import type { Input } from '../../platform/api/endpoint.ts'
import type { choosePurchaseLocale as endpoint } from '../../platform/api/locale-choices.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { localeGiven } from '../../core/locale-given.ts'

/** Claims before the purchase, as all locks. */
const CHOOSE_FOR_CLAIMS: Statement = {
  name: 'choose_locale_of_bought_claims',
  text: `UPDATE email_claims e SET locale = $3::text, updated_at = $4::timestamptz
    FROM (SELECT id FROM email_claims WHERE purchase_intent_id = $2::uuid AND locale IS DISTINCT FROM $3::text
        ORDER BY id FOR NO KEY UPDATE) c
    WHERE e.organization_id = $1::uuid AND e.id = c.id`,
}

const CHOOSE: Statement = {
  name: 'choose_purchase_locale',
  text: `UPDATE purchase_intents SET locale = $3::text, updated_at = $4::timestamptz
    WHERE organization_id = $1::uuid AND id = $2::uuid AND locale IS DISTINCT FROM $3::text`,
}

/**
 * Records the language that the buyer chose, for the purchase and its claims. Throws `invalid_request` for one that we
 * don't speak.
 */
export async function choosePurchaseLocale(
  ctx: Context,
  id: string,
  body: Input<typeof endpoint>['body'],
): Promise<undefined> {
  const locale = localeGiven(body.locale)
  await inTransaction(ctx, async (tx) => {
    await tx.later(CHOOSE_FOR_CLAIMS, tx.organizationId, id, locale, tx.now())
    await tx.later(CHOOSE, tx.organizationId, id, locale, tx.now())
  })
  return undefined
}
