import type { Address, Hex } from 'viem'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { withinTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { secondsFrom } from '../../core/clock.ts'
import { log } from '../../core/log.ts'
import { advanceMints } from '../mints/advance-mint.ts'
import { advanceTransaction } from './advance-transaction.ts'
import { broadcastBytes } from './broadcast-bytes.ts'
import { raiseFees, replaceByEmpty, replaceRefused } from './replace-bytes.ts'
import { currentBytes, findSending, type SignedRow, WATCHED, type WatchedRow } from './sending-row.ts'
import { type Mined, applyReceipt } from './apply-receipt.ts'
import { stepBackReorged } from './step-back.ts'
import { makeFinal } from './make-final.ts'
import { type Tip, tipOf } from './tip.ts'

/** What one process remembers of a network between passes. Losing it only costs another look. */
export type Watch = {
  /** The last head seen: another hash at its height means a reorg. */
  head: { number: bigint; hash: Hex } | null
  /** Transactions whose nonce was used by none of our hashes, with the number of passes in a row. */
  foreignNonces: Map<string, number>
}

export const newWatch = (): Watch => ({ head: null, foreignNonces: new Map() })

/** Bytes that aren't mined are broadcast again this often, since nodes forget. */
const REBROADCAST_SECONDS = 5
/** The lane's first transaction waits this long at one price. */
const STUCK_SECONDS = 30
/** A node may know a nonce before the receipt: only what it repeats is believed. */
const PASSES_TO_CONFIRM = 3
const MAX_ROWS = 500

/**
 * One pass over everything we sent on a network: applies receipts, sends again what a reorg undid, and raises the fees
 * of what is stuck.
 */
export async function watchSubmitted(worker: WorkerContext, chain: Chain, watch: Watch): Promise<void> {
  const tip = await tipOf(chain)
  if (await mayHaveReorged(chain, watch)) await stepBackReorged(worker, chain, tip)
  const rows = await worker.db.transaction.findMany({
    where: { networkId: chain.network.id, state: 'SUBMITTED' },
    include: WATCHED,
    orderBy: [{ operator: 'asc' }, { nonce: 'asc' }],
    take: MAX_ROWS,
  })
  const mined = await minedNonces(chain, rows)
  // Nonces were read before receipts, so a used nonce without a receipt wasn't mined in between.
  const found = await Promise.all(rows.map((row) => findMined(chain, row)))
  for (const [at, row] of rows.entries())
    await watchRow(worker, chain, watch, tip, row, found[at] ?? null, mined.get(row.operator!)!)
  await makeFinal(worker, chain, tip)
  watch.head = { number: tip.head.number, hash: tip.head.hash }
}

/** After a start no head is known: everything is checked. */
async function mayHaveReorged(chain: Chain, { head }: Watch): Promise<boolean> {
  if (!head) return true
  const block = await chain.block(head.number)
  return block?.hash !== head.hash
}

async function minedNonces(chain: Chain, rows: readonly WatchedRow[]): Promise<Map<string, number>> {
  const operators = [...new Set(rows.map((row) => row.operator!))]
  return new Map(
    await Promise.all(
      operators.map(async (operator) => [operator, await chain.nonce(operator as Address, 'latest')] as const),
    ),
  )
}

/** The receipt of whichever of our bytes was mined, newest first. */
async function findMined(chain: Chain, row: WatchedRow): Promise<Mined | null> {
  const all = currentBytes(row).reverse()
  const receipts = await Promise.all(all.map((signed) => chain.receipt(signed.hash as Hex)))
  const at = receipts.findIndex(Boolean)
  return at < 0 ? null : { signed: all[at]!, receipt: receipts[at]! }
}

/** An error of one row doesn't stop the others. */
async function watchRow(
  worker: WorkerContext,
  chain: Chain,
  watch: Watch,
  tip: Tip,
  row: WatchedRow,
  mined: Mined | null,
  minedNonce: number,
): Promise<void> {
  try {
    if (mined) {
      watch.foreignNonces.delete(row.id)
      const full = await findSending(worker, row.id)
      return full?.state === 'SUBMITTED' ? await applyReceipt(worker, chain, full, mined, tip) : undefined
    }
    if (row.nonce! < minedNonce) return await handleForeignNonce(worker, chain, watch, tip, row)
    await broadcastAgain(worker, chain, row, minedNonce)
  } catch (error) {
    if ((error as Error).name === 'ChainUnavailable') throw error
    log.error({ error, transaction_id: row.id }, 'A submitted transaction can’t be looked after.')
  }
}

/** Its nonce was used by a foreign transaction. Once that is final, the row waits for another nonce. */
async function handleForeignNonce(
  worker: WorkerContext,
  chain: Chain,
  watch: Watch,
  { finalTo }: Tip,
  watched: WatchedRow,
): Promise<void> {
  const passes = (watch.foreignNonces.get(watched.id) ?? 0) + 1
  watch.foreignNonces.set(watched.id, passes)
  if (passes < PASSES_TO_CONFIRM) return
  if ((await chain.nonce(watched.operator as Address, finalTo)) <= watched.nonce!) return
  watch.foreignNonces.delete(watched.id)
  const row = await findSending(worker, watched.id)
  if (row?.state !== 'SUBMITTED') return
  await withinTransaction(worker, row.organizationId, async (tx) => {
    const detail = `The nonce ${row.nonce} of ${row.operator} on network ${row.networkId} was used by a transaction that isn’t ours.`
    await raiseAlarm(tx, 'nonce_taken', `${row.networkId}:${row.operator}:${row.nonce}`, detail)
    await advanceTransaction(tx, row, 'PENDING', {
      operator: null,
      nonce: null,
      txHash: null,
      blockNumber: null,
      blockHash: null,
      submittedAt: null,
    })
    await advanceMints(
      tx,
      row.mintRequests.filter(({ state }) => state === 'SUBMITTED'),
      'WAITING',
      { txHash: null },
    )
  })
}

/** Not mined: its bytes are broadcast again, and replaced where needed. */
async function broadcastAgain(worker: WorkerContext, chain: Chain, row: WatchedRow, minedNonce: number): Promise<void> {
  const all = currentBytes(row)
  const current = all.find((signed) => signed.hash === row.txHash) ?? all.at(-1)
  if (!current) return
  if (row.blockNumber !== null)
    await worker.db.transaction.updateMany({
      where: { id: row.id, state: 'SUBMITTED' },
      data: { blockNumber: null, blockHash: null },
    })
  if (row.cancelRequestedAt && !all.some((signed) => signed.cancels)) return replaceByEmpty(worker, chain, row, current)
  if (isStuck(worker, row, current, minedNonce)) return raiseFees(worker, chain, row, current)
  if (current.broadcastAt && current.broadcastAt > secondsFrom(worker.now(), -REBROADCAST_SECONDS)) return
  const answer = await broadcastBytes(worker, chain, current)
  if (answer.outcome === 'underpriced') return raiseFees(worker, chain, row, current)
  if (answer.outcome === 'refused') return replaceRefused(worker, chain, row, current, answer.detail)
}

const isStuck = (worker: WorkerContext, row: WatchedRow, current: SignedRow, minedNonce: number): boolean =>
  row.nonce === minedNonce &&
  current.broadcastAt !== null &&
  current.createdAt < secondsFrom(worker.now(), -STUCK_SECONDS)
