import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ticksOf } from '../../components/dashboard/overview/ticks.ts'
import { decimalOf, minorOf, roundedAmountOf } from '../../lib/core/money.ts'
import { checkList } from '../../components/dashboard/listings/allow-list.ts'

const ada = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('each line of an allow list is an address, an email address, a repetition or wrong', () => {
  const text = [
    'who;when',
    `${ada.toLowerCase()};today`,
    '',
    ' "ada@Example.com" ',
    ada,
    'grace',
    `${ada.slice(0, -1)}c`,
    '0x12',
  ].join('\r\n')
  expect(checkList(text)).toEqual([
    { line: 2, text: `${ada.toLowerCase()};today`, kind: 'address', value: ada },
    { line: 4, text: '"ada@Example.com"', kind: 'email', value: 'ada@example.com' },
    { line: 5, text: ada, kind: 'repeated' },
    { line: 6, text: 'grace', kind: 'wrong', why: 'neither' },
    { line: 7, text: `${ada.slice(0, -1)}c`, kind: 'wrong', why: 'checksum' },
    { line: 8, text: '0x12', kind: 'wrong', why: 'digits' },
  ])
})

test('several addresses on one line of an allow list are several, and what looks like one is never left out', () => {
  expect(
    checkList(
      `ada@example.com, grace@example.com\n${ada} joan@example.com;Ada <linus@example.com>\nAda, grace@\nx 0x12`,
    ),
  ).toEqual([
    { line: 1, text: 'ada@example.com', kind: 'email', value: 'ada@example.com' },
    { line: 1, text: 'grace@example.com', kind: 'email', value: 'grace@example.com' },
    { line: 2, text: ada, kind: 'address', value: ada },
    { line: 2, text: 'joan@example.com', kind: 'email', value: 'joan@example.com' },
    { line: 2, text: 'linus@example.com', kind: 'email', value: 'linus@example.com' },
    { line: 3, text: 'Ada, grace@', kind: 'wrong', why: 'neither' },
    { line: 4, text: 'x 0x12', kind: 'wrong', why: 'digits' },
  ])
})

test('for any pasted text, no value of an allow list is accepted twice', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant(ada), fc.emailAddress())), (lines) => {
      const verdicts = checkList(lines.join('\n'))
      const values = verdicts.flatMap((verdict) => ('value' in verdict ? [verdict.value] : []))
      expect(new Set(values).size).toBe(values.length)
    }),
  )
})

test('a price in whole units becomes minor units; more decimals than the currency has are refused', () => {
  expect(minorOf('12.50', 2)).toBe(1250n)
  expect(minorOf(' 12.5 ', 2)).toBe(1250n)
  expect(minorOf('12.500', 2)).toBe(1250n)
  expect(minorOf('0.000000000000000001', 18)).toBe(1n)
  expect(minorOf('1200', 0)).toBe(1200n)
  for (const wrong of ['', '12,50', '12.345', '-1', '1e3', '.5', '1.', 'twelve'])
    expect(minorOf(wrong, 2), wrong).toBeNull()
  expect(minorOf('1200.5', 0)).toBeNull()
})

test('formatting and reading an amount gives the same amount, for any decimals', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 18 }), (minor, decimals) => {
      expect(minorOf(decimalOf(minor, decimals), decimals)).toBe(minor)
    }),
  )
})

test('sums are shown with four decimals, card currencies with their own, and small ones with two digits', () => {
  expect(roundedAmountOf(10026345678901256n, 'ETH', 18)).toBe('0.0100 ETH')
  expect(roundedAmountOf(1234567890123456789012n, 'ETH', 18)).toBe('1,234.5679 ETH')
  expect(roundedAmountOf(999_999n * 10n ** 14n, 'ETH', 18)).toBe('99.9999 ETH')
  expect(roundedAmountOf(99_999_960n * 10n ** 12n, 'ETH', 18)).toBe('100.0000 ETH')
  expect(roundedAmountOf(12_345_678_901_234n, 'ETH', 18)).toBe('0.000012 ETH')
  expect(roundedAmountOf(1n, 'ETH', 18)).toBe('0.000000000000000001 ETH')
  expect(roundedAmountOf(-10026345678901256n, 'ETH', 18)).toBe('-0.0100 ETH')
  expect(roundedAmountOf(0n, 'ETH', 18)).toBe('0.0000 ETH')
  expect(roundedAmountOf(2_500_000n, 'USDC', 6)).toBe('2.5000 USDC')
  expect(roundedAmountOf(123_456_789n, 'USD', 2)).toBe('$1,234,567.89')
})

const labels = (...values: number[]) => ticksOf(values).map(({ label }) => label)

test('the ticks of an axis are short and distinct', () => {
  expect(labels(0, 0)).toEqual(['0', '1'])
  expect(labels(1, 0, 3)).toEqual(['0', '1', '2', '3'])
  expect(labels(0, 7)).toEqual(['0', '2', '4', '6', '8'])
  expect(labels(0.010026345678901256, 0)).toEqual(['0.000', '0.005', '0.010', '0.015'])
  expect(labels(0.01, 0)).toEqual(['0.0000', '0.0025', '0.0050', '0.0075', '0.0100'])
  expect(labels(48_200)).toEqual(['0', '20K', '40K', '60K'])
  expect(labels(-3, 5)).toEqual(['-4', '-2', '0', '2', '4', '6'])
})

test('for any values, every tick has a label of its own and the values lie between the first and the last', () => {
  const values = fc.array(
    fc.double({ min: -1e12, max: 1e12, noNaN: true }).filter((value) => value === 0 || Math.abs(value) > 1e-12),
  )
  fc.assert(
    fc.property(values, (given) => {
      const ticks = ticksOf(given)
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length)
      expect(ticks.length).toBeLessThan(8)
      expect(ticks[0]!.at).toBeLessThanOrEqual(Math.min(0, ...given))
      expect(ticks.at(-1)!.at).toBeGreaterThanOrEqual(Math.max(0, ...given))
    }),
  )
})
