import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid } from '../../lib/core/id.ts'
import { historyId, MAX_PARTS, type Place } from '../../lib/onchain/history/history-id.ts'

const place = fc.record({
  networkId: fc.constant(31337),
  blockNumber: fc.bigInt({ min: 0n, max: 2n ** 48n - 1n }),
  logIndex: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
  part: fc.integer({ min: 0, max: MAX_PARTS - 1 }),
})
const inOrder = (a: Place, b: Place): number =>
  Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex || a.part - b.part

test('ids of history rows sort by block, log index and part', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [idA, idB] = [historyId(a), historyId(b)]
      expect([isUuid(idA), isUuid(idB)]).toEqual([true, true])
      expect(Math.sign(inOrder(a, b))).toBe(idA === idB ? 0 : idA < idB ? -1 : 1)
    }),
  )
})

test('the same place on two networks has different ids', () => {
  const place = { blockNumber: 1n, logIndex: 0, part: 0 }
  expect(new Set([1, 137, 31337, 2 ** 31 - 1].map((networkId) => historyId({ ...place, networkId }))).size).toBe(4)
})
