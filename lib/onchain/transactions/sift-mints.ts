import type { Simulation } from '../../ports/chain/chain.ts'

export type Sifted<M> = { good: M[]; gas: bigint; bad: { mint: M; reason: string }[] }

/**
 * Finds the mints that make a batch revert, by halving it. Two halves that only revert together (there is room for one
 * of them, say) are joined again entry by entry.
 */
export async function siftMints<M>(
  mints: readonly M[],
  simulate: (mints: readonly M[]) => Promise<Simulation>,
): Promise<Sifted<M>> {
  if (mints.length === 0) return { good: [], gas: 0n, bad: [] }
  const whole = await simulate(mints)
  if (whole.ok) return { good: [...mints], gas: whole.gas, bad: [] }
  if (mints.length === 1) return { good: [], gas: 0n, bad: [{ mint: mints[0]!, reason: whole.reason }] }
  const middle = Math.ceil(mints.length / 2)
  const left = await siftMints(mints.slice(0, middle), simulate)
  const right = await siftMints(mints.slice(middle), simulate)
  const bad = [...left.bad, ...right.bad]
  if (left.good.length === 0 || right.good.length === 0) return { ...(left.good.length === 0 ? right : left), bad }
  const joined = bad.length === 0 ? whole : await simulate([...left.good, ...right.good])
  if (joined.ok) return { good: [...left.good, ...right.good], gas: joined.gas, bad }
  const grown: Sifted<M> = { ...left, bad }
  for (const mint of right.good) {
    const more = await simulate([...grown.good, mint])
    if (more.ok) {
      grown.good = [...grown.good, mint]
      grown.gas = more.gas
    } else grown.bad.push({ mint, reason: more.reason })
  }
  return grown
}
