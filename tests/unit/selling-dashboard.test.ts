import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalOf, minorOf } from '../../lib/core/money.ts'
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
    { line: 6, text: 'grace', kind: 'wrong', why: 'This is neither an address nor an email address.' },
    {
      line: 7,
      text: `${ada.slice(0, -1)}c`,
      kind: 'wrong',
      why: 'The checksum of this address is wrong: a character may be mistyped.',
    },
    { line: 8, text: '0x12', kind: 'wrong', why: 'This is not an address: 0x and 40 hex digits are needed.' },
  ])
})

test('for any pasted text, each line gets at most one verdict and no value is accepted twice', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant(ada), fc.emailAddress())), (lines) => {
      const verdicts = checkList(lines.join('\n'))
      expect(new Set(verdicts.map(({ line }) => line)).size).toBe(verdicts.length)
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
