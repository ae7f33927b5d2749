import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdChangesOf } from '../../lib/onchain/indexer/reconcile-holds.ts'

const hold = (id: string, quantity: bigint, state: 'HELD' | 'EXCEPTION' = 'HELD') => ({ id, quantity, state })

test('the weakest holds give way until the rest fits, and none comes back in the same step', () => {
  const holds = [hold('strong', 1n), hold('weak', 3n), hold('excepted', 1n, 'EXCEPTION')]
  const item = { maxSupply: 5n, minted: 3n }
  expect(holdChangesOf(item, holds, { restore: true })).toEqual({ except: ['weak'], restore: [] })
})

test('where there is room the strongest excepted holds come back, as long as they fit', () => {
  const holds = [hold('first', 2n, 'EXCEPTION'), hold('second', 2n, 'EXCEPTION'), hold('third', 1n, 'EXCEPTION')]
  const item = { maxSupply: 5n, minted: 2n }
  expect(holdChangesOf(item, holds, { restore: true })).toEqual({ except: [], restore: ['first'] })
  expect(holdChangesOf(item, holds, { restore: false })).toEqual({ except: [], restore: [] })
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
