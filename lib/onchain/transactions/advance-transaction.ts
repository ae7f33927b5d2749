import { Prisma, type OnChainStatus, type TransactionState } from '../../../generated/prisma/client.ts'
import { advanceRows, stateTable } from '../../records/audit/advance-rows.ts'
import type { Context } from '../../platform/auth/context.ts'

/**
 * The states of a transaction. SUBMITTED → PENDING: its nonce was used by a foreign transaction, and it waits for
 * another. PENDING → COMPLETED: an earlier transaction of ours had carried it out. Back to SUBMITTED: a reorg undid its
 * block.
 */
const TRANSACTION = stateTable<TransactionState>('transaction', 'transaction.advanced', {
  PENDING: ['SUBMITTED', 'COMPLETED', 'CANCELLED', 'FAILED'],
  SUBMITTED: ['COMPLETED', 'CANCELLED', 'FAILED', 'PENDING'],
  COMPLETED: ['SUBMITTED'],
  CANCELLED: ['SUBMITTED'],
  FAILED: ['SUBMITTED'],
})

export type TransactionChange = Omit<Prisma.TransactionUncheckedUpdateManyInput, 'id' | 'organizationId' | 'state'>

type Row = { id: string; state: TransactionState }

/** Moves a transaction one step. Of two callers racing for the same step one wins, the other gets `conflict`. */
export async function advanceTransaction(
  tx: Context,
  row: Row,
  to: TransactionState,
  change: TransactionChange = {},
): Promise<void> {
  const { id, state } = row
  const write = () => tx.db.transaction.updateMany({ where: { id, state }, data: { ...change, state: to } })
  await advanceRows(tx, TRANSACTION, [row], to, write, () => factsOf(change))
}

/** A waiting transaction and what was signed for it. `gasCostWei`: the most that it can cost. */
type Submitted = { row: Row; nonce: number; txHash: string; gasCostWei: string }

/**
 * Records of waiting transactions that they were signed for this operator: as many statements for a hundred as for one.
 */
export async function submitTransactions(tx: Context, operator: string, signed: readonly Submitted[]): Promise<void> {
  const write = () =>
    tx.sql(Prisma.sql`
    UPDATE transactions t SET state = 'SUBMITTED', operator = ${operator}, nonce = n.nonce, tx_hash = n.tx_hash,
      gas_cost_wei = n.gas_cost_wei,
      submitted_at = ${tx.now()}, passed_over_at = NULL, failure = NULL, updated_at = ${tx.now()}
    FROM unnest(
      ${signed.map(({ row }) => row.id)}::uuid[],
      ${signed.map(({ nonce }) => nonce)}::int[],
      ${signed.map(({ txHash }) => txHash)}::text[],
      ${signed.map(({ gasCostWei }) => gasCostWei)}::text[]::numeric[]
    ) AS n(id, nonce, tx_hash, gas_cost_wei)
    WHERE t.id = n.id AND t.state = 'PENDING' RETURNING t.id::text`)
  const rows = signed.map(({ row: { id, state }, nonce, txHash }) => ({ id, state, nonce, txHash }))
  await advanceRows(tx, TRANSACTION, rows, 'SUBMITTED', write, factsOf)
}

/** Where a transaction was mined, by its receipt. */
export type Place = { txHash: string; blockNumber: bigint; blockHash: string; gasUsed: bigint; gasCostWei: string }

type Completed = { row: Row; place: Place; onChainStatus: OnChainStatus; failure: string | null }

/**
 * Records of submitted transactions that they were mined and are confirmed: as many statements for a hundred as for
 * one.
 */
export async function completeTransactions(tx: Context, mined: readonly Completed[]): Promise<void> {
  const write = () =>
    tx.sql(Prisma.sql`
    UPDATE transactions t SET state = 'COMPLETED', on_chain_status = n.on_chain_status, failure = nullif(n.failure, ''),
      tx_hash = n.tx_hash,
      block_number = n.block_number, block_hash = n.block_hash, gas_used = n.gas_used, gas_cost_wei = n.gas_cost_wei,
      completed_at = ${tx.now()}, updated_at = ${tx.now()}
    FROM unnest(
      ${mined.map(({ row }) => row.id)}::uuid[],
      ${mined.map(({ row }) => row.state)}::text[]::"TransactionState"[],
      ${mined.map(({ onChainStatus }) => onChainStatus)}::text[]::"OnChainStatus"[],
      ${mined.map(({ failure }) => failure ?? '')}::text[],
      ${mined.map(({ place }) => place.txHash)}::text[],
      ${mined.map(({ place }) => String(place.blockNumber))}::text[]::bigint[],
      ${mined.map(({ place }) => place.blockHash)}::text[],
      ${mined.map(({ place }) => String(place.gasUsed))}::text[]::bigint[],
      ${mined.map(({ place }) => place.gasCostWei)}::text[]::numeric[]
    ) AS n(id, state, on_chain_status, failure, tx_hash, block_number, block_hash, gas_used, gas_cost_wei)
    WHERE t.id = n.id AND t.state = n.state RETURNING t.id::text`)
  const rows = mined.map(({ row: { id, state }, failure, place: { txHash } }) => ({ id, state, failure, txHash }))
  await advanceRows(tx, TRANSACTION, rows, 'COMPLETED', write, factsOf)
}

/** The facts of a step that the audit log has besides its states. */
const factsOf = ({ failure, txHash, nonce }: Pick<TransactionChange, 'failure' | 'txHash' | 'nonce'>) => ({
  ...(failure && { failure }),
  ...(txHash && { tx_hash: txHash }),
  ...(nonce !== undefined && { nonce }),
})
