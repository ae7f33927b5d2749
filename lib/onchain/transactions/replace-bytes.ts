import { parseTransaction, type Address, type Hex } from 'viem'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { within, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { env } from '../../core/env.ts'
import { weiOfGwei, withGasMargin } from '../../core/gas.ts'
import { log } from '../../core/log.ts'
import { broadcastBytes } from './broadcast-bytes.ts'
import { raisedFees } from './fees.ts'
import type { PreparedCall } from './prepare-transaction.ts'
import { currentBytes, type SignedRow, type WatchedRow } from './sending-row.ts'
import { signReplacement } from './sign-transaction.ts'

/** An empty transfer to ourselves. */
const EMPTY_GAS = 21_000n
/** How often the same call is signed again when nodes refuse it, before an empty one uses up its nonce. */
const MAX_REFUSALS = 3

/** Signs the same call at a higher price. At the cap an alarm is raised, and the existing bytes are broadcast on. */
export async function raiseFees(
  worker: WorkerContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
): Promise<void> {
  await replace(worker, chain, row, current, { call: callOf(current), gas: current.gasLimit, cancels: current.cancels })
}

/** Uses the nonce up without the call. */
export async function replaceByEmpty(
  worker: WorkerContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
): Promise<void> {
  await replace(worker, chain, row, current, { call: emptyCall(row), gas: EMPTY_GAS, cancels: true })
}

/** No node accepts these bytes: the same call with a new gas limit, finally an empty transfer in its place. */
export async function replaceRefused(
  worker: WorkerContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
  detail: string,
): Promise<void> {
  log.warn({ transaction_id: row.id, detail }, 'A node refuses stored bytes.')
  const answer =
    currentBytes(row).length < MAX_REFUSALS && !current.cancels
      ? await chain.simulate({ from: row.operator as Address, ...callOf(current) })
      : null
  if (answer?.ok)
    return void (await replace(worker, chain, row, current, {
      call: callOf(current),
      gas: withGasMargin(answer.gas),
      cancels: false,
    }))
  const failure = answer ? answer.reason : `No node of the network takes this transaction: ${detail}`
  await worker.db.transaction.updateMany({ where: { id: row.id, state: 'SUBMITTED' }, data: { failure } })
  await replaceByEmpty(worker, chain, row, current)
}

async function replace(
  worker: WorkerContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
  { call, gas, cancels }: { call: PreparedCall; gas: bigint; cancels: boolean },
): Promise<void> {
  const fees = raisedFees(feesOf(current), await chain.fees(), weiOfGwei(env.MAX_FEE_GWEI))
  if (!fees) {
    await within(worker, row.organizationId, (ctx) =>
      raiseAlarm(
        ctx,
        'operator_stuck',
        row.id,
        `The transaction ${current.hash} isn’t mined at ${env.MAX_FEE_GWEI} gwei, the highest price allowed.`,
      ),
    )
    await broadcastBytes(worker, chain, current)
    return
  }
  const signed = await signReplacement(worker, chain, row, { call, gas, fees, cancels })
  if (!signed) return
  crashPoint('after_storing')
  await broadcastBytes(worker, chain, signed)
}

/** The call inside the bytes. */
function callOf(signed: SignedRow): PreparedCall {
  const { to, data } = parseTransaction(signed.raw as Hex)
  return { to: to!, data: data ?? '0x' }
}

const emptyCall = (row: WatchedRow): PreparedCall => ({ to: row.operator as Address, data: '0x' })

const feesOf = (signed: SignedRow) => ({
  maxFeePerGas: BigInt(signed.maxFeePerGas.toFixed()),
  maxPriorityFeePerGas: BigInt(signed.maxPriorityFeePerGas.toFixed()),
})
