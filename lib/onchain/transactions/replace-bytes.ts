import { parseTransaction, type Address, type Hex } from 'viem'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { within, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { weiOfGwei, withGasMargin } from '../../core/gas.ts'
import { broadcastBytes, isDue } from './broadcast-bytes.ts'
import { dataFeeOf } from './data-fee.ts'
import { feeCapGwei, feesOf, raisedFees } from './fees.ts'
import type { PreparedCall } from './prepare-transaction.ts'
import { currentBytes, type SignedRow, type WatchedRow } from './sending-row.ts'
import { signReplacement } from './sign-transaction.ts'

/** An empty transfer to ourselves. */
const EMPTY_GAS = 21_000n
/** How often a call is signed with another gas limit. */
const MAX_SIGNINGS = 3

/** Signs the same call at a higher price. At the cap an alarm is raised, and the existing bytes are broadcast on. */
export async function raiseFees(
  worker: SystemContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
): Promise<void> {
  await replace(worker, chain, row, current, { call: callOf(current), gas: current.gasLimit, cancels: current.cancels })
}

/** Uses the nonce up without the call. */
export async function replaceByEmpty(
  worker: SystemContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
): Promise<void> {
  await replace(worker, chain, row, current, { call: emptyCall(row), gas: EMPTY_GAS, cancels: true })
}

/**
 * Signs the same call with the gas that it needs by today's estimate, since a node refuses its gas limit permanently. A
 * call that would revert now keeps its bytes: they may have been mined on a node that lags, and the chain decides.
 */
export async function signWithNewGas(
  worker: SystemContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
): Promise<void> {
  if (current.cancels || currentBytes(row).length >= MAX_SIGNINGS) return
  const answer = await chain.simulate({ from: row.operator as Address, ...callOf(current) })
  if (!answer.ok) return
  const gas = withGasMargin(answer.gas)
  if (gas !== current.gasLimit)
    await replace(worker, chain, row, current, { call: callOf(current), gas, cancels: false })
}

async function replace(
  worker: SystemContext,
  chain: Chain,
  row: WatchedRow,
  current: SignedRow,
  { call, gas, cancels }: { call: PreparedCall; gas: bigint; cancels: boolean },
): Promise<void> {
  // The key may be gone; check-operators.ts tells of it. The existing bytes can still be mined.
  if (!worker.ports.keys.operators.some((own) => own === row.operator)) {
    if (isDue(worker, current)) await broadcastBytes(worker, chain, current)
    return
  }
  const capGwei = feeCapGwei(chain.network.id)
  const fees = raisedFees(feesOf(current), await chain.fees(), weiOfGwei(capGwei))
  if (!fees) {
    await within(worker, row.organizationId, (ctx) =>
      raiseAlarm(
        ctx,
        'operator_stuck',
        row.id,
        `The transaction ${current.hash} isn’t mined at ${capGwei} gwei, the highest price allowed.`,
      ),
    )
    if (isDue(worker, current)) await broadcastBytes(worker, chain, current)
    return
  }
  const dataFeeWei = await dataFeeOf(chain, call, gas, fees)
  const signed = await signReplacement(worker, chain, row, { call, gas, fees, dataFeeWei, cancels })
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
