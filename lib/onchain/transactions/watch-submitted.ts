import type { Address, Hex } from 'viem'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { askSeveral, enoughOf } from './agreed-answer.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { secondsFrom } from '../../core/clock.ts'
import { advanceMints } from '../mints/advance-mint.ts'
import { advanceTransfer } from '../transfers/advance-transfer.ts'
import { advanceTransaction } from './advance-transaction.ts'
import { type Broadcast, broadcastTogether, isDue } from './broadcast-bytes.ts'
import { COMPLETED_TOGETHER, completeTogether, mayBeCompletedTogether } from './complete-together.ts'
import { fillGap } from './fill-gap.ts'
import { findSubmitted, leaveUndoneBlocks, type Passed } from './find-submitted.ts'
import { isRefusedForLong } from './lane.ts'
import { raiseFees, replaceByEmpty, signWithNewGas } from './replace-bytes.ts'
import { currentBytes, findSending, type SignedRow, type WatchedRow } from './sending-row.ts'
import { findMined, type Mined } from './agreed-receipt.ts'
import { applyReceipt } from './apply-receipt.ts'
import { sweepOnChain } from './sweep-on-chain.ts'
import { stepBackReorged } from './step-back.ts'
import { makeFinal } from './make-final.ts'
import { type Tip, tipOf } from './tip.ts'

/** The facts about a network that one process remembers between passes. Losing them only costs another look. */
export type Watch = {
  /** The last head seen: another hash at its height means a reorg. */
  head: { number: bigint; hash: Hex } | null
  /** Whether everything that the last reorg undid was moved back. Where not, the next pass tries again. */
  isSteppedBack: boolean
  /**
   * Transactions whose nonce was used by none of their hashes: in how many passes in a row, and the head of the first.
   */
  usedNonces: Map<string, { passes: number; since: bigint }>
  /** Lanes with a nonce that none of their transactions has: in how many passes in a row. */
  gaps: Map<string, number>
  /** How far the last pass came among those that lie deep enough. */
  passed: Passed
}

export const newWatch = (): Watch => ({
  head: null,
  isSteppedBack: true,
  usedNonces: new Map(),
  gaps: new Map(),
  passed: null,
})

/** The lane's first transaction waits this long at one price. */
const STUCK_SECONDS = 30
/** A node may know a nonce before the receipt: what it repeats is asked of others. */
const PASSES_TO_CONFIRM = 3
const WATCHING = { kind: 'watch transaction', failure: 'A submitted transaction can’t be looked after.' } as const

/**
 * One pass over what may have changed of all that we sent on a network: applies receipts, sends again what a reorg
 * undid, and raises the fees of what is stuck.
 */
export async function watchSubmitted(worker: SystemContext, chain: Chain, watch: Watch): Promise<void> {
  const tip = await tipOf(chain)
  const lastHead = await lookFor(chain, watch.head)
  if (lastHead !== 'there') watch.usedNonces.clear()
  if (lastHead !== 'there' || !watch.isSteppedBack) {
    const isSteppedBack = await stepBackReorged(worker, chain)
    watch.isSteppedBack = (await leaveUndoneBlocks(worker, chain)) && isSteppedBack
  }
  const { rows, passed } = await findSubmitted(worker, chain, tip, watch.passed)
  const nonces = await minedNonces(chain, rows)
  // Nonces were read before receipts, so a used nonce without a receipt wasn't mined in between.
  const found = await Promise.all(rows.map((row) => findMined(chain, row)))
  const seen = rows.map((row, at) => ({ ...row, mined: found[at] ?? null, minedNonce: nonces.get(row.operator!)! }))
  const plain = seen.filter((row) => mayBeCompletedTogether(chain.network, row, row.mined, tip))
  const waiting = seen.filter((row) => !row.mined && row.nonce! >= row.minedNonce)
  const others = seen.filter((row) => !plain.includes(row) && !waiting.includes(row))
  const pass = { worker, chain, watch, tip }
  await sweepOnChain(worker, WATCHING, plain, (row) => completeRow(pass, row), { concurrency: COMPLETED_TOGETHER })
  await sweepOnChain(worker, WATCHING, others, (row) => watchRow(pass, row))
  const answers = await broadcastDue(worker, chain, waiting)
  await sweepOnChain(worker, WATCHING, waiting, (row) => keepWaiting(pass, row, answers.get(row.id)))
  await lookForGaps(pass, waiting)
  await makeFinal(worker, chain, tip)
  // Kept where the node is behind: above an older head, a reorg would go unnoticed.
  if (!watch.head || lastHead === 'gone' || tip.head.number >= watch.head.number)
    watch.head = { number: tip.head.number, hash: tip.head.hash }
  watch.passed = passed
}

/**
 * A transaction as one pass sees it: which of its bytes were mined, and below which nonce its operator's transactions
 * were.
 */
type Seen = WatchedRow & { mined: Mined | null; minedNonce: number }
type Pass = { worker: SystemContext; chain: Chain; watch: Watch; tip: Tip }

/**
 * Whether the last head is still on the chain. unknown: none is known after a start, or the node is behind it.
 * Everything is checked unless it is there.
 */
async function lookFor(chain: Chain, head: Watch['head']): Promise<'there' | 'gone' | 'unknown'> {
  if (!head) return 'unknown'
  const found = await chain.block(head.number)
  if (found?.hash === head.hash) return 'there'
  return found || chain.network.finality === 'never' ? 'gone' : 'unknown'
}

async function minedNonces(chain: Chain, rows: readonly WatchedRow[]): Promise<Map<string, number>> {
  const operators = [...new Set(rows.map((row) => row.operator!))]
  return new Map(
    await Promise.all(
      operators.map(async (operator) => [operator, await chain.nonce(operator as Address, 'latest')] as const),
    ),
  )
}

async function completeRow(pass: Pass, row: Seen): Promise<void> {
  if (!(await completeTogether(pass.worker, row, row.mined!))) return watchRow(pass, row)
  pass.watch.usedNonces.delete(row.id)
}

/**
 * Fills the next nonce of a lane where nothing is signed for it for some passes: what else waited would have taken it.
 */
async function lookForGaps({ worker, watch }: Pass, waiting: readonly Seen[]): Promise<void> {
  const lowest = new Map<string, Seen>()
  for (const row of waiting)
    if (row.nonce! < (lowest.get(row.operator!)?.nonce ?? Infinity)) lowest.set(row.operator!, row)
  for (const operator of watch.gaps.keys()) if (!lowest.has(operator)) watch.gaps.delete(operator)
  for (const [operator, above] of lowest) {
    const passes = above.nonce! > above.minedNonce ? (watch.gaps.get(operator) ?? 0) + 1 : 0
    watch.gaps.set(operator, passes)
    if (passes >= PASSES_TO_CONFIRM) await fillGap(worker, above, above.minedNonce)
  }
}

/** Its nonce is used: by its own bytes, or by others. */
async function watchRow({ worker, chain, watch, tip }: Pass, row: Seen): Promise<void> {
  if (!row.mined) return handleUsedNonce(worker, chain, watch, tip, row)
  watch.usedNonces.delete(row.id)
  const full = await findSending(worker, row.id)
  if (full?.state === 'SUBMITTED') await applyReceipt(worker, chain, full, row.mined, tip)
}

/**
 * Asks several nodes about a nonce that one node calls used. own: a node has a receipt of the row's bytes. others: two
 * nodes, or the only node there is, say that the nonce was used up to the final block, and none has such a receipt.
 * Only this lets the row be sent again.
 */
async function usedBy(chain: Chain, row: WatchedRow, finalTo: bigint): Promise<'others' | 'own' | 'unsure'> {
  const answers = await askSeveral(chain, async (node) => {
    // The nonce before the receipts, as above.
    const minedNonce = await node.nonce(row.operator as Address, finalTo)
    return { isUsed: row.nonce! < minedNonce, mined: await findMined(node, row) }
  })
  if (answers.some(({ mined }) => mined)) return 'own'
  return answers.filter(({ isUsed }) => isUsed).length >= enoughOf(answers) ? 'others' : 'unsure'
}

/**
 * Its nonce was used by another transaction: a foreign one, or one of ours that shared it. Once that is final, and
 * several nodes say it, none of its bytes can be mined any more, and the row waits for another nonce. They are asked
 * once the block is final in which it was seen first.
 */
async function handleUsedNonce(
  worker: SystemContext,
  chain: Chain,
  watch: Watch,
  { head, finalTo }: Tip,
  watched: WatchedRow,
): Promise<void> {
  const { passes, since } = watch.usedNonces.get(watched.id) ?? { passes: 0, since: head.number }
  watch.usedNonces.set(watched.id, { passes: passes + 1, since })
  if (passes + 1 < PASSES_TO_CONFIRM || finalTo < since) return
  const by = await usedBy(chain, watched, finalTo)
  if (by === 'unsure') return
  watch.usedNonces.delete(watched.id)
  if (by === 'own') return
  const row = await findSending(worker, watched.id)
  if (row?.state !== 'SUBMITTED') return
  const { networkId, operator, nonce } = row
  const isShared =
    (await worker.db.transaction.count({
      where: { id: { not: row.id }, networkId, operator, nonce, blockNumber: { not: null } },
    })) > 0
  await withinTransaction(worker, row.organizationId, async (tx) => {
    if (!isShared) {
      const detail =
        `The nonce ${row.nonce} of ${row.operator} on network ${row.networkId} was used by a ` +
        'transaction that isn’t ours.'
      await raiseAlarm(tx, 'nonce_taken', `${row.networkId}:${row.operator}:${row.nonce}`, detail)
    }
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
    await advanceTransfer(tx, row, 'PENDING', { txHash: null })
  })
}

/** Which of its bytes a transaction that isn't mined goes by. */
function bytesOf(row: WatchedRow): { all: SignedRow[]; current: SignedRow | undefined } {
  const all = currentBytes(row)
  return { all, current: all.find((signed) => signed.hash === row.txHash) ?? all.at(-1) }
}

const wantsEmpty = (row: WatchedRow, all: readonly SignedRow[]): boolean =>
  row.cancelRequestedAt !== null && !all.some((signed) => signed.cancels)

/**
 * Broadcasts bytes that are due and not to be replaced, together and in the order of their nonces. Returns the answers
 * by transaction.
 */
async function broadcastDue(
  worker: SystemContext,
  chain: Chain,
  rows: readonly Seen[],
): Promise<ReadonlyMap<string, Broadcast>> {
  const due = rows.flatMap((row) => {
    const { all, current } = bytesOf(row)
    const isReplaced = !current || wantsEmpty(row, all) || isStuck(worker, row, current)
    return isReplaced || !isDue(worker, current) ? [] : current
  })
  const answers = await broadcastTogether(worker, chain, due)
  return new Map(due.map(({ id, transactionId }) => [transactionId, answers.get(id)!]))
}

/** Not mined: its bytes were broadcast again where they were due, and are replaced where needed. */
async function keepWaiting({ worker, chain, watch }: Pass, row: Seen, answer: Broadcast | undefined): Promise<void> {
  watch.usedNonces.delete(row.id)
  const { all, current } = bytesOf(row)
  if (!current) return
  if (row.blockNumber !== null)
    await worker.db.transaction.updateMany({
      where: { id: row.id, state: 'SUBMITTED' },
      data: { blockNumber: null, blockHash: null },
    })
  if (wantsEmpty(row, all)) return replaceByEmpty(worker, chain, row, current)
  if (isStuck(worker, row, current)) return raiseFees(worker, chain, row, current)
  // Bytes that were refused for long may share their nonce with another transaction, and don't outbid it.
  if (answer?.outcome === 'underpriced' && !isRefusedForLong(worker, current))
    return raiseFees(worker, chain, row, current)
  if (answer?.outcome === 'refused') return signWithNewGas(worker, chain, row, current)
}

const isStuck = (worker: SystemContext, row: Seen, current: SignedRow): boolean =>
  row.nonce === row.minedNonce &&
  current.broadcastAt !== null &&
  current.refusedAt === null &&
  current.createdAt < secondsFrom(worker.now(), -STUCK_SECONDS)
