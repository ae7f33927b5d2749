import type { Address } from 'viem'
import { Prisma } from '../../generated/prisma/client.ts'
import { systemContext } from '../auth/authenticate.ts'
import { type Context, inTransaction } from '../auth/context.ts'
import type { Chain, Simulation } from '../chain/chain.ts'
import { crashPoint } from '../core/crash.ts'
import { env } from '../core/env.ts'
import { abandonTransaction } from './abandon-transaction.ts'
import { broadcastBytes } from './broadcast-bytes.ts'
import { cappedFees } from './fees.ts'
import { alarmOperatorLow, type Lane, laneOf, MOST_IN_FLIGHT } from './lane.ts'
import { CannotPrepare, prepareMinting, prepareTransaction, type PreparedCall } from './prepare-transaction.ts'
import { findSending, type SendingMint, type SendingRow } from './sending-row.ts'
import { siftMints } from './sift-mints.ts'
import { signFirst } from './sign-transaction.ts'
import { splitFailed, splitWaiting } from './split-transaction.ts'

/** changed: a row was decided or split without being sent. idle: nothing may go. full: enough is in flight. short: the balance doesn't cover it. */
export type Submission = 'sent' | 'changed' | 'idle' | 'full' | 'short'

const CANDIDATES = 20
/** What Ethereum takes in one transaction (EIP-7825). */
const MOST_GAS = 16_777_216n

/** Above the estimate, for what changes until it is mined. */
const withMargin = (gas: bigint): bigint => (gas * 5n) / 4n

/** Sends the next waiting transaction of one operator on one network, if there is one and it may go. */
export async function submitNext(ctx: Context, chain: Chain, operator: Address): Promise<Submission> {
  const waiting = await waitingTransactions(ctx, chain, operator)
  if (waiting.length === 0) return 'idle'
  const lane = await laneOf(ctx, chain, operator)
  if (lane.inFlight >= MOST_IN_FLIGHT) return 'full'
  for (const id of waiting) {
    const outcome = await submit(ctx, chain, operator, lane, id)
    if (outcome !== 'not_ready') return outcome
  }
  return 'idle'
}

/** A collection's own minter sends for it; the first operator does for all others. Nothing leaves before its contract is there. */
async function waitingTransactions(ctx: Context, chain: Chain, operator: Address): Promise<string[]> {
  const { operators } = ctx.ports.keys
  const rows = await ctx.sql<{ id: string }>(Prisma.sql`
    SELECT t.id FROM transactions t JOIN collections c ON c.id = t.collection_id
    WHERE t.network_id = ${chain.network.id} AND t.state = 'PENDING'
      AND (t.tx_type = 'DEPLOY_TOKEN_CONTRACT' OR c.deployment_status = 'SUCCESS')
      AND CASE WHEN c.minter = ANY(${[...operators]}::text[]) THEN c.minter ELSE ${operators[0] ?? ''} END = ${operator}
    ORDER BY t.id LIMIT ${CANDIDATES}`)
  return rows.map((row) => row.id)
}

async function submit(ctx: Context, chain: Chain, operator: Address, lane: Lane, id: string): Promise<Submission | 'not_ready'> {
  const row = await closeAndLoad(ctx, id)
  if (!row) return 'not_ready'
  if (row.txType === 'ADMIN_MINT' && row.mintRequests.length === 0) return abandon(row, 'CANCELLED', 'Nothing is left to mint.')
  try {
    const call = await prepareTransaction(ctx, chain.network, operator, row, row.mintRequests)
    // A call to an address without code "succeeds": after a reorg the contract may have to come first.
    if (!(await chain.code(call.to))) return 'not_ready'
    const ready = await simulate(chain, operator, row, call)
    if (ready === 'changed') return 'changed'
    const fees = cappedFees(await chain.fees(), BigInt(env.MAX_FEE_GWEI) * 1_000_000_000n)
    if (ready.gas * fees.maxFeePerGas > lane.spendableWei) {
      if (lane.inFlight === 0) await alarmOperatorLow(ctx, chain.network.id, operator)
      return 'short'
    }
    const signed = await signFirst(ctx, chain, operator, { id, ...ready, fees, mined: lane.mined })
    if (!signed) return 'not_ready'
    crashPoint('after_storing')
    await broadcastBytes(ctx, chain, signed)
    crashPoint('after_broadcasting')
    return 'sent'
  } catch (error) {
    if (error instanceof CannotPrepare) return abandon(row, 'FAILED', error.message)
    throw error
  }
}

/** From here on no mint joins it: what is simulated is what is sent. */
async function closeAndLoad(ctx: Context, id: string): Promise<SendingRow | null> {
  await ctx.db.transaction.updateMany({ where: { id, state: 'PENDING', closedAt: null }, data: { closedAt: ctx.now() } })
  const row = await findSending(ctx, id)
  return row?.state === 'PENDING' ? row : null
}

async function abandon(row: SendingRow, to: 'FAILED' | 'CANCELLED', reason: string): Promise<'changed'> {
  await inTransaction(systemContext(row.organizationId), (tx) => abandonTransaction(tx, row, to, reason))
  return 'changed'
}

type Ready = { call: PreparedCall; gas: bigint; mints: SendingMint[] }

/** Tries the call on the chain as it is. What would revert fails here, with its reason, and costs nothing. */
async function simulate(chain: Chain, operator: Address, row: SendingRow, call: PreparedCall): Promise<Ready | 'changed'> {
  const attempt = (prepared: PreparedCall): Promise<Simulation> => chain.simulate({ from: operator, ...prepared })
  if (row.txType !== 'ADMIN_MINT') {
    const answer = await attempt(call)
    if (!answer.ok) return abandon(row, 'FAILED', answer.reason)
    return { call, gas: withMargin(answer.gas), mints: [] }
  }
  const { good, bad, gas } = await siftMints(row.mintRequests, (mints) => attempt(prepareMinting(row, mints)))
  await moveOut(row, bad, good.length === 0)
  if (good.length === 0) return 'changed'
  if (withMargin(gas) > MOST_GAS) return halve(row, good)
  return { call: prepareMinting(row, good), gas: withMargin(gas), mints: good }
}

/** Each culprit fails alone. When all are culprits, the last one keeps the transaction. */
async function moveOut(row: SendingRow, bad: { mint: SendingMint; reason: string }[], all: boolean): Promise<void> {
  if (bad.length === 0) return
  await inTransaction(systemContext(row.organizationId), async (tx) => {
    const last = all ? bad.at(-1) : undefined
    for (const culprit of bad) if (culprit !== last) await splitFailed(tx, row, culprit.mint, culprit.reason)
    if (last) await abandonTransaction(tx, { ...row, mintRequests: [last.mint] }, 'FAILED', last.reason)
  })
}

/** More than one transaction takes: half of it waits for the next. */
async function halve(row: SendingRow, mints: SendingMint[]): Promise<'changed'> {
  if (mints.length === 1) return abandon({ ...row, mintRequests: mints }, 'FAILED', 'This mint needs more gas than a transaction may have.')
  await inTransaction(systemContext(row.organizationId), (tx) => splitWaiting(tx, row, mints.slice(Math.ceil(mints.length / 2))))
  return 'changed'
}
