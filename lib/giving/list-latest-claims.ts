import type { EmailClaim, MintRequest, Voucher } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { type Delivery, deliveryOf, inactiveReasonOf, type InactiveReason, isRedeemed } from './claim-state.ts'

/** A claim as far as its state in a word needs it. */
type LatestClaim = {
  id: string
  email: string
  created_at: Date
  claimed: boolean
  inactive_reason: InactiveReason | null
  opened_at: Date | null
  last_pin_code_email_sent_at: Date | null
  redeemed_at: Date | null
  delivery: Pick<Delivery, 'state'>
}

type Row = {
  id: string
  email: string
  state: EmailClaim['state']
  generation: number
  created_at: Date
  expires_at: Date | null
  opened_at: Date | null
  last_pin_sent_at: Date | null
  redeemed_at: Date | null
  mint: MintRequest['state'] | null
  voucher: Voucher['state'] | null
}

const LATEST: Statement = {
  name: 'latest_claims',
  text: `
    SELECT c.id::text AS id, c.email, c.state::text AS state, c.generation, c.created_at, c.expires_at, c.opened_at,
      c.last_pin_sent_at, c.redeemed_at,
      (SELECT m.state::text FROM mint_requests m
        WHERE m.organization_id = $1::uuid AND m.claim_id = c.id ORDER BY m.id DESC LIMIT 1) AS mint,
      (SELECT v.state::text FROM vouchers v
        WHERE v.organization_id = $1::uuid AND v.claim_id = c.id ORDER BY v.id DESC LIMIT 1) AS voucher
    FROM (SELECT * FROM email_claims WHERE organization_id = $1::uuid ORDER BY email_claims.id DESC LIMIT $2::int) c
    ORDER BY c.id DESC`,
}

/** The claims that were sent last, in one statement. */
export async function listLatestClaims(ctx: Context, { limit }: { limit: number }): Promise<LatestClaim[]> {
  const rows = await ctx.rows<Row>(LATEST, ctx.organizationId, limit)
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    created_at: row.created_at,
    claimed: isRedeemed(row),
    inactive_reason: inactiveReasonOf({ ...row, expiresAt: row.expires_at }, ctx.now()),
    opened_at: row.opened_at,
    last_pin_code_email_sent_at: row.last_pin_sent_at,
    redeemed_at: row.redeemed_at,
    delivery: { state: deliveryStateOf(row) },
  }))
}

const NOWHERE = { networkId: null, tokenId: null, network: undefined }
const deliveryStateOf = ({ mint, voucher }: Row): Delivery['state'] =>
  deliveryOf(
    NOWHERE,
    mint === null ? undefined : { state: mint, txHash: null, failure: null, transaction: { txHash: null } },
    voucher === null ? undefined : { state: voucher, txHash: null },
  ).state
