import { env } from '../../core/env.ts'
import { weiOfGwei } from '../../core/gas.ts'
import { valueFor } from '../../core/per-network.ts'
import type { Fees } from '../../ports/chain/chain.ts'
import type { SignedRow } from './sending-row.ts'

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const most = (a: bigint, b: bigint) => (a > b ? a : b)

/** The highest price per gas on a network, in gwei: its own in MAX_FEE_GWEI (`1000;137=5000`), else the one for all. */
export const feeCapGwei = (networkId: number, setting = env.MAX_FEE_GWEI): string => valueFor(networkId, setting)

/** The network's suggestion, within our cap. */
export const cappedFees = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees, capWei: bigint): Fees => {
  const max = least(maxFeePerGas, capWei)
  return { maxFeePerGas: max, maxPriorityFeePerGas: least(maxPriorityFeePerGas, max) }
}

/** An eighth more, rounded up: nodes refuse a replacement that raises either fee by less. */
const raised = (wei: bigint) => wei + (wei + 7n) / 8n

/** Fees for a replacement at the same nonce; null when the cap forbids them. */
export function raisedFees(old: Fees, suggested: Fees, capWei: bigint): Fees | null {
  const maxPriorityFeePerGas = most(raised(old.maxPriorityFeePerGas), least(suggested.maxPriorityFeePerGas, capWei))
  const maxFeePerGas = most(most(raised(old.maxFeePerGas), least(suggested.maxFeePerGas, capWei)), maxPriorityFeePerGas)
  return maxFeePerGas > capWei ? null : { maxFeePerGas, maxPriorityFeePerGas }
}

export const feesOf = (signed: Pick<SignedRow, 'maxFeePerGas' | 'maxPriorityFeePerGas'>): Fees => ({
  maxFeePerGas: BigInt(signed.maxFeePerGas.toFixed()),
  maxPriorityFeePerGas: BigInt(signed.maxPriorityFeePerGas.toFixed()),
})

/** Fees with which other bytes replace all of these at their nonce; null when the cap forbids them. */
export const feesAbove = (networkId: number, others: readonly SignedRow[], suggested: Fees): Fees | null =>
  others.reduce<Fees | null>(
    (fees, other) => fees && raisedFees(feesOf(other), fees, weiOfGwei(feeCapGwei(networkId))),
    suggested,
  )
