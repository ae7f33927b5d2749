import type { Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'

export type VoucherListing = { id: string; title: string }

const MOST = 100

const found = (which: string) => `SELECT l.id, coalesce(i.attributes ->> 'title', c.name) AS title
  FROM listings l JOIN collections c ON c.organization_id = l.organization_id AND c.id = l.collection_id
    LEFT JOIN items i ON i.id = l.item_id
  WHERE l.organization_id = $1::uuid AND ${which} ORDER BY l.id DESC LIMIT ${MOST}`

const SELLING: Statement = {
  name: 'listings_by_voucher',
  text: found("l.status IN ('SCHEDULED', 'ACTIVE') AND 'MINT_VOUCHER' = ANY (l.payment_providers)"),
}
const STOPPED: Statement = {
  name: 'listings_paused_for_payout',
  text: found("l.paused_for_payout AND l.status = 'PAUSED'"),
}

/** The listings that pause when the payout address is removed, the newest hundred. */
export const findVoucherListings = (ctx: Context) => ctx.rows<VoucherListing>(SELLING, ctx.organizationId)

/** The listings that paused when the payout address was removed and weren't put on sale again, the newest hundred. */
export const findStoppedListings = (ctx: Context) => ctx.rows<VoucherListing>(STOPPED, ctx.organizationId)
