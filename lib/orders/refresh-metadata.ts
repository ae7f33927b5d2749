import { type Collection, Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { operatorMayMint } from './operator-may-mint.ts'
import { spendGasBudget } from './gas-budget.ts'
import { openTransaction } from './open-transaction.ts'

type Tokens = { from: string; to: string }

/**
 * Sends the event that makes marketplaces read metadata again (ERC-4906, or `URI` on ERC-1155). Joins a waiting
 * transaction about the same or neighbouring tokens, where there is one.
 */
export async function refreshMetadata(tx: Context, collection: Collection, tokens: Tokens): Promise<void> {
  if (collection.deploymentStatus !== 'SUCCESS' || collection.networkId === null || !operatorMayMint(collection)) return
  if (await joinWaiting(tx, collection.id, tokens)) return
  const gasWei = await spendGasBudget(tx, collection.networkId)
  await openTransaction(tx, {
    collectionId: collection.id,
    networkId: collection.networkId,
    txType: 'UPDATE_METADATA',
    payload: { from_token_id: tokens.from, to_token_id: tokens.to },
    gasWei,
  })
}

/** An ERC-1155 contract names each token: more than these may not fit into a block. */
const MOST_TOGETHER = 100

async function joinWaiting(tx: Context, collectionId: string, { from, to }: Tokens): Promise<boolean> {
  const first = Prisma.sql`(payload->>'from_token_id')::numeric`
  const last = Prisma.sql`(payload->>'to_token_id')::numeric`
  const open = Prisma.sql`tx_type = 'UPDATE_METADATA' AND state = 'PENDING' AND closed_at IS NULL
    AND ${from}::numeric <= ${last} + 1 AND ${to}::numeric >= ${first} - 1
    AND greatest(${to}::numeric, ${last}) - least(${from}::numeric, ${first}) < ${MOST_TOGETHER}`
  const joined = await tx.sql(Prisma.sql`
    UPDATE transactions
    SET payload = jsonb_build_object('from_token_id', least(${from}::numeric, ${first})::text,
        'to_token_id', greatest(${to}::numeric, ${last})::text),
      updated_at = ${tx.now()}
    WHERE id = (SELECT id FROM transactions WHERE collection_id = ${collectionId}::uuid AND ${open} ORDER BY id LIMIT 1)
      AND ${open}
    RETURNING id`)
  return joined.length > 0
}
