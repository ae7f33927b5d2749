import fc from 'fast-check'
import { expect, test } from 'vitest'
import { siftMints } from '../../lib/onchain/transactions/sift-mints.ts'

/** A fake simulation: the `bad` mints revert, and so does any batch of more than `room`. */
const makeSimulation = (bad: ReadonlySet<number>, room = Infinity) => {
  const calls: number[] = []
  const simulate = async (mints: readonly number[]) => {
    calls.push(mints.length)
    const reverting = mints.find((mint) => bad.has(mint))
    if (reverting !== undefined) return { ok: false as const, reason: `${reverting} reverts`, data: null }
    if (mints.length > room) return { ok: false as const, reason: 'No room.', data: null }
    return { ok: true as const, gas: BigInt(mints.length) }
  }
  return { simulate, calls }
}

test('a batch in which nothing reverts is simulated once', async () => {
  const { simulate, calls } = makeSimulation(new Set())
  expect(await siftMints([1, 2, 3], simulate)).toEqual({ good: [1, 2, 3], gas: 3n, bad: [] })
  expect(calls).toEqual([3])
})

test('one reverting mint among 100 is isolated with its reason, in fewer than 30 calls', async () => {
  const { simulate, calls } = makeSimulation(new Set([37]))
  const mints = Array.from({ length: 100 }, (_, at) => at)
  const { good, bad, gas } = await siftMints(mints, simulate)
  expect(bad).toEqual([{ mint: 37, reason: '37 reverts' }])
  expect(good).toEqual(mints.filter((mint) => mint !== 37))
  expect(gas).toBe(99n)
  expect(calls.length).toBeLessThan(30)
})

test('exactly the mints that revert are sorted out', async () => {
  const batches = fc.uniqueArray(fc.nat(200), { minLength: 1, maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(batches, fc.array(fc.nat(200)), async (mints, reverting) => {
      const bad = new Set(reverting)
      const sifted = await siftMints(mints, makeSimulation(bad).simulate)
      expect(sifted.good).toEqual(mints.filter((mint) => !bad.has(mint)))
      expect(sifted.bad.map(({ mint }) => mint).sort()).toEqual(mints.filter((mint) => bad.has(mint)).sort())
    }),
  )
})

test('of mints that revert only together, as many as fit are kept', async () => {
  const { good, bad, gas } = await siftMints([1, 2, 3, 4, 5, 6], makeSimulation(new Set([2]), 3).simulate)
  expect(good).toHaveLength(3)
  expect(gas).toBe(3n)
  expect([...good, ...bad.map(({ mint }) => mint)].sort()).toEqual([1, 2, 3, 4, 5, 6])
})

test('an unreachable node is an error, not a reverting mint', async () => {
  await expect(siftMints([1, 2], () => Promise.reject(new Error('down')))).rejects.toThrow('down')
})
