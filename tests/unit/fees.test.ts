import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cappedFees, feeCapGwei, raisedFees } from '../../lib/onchain/transactions/fees.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 13n })
const fees = fc.tuple(wei, wei).map(([a, b]) => ({ maxFeePerGas: a > b ? a : b, maxPriorityFeePerGas: a > b ? b : a }))

test('a replacement raises both fees by an eighth or more, at least to the suggested fees, within the cap', () => {
  fc.assert(
    fc.property(fees, fees, wei, (old, suggested, cap) => {
      const raised = raisedFees(old, suggested, cap)
      if (!raised) return
      for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
        expect(raised[name] * 8n >= old[name] * 9n).toBe(true)
        expect(raised[name] >= (suggested[name] < cap ? suggested[name] : cap)).toBe(true)
      }
      expect(raised.maxPriorityFeePerGas <= raised.maxFeePerGas && raised.maxFeePerGas <= cap).toBe(true)
    }),
  )
})

test('no replacement is made when an eighth more would exceed the cap', () => {
  expect(
    raisedFees({ maxFeePerGas: 100n, maxPriorityFeePerGas: 1n }, { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, 112n),
  ).toBeNull()
  expect(
    raisedFees({ maxFeePerGas: 100n, maxPriorityFeePerGas: 1n }, { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, 113n),
  ).toEqual({ maxFeePerGas: 113n, maxPriorityFeePerGas: 2n })
})

test('the network’s suggested fees are limited to the cap', () => {
  fc.assert(
    fc.property(fees, wei, (suggested, cap) => {
      const { maxFeePerGas, maxPriorityFeePerGas } = cappedFees(suggested, cap)
      expect(maxFeePerGas <= cap && maxPriorityFeePerGas <= maxFeePerGas).toBe(true)
    }),
  )
})

test('a network has its own cap where MAX_FEE_GWEI names it, else the one for all', () => {
  expect([1, 137, 37, 1370].map((id) => feeCapGwei(id, '1000;137=5000;10=2'))).toEqual(['1000', '5000', '1000', '1000'])
  expect(feeCapGwei(137, '1000')).toBe('1000')
})
