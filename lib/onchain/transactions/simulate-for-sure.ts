import type { Call, Chain, Simulation } from '../../ports/chain/chain.ts'

/**
 * Simulates a call that something paid for may depend on. A refusal without revert data may be one node's own, so
 * others are asked: it counts where none of them runs the call. Throws ChainUnavailable when too few answer.
 */
export async function simulateForSure(chain: Chain, call: Call): Promise<Simulation> {
  const told = await chain.simulate(call)
  if (told.ok || told.data !== null) return told
  const answers = await chain.atSeveralNodes((node) => node.simulate(call))
  return answers.find(({ ok }) => ok) ?? answers.find((one) => !one.ok && one.data !== null) ?? told
}
