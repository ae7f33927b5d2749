import { enoughOf } from './agreed-answer.ts'
import type { Chain, Simulation } from '../../ports/chain/chain.ts'
import { env } from '../../core/env.ts'
import type { PreparedCall } from './prepare-transaction.ts'
import type { SendingRow } from './sending-row.ts'
import { simulateForSure } from './simulate-for-sure.ts'

/** Why a call whose gas a stranger decides isn't sent. */
export const tooMuchGas = (): string =>
  `The contract wants more gas than is spent on a mint or call of another’s contract (${env.EXTERNAL_MINT_GAS}).`

/**
 * Whether a contract that isn't ours decides how much gas the call uses: a foreign one, or the receiver of a token in
 * custody.
 */
const isBounded = ({ txType, collection }: Pick<SendingRow, 'txType' | 'collection'>): boolean =>
  collection.deploymentType === 'EXTERNAL' || txType === 'TRANSFER_TOKEN'

/**
 * Simulates a call of a transaction for so many of its mints. Where a stranger decides how much gas that uses, more
 * than EXTERNAL_MINT_GAS for each counts as a refusal (tooMuchGas), once two nodes say so, or the only one there is.
 */
export async function simulateBounded(
  chain: Chain,
  row: Pick<SendingRow, 'txType' | 'collection'>,
  call: PreparedCall & { from: `0x${string}` },
  mints: number,
): Promise<Simulation> {
  const answer = await simulateForSure(chain, call)
  const most = BigInt(env.EXTERNAL_MINT_GAS) * BigInt(Math.max(mints, 1))
  const isDear = (one: Simulation): boolean => one.ok && one.gas > most
  if (!isBounded(row) || !isDear(answer)) return answer
  const answers = await chain.atSeveralNodes((node) => node.simulate(call))
  if (answers.filter(isDear).length >= enoughOf(answers)) return { ok: false, reason: tooMuchGas(), data: null }
  return answers.find((one) => !isDear(one))!
}
