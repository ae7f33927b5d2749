import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid } from '../../lib/core/id.ts'
import { historyId, MAX_PARTS, type Place } from '../../lib/onchain/history/history-id.ts'
import { holdChangesOf } from '../../lib/onchain/indexer/reconcile-holds.ts'

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

test('holds become EXCEPTION until the rest fits the max supply, and no more than that', () => {
  const hold = fc.record({
    quantity: fc.bigInt({ min: 1n, max: 9n }),
    state: fc.constantFrom('HELD' as const, 'EXCEPTION' as const),
  })
  const holds = fc.array(hold, { maxLength: 8 }).map((some) => some.map((one, at) => ({ ...one, id: String(at) })))
  fc.assert(
    fc.property(
      holds,
      fc.bigInt({ min: 0n, max: 30n }),
      fc.bigInt({ min: 0n, max: 30n }),
      fc.boolean(),
      (all, maxSupply, minted, restore) => {
        const changes = holdChangesOf({ maxSupply, minted }, all, { restore })
        const held = all.filter(
          ({ id, state }) => (state === 'HELD' && !changes.except.includes(id)) || changes.restore.includes(id),
        )
        const committed = minted + held.reduce((sum, { quantity }) => sum + quantity, 0n)
        expect(held.length === 0 || committed <= maxSupply).toBe(true)
        const last = all.find(({ id }) => id === changes.except.at(-1))
        if (last) expect(committed + last.quantity).toBeGreaterThan(maxSupply)
        if (!restore) expect(changes.restore).toEqual([])
      },
    ),
  )
})
