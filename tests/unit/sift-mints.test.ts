import fc from 'fast-check'
import { expect, test } from 'vitest'
import { siftMints } from '../../lib/onchain/transactions/sift-mints.ts'

/** A chain on which some entries revert, and on which only so many fit. */
const chainWith = (bad: ReadonlySet<number>, room = Infinity) => {
  const calls: number[] = []
  const simulate = async (mints: readonly number[]) => {
    calls.push(mints.length)
    const culprit = mints.find((mint) => bad.has(mint))
    if (culprit !== undefined) return { ok: false as const, reason: `${culprit} reverts`, data: null }
    if (mints.length > room) return { ok: false as const, reason: 'No room.', data: null }
    return { ok: true as const, gas: BigInt(mints.length) }
  }
  return { simulate, calls }
}

test('a batch without a culprit is simulated once', async () => {
  const { simulate, calls } = chainWith(new Set())
  expect(await siftMints([1, 2, 3], simulate)).toEqual({ good: [1, 2, 3], gas: 3n, bad: [] })
  expect(calls).toEqual([3])
})

test('one culprit among a hundred stands alone in the end, with its reason, and costs few calls', async () => {
  const { simulate, calls } = chainWith(new Set([37]))
  const mints = Array.from({ length: 100 }, (_, at) => at)
  const { good, bad, gas } = await siftMints(mints, simulate)
  expect(bad).toEqual([{ mint: 37, reason: '37 reverts' }])
  expect(good).toEqual(mints.filter((mint) => mint !== 37))
  expect(gas).toBe(99n)
  expect(calls.length).toBeLessThan(30)
})

test('whatever reverts is found, and nothing else', async () => {
  const batches = fc.uniqueArray(fc.nat(200), { minLength: 1, maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(batches, fc.array(fc.nat(200)), async (mints, culprits) => {
      const bad = new Set(culprits)
      const sifted = await siftMints(mints, chainWith(bad).simulate)
      expect(sifted.good).toEqual(mints.filter((mint) => !bad.has(mint)))
      expect(sifted.bad.map(({ mint }) => mint).sort()).toEqual(mints.filter((mint) => bad.has(mint)).sort())
    }),
  )
})

test('of entries that only revert together, as many go as fit', async () => {
  const { good, bad, gas } = await siftMints([1, 2, 3, 4, 5, 6], chainWith(new Set([2]), 3).simulate)
  expect(good).toHaveLength(3)
  expect(gas).toBe(3n)
  expect([...good, ...bad.map(({ mint }) => mint)].sort()).toEqual([1, 2, 3, 4, 5, 6])
})

test('a node that can’t say makes nobody a culprit', async () => {
  await expect(siftMints([1, 2], () => Promise.reject(new Error('down')))).rejects.toThrow('down')
})
