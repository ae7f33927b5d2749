import type { Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { DueRow } from '../../platform/jobs/sweep.ts'
import type { Chain, Network } from '../../ports/chain/chain.ts'
import { MAX_MINTS_PER_TRANSACTION } from '../mints/request-together.ts'
import { senderOf } from './sender-of.ts'

const PAGE = 100
/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000'
/**
 * While a collection's batch is in flight or about to leave, the next one gathers for this long, unless it is full:
 * fewer, cheaper transactions, and longer consecutive batches.
 */
const GATHER_MS = 500

/**
 * A token is handed over once its arrival is confirmed. A token whose mint a reorg undid arrives again with that mint:
 * until then the transfer waits.
 */
const hasArrived = ({ id, confirmations }: Network) => Prisma.sql`
  coalesce((SELECT max(h.block_number) FROM item_history h WHERE h.item_id = (t.payload->>'item_id')::uuid), -1)
    <= (SELECT k.number FROM chain_cursors k WHERE k.network_id = ${id}) - ${confirmations} + 1
  AND NOT EXISTS (
    SELECT 1 FROM items i JOIN mint_requests m ON m.organization_id = i.organization_id AND m.item_id = i.id
    WHERE i.id = (t.payload->>'item_id')::uuid AND i.minted = 0 AND m.transaction_id <> t.id
      AND m.state IN ('WAITING', 'SUBMITTED', 'COMPLETED'))`

/**
 * The next transactions that this operator is to send, after one of them. Nothing is sent before its contract is
 * deployed, and nothing of what is suspended, except that vouchers are cancelled and gaps filled. A signed transfer
 * whose deadline has passed waits for its end (expire-transfers.ts).
 */
export async function waitingTransactions(
  worker: SystemContext,
  chain: Chain,
  operator: Address,
  after = NIL,
): Promise<DueRow[]> {
  const gathering = new Date(worker.now().getTime() - GATHER_MS)
  return worker.sql<DueRow>(Prisma.sql`
    SELECT t.id::text, t.organization_id::text AS "organizationId"
    FROM transactions t JOIN collections c ON c.id = t.collection_id
    WHERE t.network_id = ${chain.network.id} AND t.state = 'PENDING' AND t.id > ${after}::uuid
      AND (t.tx_type IN ('DEPLOY_TOKEN_CONTRACT', 'CANCEL') OR c.deployment_status = 'SUCCESS')
      AND NOT (t.tx_type = 'ADMIN_MINT' AND t.closed_at IS NULL AND t.mint_count < ${MAX_MINTS_PER_TRANSACTION}
        AND t.created_at > ${gathering} AND (EXISTS (
          SELECT 1 FROM transactions o WHERE o.collection_id = t.collection_id AND o.network_id = t.network_id
            AND o.tx_type = 'ADMIN_MINT' AND o.state = 'SUBMITTED' AND o.block_number IS NULL)
        OR EXISTS (
          SELECT 1 FROM transactions o WHERE o.collection_id = t.collection_id AND o.network_id = t.network_id
            AND o.tx_type = 'ADMIN_MINT' AND o.state = 'PENDING' AND o.id < t.id)))
      AND (t.tx_type <> 'TRANSFER_TOKEN' OR (${hasArrived(chain.network)}))
      AND (t.tx_type <> 'SIGNED_TRANSFER' OR EXISTS (
        SELECT 1 FROM signed_transfers s WHERE s.organization_id = t.organization_id AND s.transaction_id = t.id
          AND s.deadline >= ${Math.floor(worker.now().getTime() / 1000)}))
      AND (t.tx_type IN ('CANCEL_VOUCHER', 'CANCEL') OR NOT is_suspended(t.organization_id, t.collection_id))
      AND ${senderOf(worker)} = ${operator}
    ORDER BY t.id LIMIT ${PAGE}`)
}
