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
