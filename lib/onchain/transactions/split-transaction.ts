import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advanceMint, advanceMints } from '../mints/advance-mint.ts'
import { advanceTransaction } from './advance-transaction.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import { type Payload, payloadOf } from '../../orders/payload.ts'
import type { SendingMint, SendingRow } from './sending-row.ts'

/** Moves mints of a batch to a waiting transaction of their own. The old transaction's id still finds them. */
export async function splitWaiting(
  tx: Context,
  row: SendingRow,
  mints: readonly SendingMint[],
  payload: Payload<'ADMIN_MINT'> = {},
): Promise<string> {
  const id = await openBeside(tx, row, mints.length, payload)
  await moveMints(tx, mints, id)
  return id
}

/** Moves one mint that can't be carried out, alone, to a failed transaction of its own. */
export async function splitFailed(tx: Context, row: SendingRow, mint: SendingMint, reason: string): Promise<string> {
  const id = await openBeside(tx, row, 1, {})
  await moveMints(tx, [mint], id)
  // It becomes FAILED in the same database transaction: nobody sees it PENDING.
  await advanceTransaction(tx, { id, state: 'PENDING' }, 'FAILED', {
    failure: reason,
    completedAt: tx.now(),
    gasCostWei: null,
  })
  await advanceMint(tx, mint, 'FAILED', { failure: reason })
  return id
}

/** Moves one mint that an earlier transaction carried out, alone, to a completed transaction of its own. */
export async function splitDelivered(
  tx: Context,
  row: SendingRow,
  mint: SendingMint,
  { txHash, blockNumber }: { txHash: string; blockNumber: bigint },
): Promise<void> {
  const id = await openBeside(tx, row, 1, {})
  await moveMints(tx, [mint], id)
  await advanceTransaction(tx, { id, state: 'PENDING' }, 'COMPLETED', {
    txHash,
    blockNumber,
    onChainStatus: 'SUCCESS',
    completedAt: tx.now(),
    finalAt: tx.now(),
    gasCostWei: null,
  })
  await advanceMint(tx, { ...mint, state: 'WAITING' }, 'COMPLETED', { txHash })
}

/**
 * Closed from the start: later mints of the collection don't join it. What the gas budget counts for its mints moves
 * with them.
 */
async function openBeside(
  tx: Context,
  row: SendingRow,
  mintCount: number,
  payload: Payload<'ADMIN_MINT'>,
): Promise<string> {
  const { collectionId, networkId } = row
  const [share] = await tx.sql<{ wei: Prisma.Decimal | null }>(Prisma.sql`
    UPDATE transactions t SET mint_count = t.mint_count - ${mintCount}, updated_at = ${tx.now()},
      gas_cost_wei = CASE WHEN t.state = 'PENDING' THEN t.gas_cost_wei - b.share ELSE t.gas_cost_wei END
    FROM (SELECT id, trunc(gas_cost_wei * ${mintCount} / greatest(mint_count, 1)) AS share FROM transactions
        WHERE id = ${row.id}::uuid FOR UPDATE) b
    WHERE t.id = b.id RETURNING b.share AS wei`)
  const id = await openTransaction(tx, {
    collectionId,
    networkId,
    ...(row.txType === 'TRANSFER_TOKEN'
      ? { txType: row.txType, payload: payloadOf(row.txType, row.payload) }
      : { txType: 'ADMIN_MINT' as const, payload }),
    mints: { count: mintCount },
    gasWei: BigInt(share?.wei?.toFixed() ?? 0),
    isClosed: true,
  })
  return id
}

async function moveMints(tx: Context, mints: readonly SendingMint[], transactionId: string): Promise<void> {
  await advanceMints(
    tx,
    mints.filter(({ state }) => state === 'SUBMITTED'),
    'WAITING',
    { txHash: null },
  )
  await tx.sql(Prisma.sql`
    UPDATE mint_requests
    SET transaction_id = ${transactionId}::uuid,
      past_transaction_ids = array_append(past_transaction_ids, transaction_id), updated_at = ${tx.now()}
    WHERE id = ANY(${mints.map(({ id }) => id)}::uuid[])`)
}
