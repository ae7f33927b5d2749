import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { type SystemContext, inTransaction } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { asChainFact } from '../../stock/advance-hold.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { openEscrows } from '../escrows/open-escrows.ts'
import { updateCustody } from './update-custody.ts'
import { reconcileHolds } from './reconcile-holds.ts'

/**
 * Records this process's operators as ours on a network, permanently: removing a key later changes no record. Tokens
 * that one of them owned before come into custody. What they sent before isn't ours, so each lane begins at its nonce.
 * Safe to repeat; the indexer waits meanwhile.
 */
export async function rememberOperators(worker: SystemContext, chain: Chain): Promise<void> {
  const { id: networkId } = chain.network
  const operators = [...worker.ports.keys.operators]
  const nonces = await Promise.all(operators.map((operator) => chain.nonce(operator, 'latest')))
  await inTransaction(worker, async (tx) => {
    await tx.sql(Prisma.sql`SELECT 1 FROM chain_cursors WHERE network_id = ${networkId} FOR UPDATE`)
    await tx.sql(Prisma.sql`
      INSERT INTO operator_lanes (network_id, operator, next_nonce, updated_at)
      SELECT ${networkId}, operator, nonce, ${tx.now()}
      FROM unnest(${operators}::text[], ${nonces}::int[]) AS o(operator, nonce) ON CONFLICT DO NOTHING`)
    const owned = await tx.sql<{ id: string }>(Prisma.sql`
      SELECT i.id::text FROM item_owners o JOIN items i ON i.id = o.item_id JOIN collections c ON c.id = i.collection_id
      WHERE o.address = ANY(${operators}::text[]) AND c.network_id = ${networkId} AND i.kept_by IS NULL ORDER BY i.id`)
    const itemIds = owned.map(({ id }) => id)
    await lockItemRows(tx, itemIds)
    await asChainFact(tx, async () => {
      const { came } = await updateCustody(tx, itemIds)
      await openEscrows(tx, await lastTransfersOf(tx, came), new Map())
      await reconcileHolds(tx, came, { restore: true })
    })
  })
}

const TRANSFER = columns('h', 'ItemHistory', ['itemId', 'fromAddress', 'toAddress', 'txHash', 'logIndex'])

/** The moves that brought these items' tokens where they are. */
const lastTransfersOf = (tx: SystemContext, itemIds: readonly string[]) =>
  tx.sql<RowOf<typeof TRANSFER> & { itemId: string }>(Prisma.sql`
    SELECT DISTINCT ON (h.item_id) ${Prisma.raw(TRANSFER)}
    FROM item_history h WHERE h.item_id = ANY(${[...itemIds]}::uuid[]) AND h.type = 'TRANSFER'
    ORDER BY h.item_id, h.id DESC`)
