import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { MINT_COLUMNS, type MintRow, mintOf } from './show-mint.ts'

const MAX_SHOWN = 100

/** Mint requests with the types of their transactions. */
const mintsWhere = (name: string, condition: string): Statement => ({
  name,
  text: `SELECT ${MINT_COLUMNS}, jsonb_build_object('txType', t.tx_type) AS transaction
    FROM mint_requests m JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.transaction_id
    WHERE m.organization_id = $1::uuid AND ${condition} ORDER BY m.id LIMIT ${MAX_SHOWN}`,
})
const BY_ID = mintsWhere('mint_request_by_id', 'm.id = $2::uuid')
const CARRIED = mintsWhere('mint_requests_carried', 'm.transaction_id = $2::uuid')
const CARRIED_EVER = mintsWhere(
  'mint_requests_carried_ever',
  `m.id = ANY (ARRAY(SELECT id FROM mint_requests WHERE organization_id = $1::uuid AND transaction_id = $2::uuid
    UNION SELECT mint_requests_moved_from($2::uuid)))`,
)

/**
 * Finds a mint request by its own id, or by that of a transaction that carries or carried it; with all others on that
 * transaction.
 */
export async function getMint(ctx: Context, id: string) {
  const mintsBy = (statement: Statement, value: string) => ctx.rows<MintRow>(statement, ctx.organizationId, value)
  const [riding, [own]] = await Promise.all([mintsBy(CARRIED_EVER, id), mintsBy(BY_ID, id)])
  const found = riding[0] ?? own
  if (!found) throw notFound()
  const others = riding.length > 0 ? riding : await mintsBy(CARRIED, found.transactionId)
  return { ...mintOf(found), mint_requests: others.map(mintOf) }
}
