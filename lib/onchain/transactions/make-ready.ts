import type { Address } from 'viem'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { CallUndecided, type Chain, type Fees, type Simulation } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { withGasMargin } from '../../core/gas.ts'
import { isForbidden } from '../../core/contracts/revert-reason.ts'
import { decideUsedMints, needsFinalBlock, type RefusedMint } from '../mints/decide-used-mints.ts'
import { judgeReceivers } from '../mints/judge-receivers.ts'
import { refuseMinted } from '../mints/refuse-minted.ts'
import { settleUnmatched } from '../mints/settle-unmatched.ts'
import { decideRefused } from '../transfers/decide-refused.ts'
import { MAX_GAS_PER_TRANSFER } from '../transfers/quote-transfer.ts'
import { failTransfer } from '../transfers/advance-transfer.ts'
import { abandonTransaction } from './abandon-transaction.ts'
import { areRolesChanging } from './are-roles-changing.ts'
import { simulateBounded, tooMuchGas } from './bound-gas.ts'
import { dataFeeOf } from './data-fee.ts'
import { payloadOf } from '../../orders/payload.ts'
import { holderPays } from '../../orders/transfer-budget.ts'
import {
  CannotPrepare,
  prepareMinting,
  prepareConsecutiveBatch,
  prepareTransaction,
  type PreparedCall,
} from './prepare-transaction.ts'
import { carriesMints, type SendingMint, type SendingRow } from './sending-row.ts'
import { mayMintConsecutively, consecutiveBatchesOf } from './consecutive-batches-of.ts'
import { siftMints } from './sift-mints.ts'
import type { FirstSigning } from './sign-transaction.ts'
import { splitFailed, splitWaiting } from './split-transaction.ts'
import { tipOf } from './tip.ts'

/** The most gas of one transaction on Ethereum (EIP-7825). */
const MAX_TRANSACTION_GAS = 16_777_216n

/**
 * The facts that the transactions of one round share. `isGap`: the lane's next nonce is bound to nothing. `hasCode`:
 * whether there is code at an address, asked once a round.
 */
export type Round = {
  chain: Chain
  operator: Address
  fees: Fees
  isGap: boolean
  hasCode: (address: Address) => Promise<boolean>
}

/**
 * Prepares and simulates a closed transaction. `changed`: it was decided or split without being sent. `not_ready`: it
 * waits for something else.
 */
export async function makeReady(
  worker: SystemContext,
  { chain, operator, fees, isGap, hasCode }: Round,
  row: SendingRow,
): Promise<FirstSigning | 'changed' | 'not_ready'> {
  if (carriesMints(row.txType) && row.mintRequests.length === 0)
    return abandon(
      worker,
      row,
      'CANCELLED',
      row.txType === 'ADMIN_MINT' ? 'Nothing is left to mint.' : 'Nobody waits for it any more.',
    )
  if (row.txType === 'CANCEL' && !isGap) return abandon(worker, row, 'CANCELLED', 'Its nonce was used.')
  if ((await askReceivers(worker, chain, operator, row)) === 'changed') return 'changed'
  const unmatched = row.txType === 'ADMIN_MINT' ? await settleUnmatched(worker, row) : 'free'
  if (unmatched !== 'free') return unmatched === 'waits' ? 'not_ready' : 'changed'
  try {
    const call = await prepareTransaction(worker, chain.network, operator, row, row.mintRequests)
    // A call to an address without code "succeeds": after a reorg the deployment may have to be mined again first.
    if (row.txType !== 'CANCEL' && !(await hasCode(call.to))) return 'not_ready'
    const ready = await simulate(worker, chain, operator, row, call)
    if (ready === 'changed' || ready === 'not_ready') return ready
    return { id: row.id, ...ready, fees, dataFeeWei: await dataFeeOf(chain, ready.call, ready.gas, fees) }
  } catch (error) {
    if (error instanceof CannotPrepare) return abandon(worker, row, 'FAILED', error.message)
    throw error
  }
}

async function abandon(
  worker: SystemContext,
  row: SendingRow,
  to: 'FAILED' | 'CANCELLED',
  reason: string,
): Promise<'changed'> {
  await withinTransaction(worker, row.organizationId, (tx) => abandonTransaction(tx, row, to, reason))
  return 'changed'
}

/**
 * Asks the receivers that nobody asked when their claims were redeemed. Those that refuse cost nothing; one that
 * nothing is known of waits by itself.
 */
async function askReceivers(
  worker: SystemContext,
  chain: Chain,
  operator: Address,
  row: SendingRow,
): Promise<'changed' | 'free'> {
  const unasked = row.mintRequests.filter(({ receiverUnasked }) => receiverUnasked)
  if (unasked.length === 0) return 'free'
  const { accepted, refused, undecided } = await judgeReceivers(chain, operator, row, unasked)
  await worker.db.mintRequest.updateMany({
    where: { id: { in: accepted.map(({ id }) => id) } },
    data: { receiverUnasked: false },
  })
  await failReverting(worker, row, refused, refused.length === row.mintRequests.length)
  if (refused.length > 0) return 'changed'
  // Tried again, with an alarm where it lasts.
  if (undecided[0] && undecided.length === row.mintRequests.length) throw new CallUndecided(undecided[0].reason)
  await keepUndecided(worker, row, undecided)
  return undecided.length > 0 ? 'changed' : 'free'
}

type Simulated = { call: PreparedCall; gas: bigint; mints: SendingMint[] }

/** Simulates the call. What would revert fails here, with its reason, and costs nothing. */
async function simulate(
  worker: SystemContext,
  chain: Chain,
  operator: Address,
  row: SendingRow,
  call: PreparedCall,
): Promise<Simulated | 'changed' | 'not_ready'> {
  const attempt = (prepared: PreparedCall, mints = 1): Promise<Simulation> =>
    simulateBounded(chain, row, { from: operator, ...prepared }, mints)
  if (row.txType !== 'ADMIN_MINT') {
    const answer = await attempt(call)
    if (row.txType === 'SIGNED_TRANSFER') {
      if (!answer.ok) return decideRefused(worker, chain, row, answer)
      if (answer.gas > MAX_GAS_PER_TRANSFER) return failForGas(worker, row)
    }
    if (answer.ok) return { call, gas: withGasMargin(answer.gas), mints: row.mintRequests }
    if (row.txType === 'TRANSFER_TOKEN' && answer.reason !== tooMuchGas() && (await isStillInCustody(worker, row)))
      return 'not_ready'
    if (isForbidden(answer.reason) && (await areRolesChanging(worker, row, (await tipOf(chain)).finalTo)))
      return 'not_ready'
    return abandon(worker, row, 'FAILED', answer.reason)
  }
  const minted = await refuseMinted(chain, row, (mint) => attempt(prepareMinting(row, [mint])))
  const apart = new Set([...minted.refused, ...minted.denied].map(({ mint }) => mint))
  const { good, bad, gas } = await siftMints(
    row.mintRequests.filter((mint) => !apart.has(mint)),
    (mints) => attempt(prepareMinting(row, mints), mints.length),
  )
  bad.push(...minted.refused)
  const finalTo = bad.some(({ reason }) => needsFinalBlock(reason)) ? (await tipOf(chain)).finalTo : 0n
  const { failed, undecided } = await decideUsedMints(worker, chain, row, bad, finalTo)
  undecided.push(...minted.denied)
  if (undecided.length === row.mintRequests.length) {
    // Tried again, with an alarm where it lasts.
    if (minted.denied[0]) throw new Error(minted.denied[0].reason)
    return 'not_ready'
  }
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

/** The receiver, or the holder's contract, wants more gas than when the transfer was accepted. */
async function failForGas(worker: SystemContext, row: SendingRow): Promise<'changed'> {
  const message = holderPays('too_much_gas').message
  await withinTransaction(worker, row.organizationId, async (tx) => {
    await failTransfer(tx, row, 'too_much_gas', message)
    await abandonTransaction(tx, row, 'FAILED', message)
  })
  return 'changed'
}

/**
 * The indexer hasn't entered the token's last move yet, or a node lags: the indexer will decide. Where a reorg took
 * away the transfer that brought a token into escrow, that one decides.
 */
async function isStillInCustody(worker: SystemContext, row: SendingRow): Promise<boolean> {
  const { item_id } = payloadOf('TRANSFER_TOKEN', row.payload)
  const escrows = row.mintRequests.flatMap(({ escrowId }) => escrowId ?? [])
  const arriving = await worker.db.signedTransfer.count({
    where: {
      id: { in: escrows },
      OR: [{ state: { in: ['PENDING', 'SUBMITTED'] } }, { state: 'COMPLETED', transaction: { finalAt: null } }],
    },
  })
  if (arriving > 0) return true
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
async function splitIntoParts(worker: SystemContext, row: SendingRow, parts: readonly Part[]): Promise<'changed'> {
  await withinTransaction(worker, row.organizationId, async (tx) => {
    for (const { mints } of parts.slice(0, -1)) await splitWaiting(tx, row, mints)
  })
  crashPoint('batch_split')
  return 'changed'
}

/** Mints that nothing is known of yet wait by themselves, so that the others of the batch can go. */
async function keepUndecided(worker: SystemContext, row: SendingRow, undecided: readonly RefusedMint[]): Promise<void> {
  if (undecided.length === 0) return
  const mints = undecided.map(({ mint }) => mint)
  await withinTransaction(worker, row.organizationId, (tx) => splitWaiting(tx, row, mints))
}

/** Each mint that reverts fails alone. When all of them do, the last one keeps the transaction. */
async function failReverting(
  worker: SystemContext,
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

/** Too much gas for one transaction, or for what is left of a budget: half of it waits for the next. */
export async function splitInHalf(
  worker: SystemContext,
  row: SendingRow,
  mints: readonly SendingMint[],
): Promise<'changed'> {
  if (mints.length === 1)
    return abandon(
      worker,
      { ...row, mintRequests: [...mints] },
      'FAILED',
      'This mint needs more gas than a transaction may have.',
    )
  await withinTransaction(worker, row.organizationId, (tx) =>
    splitWaiting(tx, row, mints.slice(Math.ceil(mints.length / 2)), payloadOf('ADMIN_MINT', row.payload)),
  )
  return 'changed'
}
