import type { Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { withinTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { recordFailure, recordSuccess, triesOf } from '../../platform/jobs/row-tries.ts'
import type { AnyDueRow, DueRow } from '../../platform/jobs/sweep.ts'
import { type Chain, ChainUnavailable, type Network, type Simulation } from '../../ports/chain/chain.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown, isLeaseLost, isSuspensionRefused } from '../../db/errors.ts'
import { crashPoint } from '../../core/crash.ts'
import { weiOfGwei, withGasMargin } from '../../core/gas.ts'
import { isUsedBefore } from '../../core/contracts/revert-reason.ts'
import { decideUsedMints, type RefusedMint } from '../mints/decide-used-mints.ts'
import { MAX_MINTS_PER_TRANSACTION } from '../mints/request-mint.ts'
import { settleUnmatched } from '../mints/settle-unmatched.ts'
import { abandonTransaction } from './abandon-transaction.ts'
import { broadcastBytes } from './broadcast-bytes.ts'
import { dataFeeOf } from './data-fee.ts'
import { cappedFees, feeCapGwei } from './fees.ts'
import { alarmOperatorLow, type Lane, laneOf, MAX_IN_FLIGHT } from './lane.ts'
import { payloadOf } from '../../orders/payload.ts'
import { isLaneRecovering } from '../../orders/recovering.ts'
import { laneBehind } from '../recovery/compare-lanes.ts'
import {
  CannotPrepare,
  prepareMinting,
  prepareConsecutiveBatch,
  prepareTransaction,
  type PreparedCall,
} from './prepare-transaction.ts'
import { carriesMints, findSending, type SendingMint, type SendingRow } from './sending-row.ts'
import { mayMintConsecutively, consecutiveBatchesOf } from './consecutive-batches-of.ts'
import { senderOf } from './sender-of.ts'
import { siftMints } from './sift-mints.ts'
import { signFirst } from './sign-transaction.ts'
import { splitFailed, splitWaiting } from './split-transaction.ts'
import { tipOf } from './tip.ts'

/**
 * changed: a row was decided or split without being sent. idle: nothing to send. full: enough is in flight. short: the
 * balance doesn't cover it.
 */
export type Submission = 'sent' | 'changed' | 'idle' | 'full' | 'short'

const SENDING = 'send transaction'
const CANDIDATES = 20
/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000'
/**
 * While a collection's batch is in flight, the next one gathers for this long, unless it is full: fewer, cheaper
 * transactions, and longer consecutive batches.
 */
const GATHER_MS = 500
/** The most gas of one transaction on Ethereum (EIP-7825). */
const MAX_TRANSACTION_GAS = 16_777_216n

/** Sends the next waiting transaction of one operator on one network, if there is one that may go. */
export async function submitNext(worker: WorkerContext, chain: Chain, operator: Address): Promise<Submission> {
  let waiting = await waitingTransactions(worker, chain, operator, NIL)
  if (waiting.length === 0 || (await isLaneRecovering(worker, chain.network.id, operator))) return 'idle'
  const lane = await laneOf(worker, chain, operator)
  if (lane.isBehind) {
    await laneBehind(worker, chain, operator, lane.mined)
    return 'idle'
  }
  if (lane.inFlight >= MAX_IN_FLIGHT && !lane.isBlocked) return 'full'
  while (waiting.length > 0) {
    const tries = await triesOf(worker, SENDING, waiting)
    for (const row of waiting) {
      const { attempts = 0, nextTryAt = worker.now() } = tries.get(row.id) ?? {}
      if (nextTryAt > worker.now()) continue
      const outcome = await submitAlone(worker, row, attempts, () => submit(worker, chain, operator, lane, row.id))
      if (outcome !== 'not_ready') return outcome
    }
    waiting = await waitingTransactions(worker, chain, operator, waiting.at(-1)!.id)
  }
  return 'idle'
}

/** A row whose call can't even be simulated is tried again later, and holds up no other. */
async function submitAlone(
  worker: WorkerContext,
  row: AnyDueRow,
  attempts: number,
  work: () => Promise<Submission | 'not_ready'>,
): Promise<Submission | 'not_ready'> {
  try {
    const outcome = await work()
    if (attempts > 0) await recordSuccess(worker, SENDING, row, attempts)
    return outcome
  } catch (error) {
    if (error instanceof ChainUnavailable || isDatabaseDown(error) || isLeaseLost(error)) throw error
    if (isSuspensionRefused(error)) return 'not_ready'
    log.error({ error, id: row.id }, 'A waiting transaction can’t be sent.')
    await recordFailure(worker, SENDING, row, { earlier: attempts, error })
    return 'not_ready'
  }
}

/**
 * A token is handed over once its arrival is confirmed. A token whose mint a reorg undid arrives again with that mint:
 * until then the transfer waits.
 */
const hasArrived = ({ id, confirmations }: Network) => Prisma.sql`
  coalesce((SELECT max(h.block_number) FROM item_history h WHERE h.item_id = (t.payload->>'item_id')::uuid), -1)
    <= (SELECT k.number FROM chain_cursors k WHERE k.network_id = ${id}) - ${confirmations} + 1
  AND NOT EXISTS (
    SELECT 1 FROM items i JOIN mint_requests m ON m.organization_id = i.organization_id AND m.item_id = i.id
    WHERE i.id = (t.payload->>'item_id')::uuid AND i.minted = 0 AND m.transaction_id <> t.id AND m.state IN ('WAITING', 'SUBMITTED', 'COMPLETED'))`

/**
 * The next transactions that this operator is to send, after one of them. Nothing is sent before its contract is deployed, and nothing of what
 * is suspended, except that vouchers are cancelled.
 */
async function waitingTransactions(
  worker: WorkerContext,
  chain: Chain,
  operator: Address,
  after: string,
): Promise<DueRow[]> {
  const gathering = new Date(worker.now().getTime() - GATHER_MS)
  return worker.sql<DueRow>(Prisma.sql`
    SELECT t.id::text, t.organization_id::text AS "organizationId" FROM transactions t JOIN collections c ON c.id = t.collection_id
    WHERE t.network_id = ${chain.network.id} AND t.state = 'PENDING' AND t.id > ${after}::uuid
      AND (t.tx_type = 'DEPLOY_TOKEN_CONTRACT' OR c.deployment_status = 'SUCCESS')
      AND NOT (t.tx_type = 'ADMIN_MINT' AND t.closed_at IS NULL AND t.mint_count < ${MAX_MINTS_PER_TRANSACTION} AND t.created_at > ${gathering} AND EXISTS (
        SELECT 1 FROM transactions o WHERE o.collection_id = t.collection_id AND o.network_id = t.network_id AND o.tx_type = 'ADMIN_MINT' AND o.state = 'SUBMITTED' AND o.block_number IS NULL))
      AND (t.tx_type <> 'TRANSFER_TOKEN' OR (${hasArrived(chain.network)}))
      AND (t.tx_type = 'CANCEL_VOUCHER' OR NOT is_suspended(t.organization_id, t.collection_id))
      AND ${senderOf(worker)} = ${operator}
    ORDER BY t.id LIMIT ${CANDIDATES}`)
}

async function submit(
  worker: WorkerContext,
  chain: Chain,
  operator: Address,
  lane: Lane,
  id: string,
): Promise<Submission | 'not_ready'> {
  const row = await closeAndLoad(worker, id)
  crashPoint('transaction_closed')
  if (!row) return 'not_ready'
  if (carriesMints(row.txType) && row.mintRequests.length === 0)
    return abandon(
      worker,
      row,
      'CANCELLED',
      row.txType === 'ADMIN_MINT' ? 'Nothing is left to mint.' : 'Nobody waits for it any more.',
    )
  const unmatched = row.txType === 'ADMIN_MINT' ? await settleUnmatched(worker, row) : 'free'
  if (unmatched !== 'free') return unmatched === 'waits' ? 'not_ready' : 'changed'
  try {
    const call = await prepareTransaction(worker, chain.network, operator, row, row.mintRequests)
    // A call to an address without code "succeeds": after a reorg the deployment may have to be mined again first.
    if (!(await chain.code(call.to))) return 'not_ready'
    const ready = await simulate(worker, chain, operator, row, call)
    if (ready === 'changed' || ready === 'not_ready') return ready
    const fees = cappedFees(await chain.fees(), weiOfGwei(feeCapGwei(chain.network.id)))
    const dataFeeWei = await dataFeeOf(chain, ready.call, ready.gas, fees)
    if (ready.gas * fees.maxFeePerGas + dataFeeWei > lane.spendableWei) {
      if (lane.inFlight === 0) await alarmOperatorLow(worker, chain.network.id, operator)
      return 'short'
    }
    const signed = await signFirst(worker, chain, operator, {
      id,
      ...ready,
      fees,
      dataFeeWei,
      mined: lane.mined,
    })
    if (!signed) return 'not_ready'
    crashPoint('after_storing')
    await broadcastBytes(worker, chain, signed)
    crashPoint('after_broadcasting')
    return 'sent'
  } catch (error) {
    if (error instanceof CannotPrepare) return abandon(worker, row, 'FAILED', error.message)
    throw error
  }
}

/** Closes the row: no mint joins it any more, so what is simulated is what is sent. */
async function closeAndLoad(worker: WorkerContext, id: string): Promise<SendingRow | null> {
  await worker.db.transaction.updateMany({
    where: { id, state: 'PENDING', closedAt: null },
    data: { closedAt: worker.now() },
  })
  const row = await findSending(worker, id)
  return row?.state === 'PENDING' ? row : null
}

async function abandon(
  worker: WorkerContext,
  row: SendingRow,
  to: 'FAILED' | 'CANCELLED',
  reason: string,
): Promise<'changed'> {
  await withinTransaction(worker, row.organizationId, (tx) => abandonTransaction(tx, row, to, reason))
  return 'changed'
}

type Ready = { call: PreparedCall; gas: bigint; mints: SendingMint[] }

/** Simulates the call. What would revert fails here, with its reason, and costs nothing. */
async function simulate(
  worker: WorkerContext,
  chain: Chain,
  operator: Address,
  row: SendingRow,
  call: PreparedCall,
): Promise<Ready | 'changed' | 'not_ready'> {
  const attempt = (prepared: PreparedCall): Promise<Simulation> => chain.simulate({ from: operator, ...prepared })
  if (row.txType !== 'ADMIN_MINT') {
    const answer = await attempt(call)
    if (answer.ok) return { call, gas: withGasMargin(answer.gas), mints: row.mintRequests }
    if (row.txType === 'TRANSFER_TOKEN' && (await isStillInCustody(worker, row))) return 'not_ready'
    return abandon(worker, row, 'FAILED', answer.reason)
  }
  const { good, bad, gas } = await siftMints(row.mintRequests, (mints) => attempt(prepareMinting(row, mints)))
  const finalTo = bad.some(({ reason }) => isUsedBefore(reason)) ? (await tipOf(chain)).finalTo : 0n
  const { failed, undecided } = await decideUsedMints(worker, chain, row, bad, finalTo)
  if (undecided.length === row.mintRequests.length) return 'not_ready'
  await failReverting(worker, row, failed, failed.length === row.mintRequests.length)
  await keepUndecided(worker, row, undecided)
  if (good.length === 0) return 'changed'
  const chosen = await chooseConsecutiveBatches(row, { mints: good, gas }, attempt)
  if (chosen && chosen.length > 1) return splitIntoParts(worker, row, chosen)
  if (chosen?.[0])
    return { call: prepareConsecutiveBatch(row, chosen[0].mints), gas: withGasMargin(chosen[0].gas), mints: good }
  if (withGasMargin(gas) > MAX_TRANSACTION_GAS) return splitInHalf(worker, row, good)
  return { call: prepareMinting(row, good), gas: withGasMargin(gas), mints: good }
}

/** The indexer hasn't entered the token's last move yet, or a node lags: the indexer will decide. */
async function isStillInCustody(worker: WorkerContext, row: SendingRow): Promise<boolean> {
  const { item_id } = payloadOf('TRANSFER_TOKEN', row.payload)
  return (
    (await worker.db.item.count({
      where: { id: item_id, custodian: { not: null }, collection: { following: true } },
    })) > 0
  )
}

type Part = { mints: SendingMint[]; gas: bigint }

/**
 * Splits the batch into consecutive batches and the rest, where the chain's estimates say that this costs less than the
 * batch as it is. A consecutive batch that would revert stays in the ordinary one. null: the batch goes as it is.
 */
async function chooseConsecutiveBatches(
  row: SendingRow,
  batch: Part,
  attempt: (call: PreparedCall) => Promise<Simulation>,
): Promise<Part[] | null> {
  if (!mayMintConsecutively(row)) return null
  const parts: Part[] = []
  for (const mints of consecutiveBatchesOf(batch.mints)) {
    const answer = await attempt(prepareConsecutiveBatch(row, mints))
    if (answer.ok) parts.push({ mints, gas: answer.gas })
  }
  if (parts.length === 0) return null
  const inBatches = new Set(parts.flatMap(({ mints }) => mints))
  const rest = batch.mints.filter((mint) => !inBatches.has(mint))
  if (rest.length > 0) {
    const answer = await attempt(prepareMinting(row, rest))
    if (!answer.ok) return null
    parts.push({ mints: rest, gas: answer.gas })
  }
  return parts.reduce((sum, { gas }) => sum + gas, 0n) < batch.gas ? parts : null
}

/** Each part waits in a transaction of its own; the last one keeps this. */
async function splitIntoParts(worker: WorkerContext, row: SendingRow, parts: readonly Part[]): Promise<'changed'> {
  await withinTransaction(worker, row.organizationId, async (tx) => {
    for (const { mints } of parts.slice(0, -1)) await splitWaiting(tx, row, mints)
  })
  return 'changed'
}

/** Mints that nothing is known of yet wait by themselves, so that the others of the batch can go. */
async function keepUndecided(worker: WorkerContext, row: SendingRow, undecided: readonly RefusedMint[]): Promise<void> {
  if (undecided.length === 0) return
  const mints = undecided.map(({ mint }) => mint)
  await withinTransaction(worker, row.organizationId, (tx) => splitWaiting(tx, row, mints))
}

/** Each mint that reverts fails alone. When all of them do, the last one keeps the transaction. */
async function failReverting(
  worker: WorkerContext,
  row: SendingRow,
  bad: readonly RefusedMint[],
  all: boolean,
): Promise<void> {
  if (bad.length === 0) return
  await withinTransaction(worker, row.organizationId, async (tx) => {
    const last = all ? bad.at(-1) : undefined
    for (const culprit of bad) if (culprit !== last) await splitFailed(tx, row, culprit.mint, culprit.reason)
    if (last) await abandonTransaction(tx, { ...row, mintRequests: [last.mint] }, 'FAILED', last.reason)
  })
}

/** Too much gas for one transaction: half of it waits for the next. */
async function splitInHalf(worker: WorkerContext, row: SendingRow, mints: SendingMint[]): Promise<'changed'> {
  if (mints.length === 1)
    return abandon(
      worker,
      { ...row, mintRequests: mints },
      'FAILED',
      'This mint needs more gas than a transaction may have.',
    )
  await withinTransaction(worker, row.organizationId, (tx) =>
    splitWaiting(tx, row, mints.slice(Math.ceil(mints.length / 2)), payloadOf('ADMIN_MINT', row.payload)),
  )
  return 'changed'
}
