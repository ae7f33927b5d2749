import type { Address } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import { recordFailure, recordSuccess, triesOf } from '../../platform/jobs/row-tries.ts'
import type { DueRow } from '../../platform/jobs/sweep.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { log } from '../../core/log.ts'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { isDatabaseDown, isLeaseLost, isSuspensionRefused } from '../../db/errors.ts'
import { crashPoint } from '../../core/crash.ts'
import { MAX_GAS_PER_MINT, weiOfGwei } from '../../core/gas.ts'
import { isLaneRecovering } from '../../orders/recovering.ts'
import { laneBehind } from '../recovery/compare-lanes.ts'
import { broadcastTogether } from './broadcast-bytes.ts'
import { choosePayable, chooseWithinBudgets, type ReadyRow } from './choose-payable.ts'
import { cappedFees, feeCapGwei } from './fees.ts'
import { alarmOperatorLow, type Lane, laneOf, maxInFlight } from './lane.ts'
import { makeReady, type Round, splitInHalf } from './make-ready.ts'
import { findEachSending, requestsOf, type SendingRow } from './sending-row.ts'
import { signFirst } from './sign-transaction.ts'
import { waitingTransactions } from './waiting-transactions.ts'

/**
 * changed: rows were decided or split without being sent. idle: nothing to send. full: enough is in flight. short: what
 * waits costs more than the balance covers, or a gas budget.
 */
export type Submission = 'sent' | 'changed' | 'idle' | 'full' | 'short'

const SENDING = 'send transaction'
/** How many calls a node simulates for us at once. */
const SIMULATIONS_AT_ONCE = 64

/**
 * Sends the next waiting transactions of one operator on one network: as many as may be in flight. What they share is
 * asked of the node once, they are simulated at the same time, signed in one database transaction in the order of their
 * ids, and broadcast together.
 */
export async function submitNext(worker: SystemContext, chain: Chain, operator: Address): Promise<Submission> {
  const networkId = chain.network.id
  let waiting = await waitingTransactions(worker, chain, operator)
  if (waiting.length === 0 || (await isLaneRecovering(worker, networkId, operator))) return 'idle'
  const suggested = chain.fees()
  suggested.catch(() => undefined) // Where the lane is behind, nobody waits for it.
  const lane = await laneOf(worker, chain, operator)
  if (lane.isBehind) {
    await laneBehind(worker, chain, operator, lane.mined)
    return 'idle'
  }
  const free = maxInFlight(networkId) - lane.inFlight
  const room = lane.isBlocked || lane.isGap ? Math.max(free, 1) : free
  if (room <= 0) return 'full'
  const fees = cappedFees(await suggested, weiOfGwei(feeCapGwei(networkId)))
  const { isGap } = lane
  const round = {
    chain,
    operator,
    fees,
    isGap,
    hasCode: askOnce(async (address) => (await chain.code(address)) !== null),
  }
  let isShort = false
  while (waiting.length > 0) {
    const due = await findDue(worker, waiting)
    for (let at = 0; at < due.length; at += room) {
      const outcome = await submitTogether(worker, round, lane, due.slice(at, at + room))
      if (outcome === 'passed_over') isShort = true
      else if (outcome !== 'not_ready') return outcome
    }
    waiting = await waitingTransactions(worker, chain, operator, waiting.at(-1)!.id)
  }
  return isShort ? 'short' : 'idle'
}

/** Makes `ask` ask once for each address, and give the first answer from then on. */
function askOnce(ask: (address: Address) => Promise<boolean>): (address: Address) => Promise<boolean> {
  const asked = new Map<Address, Promise<boolean>>()
  return (address) => {
    const known = asked.get(address) ?? ask(address)
    asked.set(address, known)
    return known
  }
}

/** A waiting row, and how often it has failed. */
type Due = DueRow & { attempts: number }

async function findDue(worker: SystemContext, rows: readonly DueRow[]): Promise<Due[]> {
  const tries = await triesOf(worker, SENDING, rows)
  return rows
    .filter(({ id }) => (tries.get(id)?.nextTryAt ?? worker.now()) <= worker.now())
    .map((row) => ({ ...row, attempts: tries.get(row.id)?.attempts ?? 0 }))
}

/**
 * One transaction that waits for a node that doesn't answer holds up no other; only when none is left is that an error.
 * passed_over: nothing was sent, and some cost too much, so that the next ones are looked at.
 */
async function submitTogether(
  worker: SystemContext,
  round: Round,
  lane: Lane,
  rows: readonly Due[],
): Promise<Submission | 'not_ready' | 'passed_over'> {
  const { chain, operator } = round
  const loaded = await closeAndLoad(worker, rows)
  crashPoint('transaction_closed')
  const simulating = limitConcurrency(SIMULATIONS_AT_ONCE)
  const made = await forEach(worker, rows, (row) =>
    simulating(async () => {
      const open = loaded.get(row.id)
      return open ? makeReady(worker, round, open) : 'not_ready'
    }),
  )
  await forgetFailures(
    worker,
    made.done.flatMap(({ row, result }) => (typeof result === 'string' ? row : [])),
  )
  for (const { row, result } of made.done)
    if (result === 'changed')
      log.info(requestsOf(loaded.get(row.id)!), 'A waiting transaction was changed instead of sent.')
  const ready = made.done.flatMap(({ row, result }) =>
    typeof result === 'string' ? [] : [{ ...row, row: loaded.get(row.id)!, ready: result }],
  )
  const { affordable, beyond } = await chooseWithinBudgets(worker, chain.network.id, ready)
  // Transactions in flight aren't mined before a gap is filled, so none waits for the coins that they hold.
  const balanceWei = lane.isGap ? lane.spendableWei : lane.balanceWei
  const { paid, passedOver, isHeldUp } = choosePayable(affordable, { ...lane, balanceWei })
  const halved = await splitWhere(worker, beyond)
  await passOver(worker, [...passedOver, ...beyond])
  // An empty one leaves only by itself: another fills the gap as well.
  const others = paid.filter(({ row }) => row.txType !== 'CANCEL')
  const leaving = others.length > 0 ? others : paid.slice(0, 1)
  const signed = await forEach(worker, leaving, (row) => signFirst(worker, chain, operator, lane.mined, row.ready))
  await forgetFailures(
    worker,
    signed.done.map(({ row }) => row),
  )
  const stored = signed.done.flatMap(({ result }) => result ?? [])
  if (stored.length > 0) {
    crashPoint('after_storing')
    await broadcastTogether(worker, chain, stored)
    crashPoint('after_broadcasting')
    for (const { transactionId, hash, nonce } of stored)
      log.info({ ...requestsOf(loaded.get(transactionId)!), hash, nonce }, 'A transaction was sent.')
    return 'sent'
  }
  const unavailable = made.unavailable ?? signed.unavailable
  if (unavailable) throw unavailable
  if (halved || made.done.some(({ result }) => result === 'changed')) return 'changed'
  if (lane.inFlight === 0 && passedOver.some((row) => isLow(row, lane)))
    await alarmOperatorLow(worker, chain.network.id, operator)
  if (isHeldUp) return 'short'
  return passedOver.length + beyond.length > 0 ? 'passed_over' : 'not_ready'
}

/** Whether the balance doesn't cover a single mint of ours. */
const isLow = ({ ready: { fees, dataFeeWei } }: ReadyRow, { balanceWei }: Lane): boolean =>
  balanceWei < MAX_GAS_PER_MINT * fees.maxFeePerGas + dataFeeWei

/** Closes the rows: no mint joins them any more, so what is simulated is what is sent. */
async function closeAndLoad(worker: SystemContext, rows: readonly Due[]): Promise<ReadonlyMap<string, SendingRow>> {
  const ids = rows.map(({ id }) => id)
  await worker.db.transaction.updateMany({
    where: { id: { in: ids }, state: 'PENDING', closedAt: null },
    data: { closedAt: worker.now() },
  })
  return findEachSending(worker, ids, 'PENDING')
}

/** Halves batches that cost more than is left of a gas budget. Whether there were any. */
async function splitWhere(worker: SystemContext, rows: readonly ReadyRow[]): Promise<boolean> {
  const batches = rows.filter(({ ready }) => ready.mints.length > 1)
  for (const { row, ready } of batches) await splitInHalf(worker, row, ready.mints)
  return batches.length > 0
}

/** Notes since when these are passed over, for the alarm (check-operators.ts). They are tried again in each pass. */
async function passOver(worker: SystemContext, rows: readonly ReadyRow[]): Promise<void> {
  const ids = rows.filter(({ row }) => row.passedOverAt === null).map(({ id }) => id)
  if (ids.length === 0) return
  await worker.db.transaction.updateMany({
    where: { id: { in: ids }, state: 'PENDING' },
    data: { passedOverAt: worker.now() },
  })
}

type Attempts<R, T> = { done: { row: R; result: T }[]; unavailable: ChainUnavailable | undefined }

/**
 * Runs `work` for all rows at once. One that fails is tried again later; one that a node didn't answer for is at no
 * fault.
 */
async function forEach<R extends Due, T>(
  worker: SystemContext,
  rows: readonly R[],
  work: (row: R) => Promise<T>,
): Promise<Attempts<R, T>> {
  const attempts: Attempts<R, T> = { done: [], unavailable: undefined }
  const settled = await Promise.allSettled(rows.map(work))
  for (const one of settled)
    if (one.status === 'rejected' && (isDatabaseDown(one.reason) || isLeaseLost(one.reason))) throw one.reason
  for (const [at, one] of settled.entries()) {
    const row = rows[at]!
    if (one.status === 'fulfilled') attempts.done.push({ row, result: one.value })
    else if (one.reason instanceof ChainUnavailable) attempts.unavailable = one.reason
    else if (!isSuspensionRefused(one.reason)) {
      log.error({ error: one.reason as unknown, id: row.id }, 'A waiting transaction can’t be sent.')
      await recordFailure(worker, SENDING, row, { earlier: row.attempts, error: one.reason })
    }
  }
  return attempts
}

async function forgetFailures(worker: SystemContext, rows: readonly Due[]): Promise<void> {
  for (const row of rows) if (row.attempts > 0) await recordSuccess(worker, SENDING, row, row.attempts)
}
