import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { isSecretOf } from './purchase-secret.ts'
import type { PurchaseTerms } from './purchase-terms.ts'

/** A purchase, and whether it is the caller's: made by this request, or its secret was shown. */
export type Reserved = { id: string; isOwn: boolean }

/** Whether a purchase `i` is paid with a voucher that can still be used, in SQL. */
export const isOpenVoucherPurchase = (moment: string): string =>
  `i.provider = 'MINT_VOUCHER' AND i.status = 'PENDING' AND i.expires_at > ${moment}`

const FIND: Statement = {
  name: 'find_earlier_purchase',
  text: `SELECT id, quantity, secret_hash AS "secretHash",
      request_key IS NOT DISTINCT FROM $2 AND $2 IS NOT NULL AS "isSame"
    FROM purchase_intents i
    WHERE organization_id = $1::uuid AND (request_key = $2::text
      OR (listing_id = $3::uuid AND buyer_address = $4::text AND ${isOpenVoucherPurchase('$5::timestamptz')}))
    ORDER BY "isSame" DESC, id DESC LIMIT 1`,
}

/**
 * The reservation that this very request made before it died; or the open voucher purchase of the buyer's address.
 * Throws `purchase_open` where that is of another quantity.
 */
export async function findEarlier(
  ctx: Context,
  listingId: string,
  { provider, quantity, buyer }: PurchaseTerms,
  secret: string | null,
): Promise<Reserved | null> {
  const address = provider === 'MINT_VOUCHER' ? buyer.address : null
  if (!ctx.requestKey && !address) return null
  const [row] = await ctx.rows<{ id: string; quantity: bigint; secretHash: Buffer; isSame: boolean }>(
    FIND,
    ctx.organizationId,
    ctx.requestKey ?? null,
    listingId,
    address,
    ctx.now(),
  )
  if (!row) return null
  return row.isSame ? { id: row.id, isOwn: true } : foundOf(row, quantity, secret)
}

/**
 * The open voucher purchase of an address, as the result of another request in the name of that address. Throws
 * `purchase_open` where the request wants another quantity.
 */
export function foundOf(
  { id, quantity, secretHash }: { id: string; quantity: bigint; secretHash: Uint8Array | null },
  wanted: bigint,
  secret: string | null,
): Reserved {
  if (quantity !== wanted)
    throw new AppError(
      'purchase_open',
      'A purchase of another quantity is open for this address. Pay it, let it expire, ' +
        'or close it with a signature of the address.',
      { extra: { purchase_intent_id: id } },
    )
  return { id, isOwn: secret !== null && secretHash !== null && isSecretOf(secretHash, secret) }
}
