import { expect, test } from 'vitest'
import { readAmount, writtenIn } from '../../lib/core/read-amount.ts'

test('an amount is read as any of our languages writes it', () => {
  for (const [written, read] of [
    ['12,50', '12.5'],
    ['12.50', '12.5'],
    ['1250', '1250'],
    ['1.250,50', '1250.5'],
    ['1,250.50', '1250.5'],
    ['1 250,50', '1250.5'],
    ['1\u202f250,50', '1250.5'],
    ['1,250,000', '1250000'],
    ['0,050', '0.05'],
    ['0.000000000000000001', '0.000000000000000001'],
    [' 007 ', '7'],
  ])
    for (const locale of ['en', 'de'] as const) expect(readAmount(written!, locale), written).toBe(read)
})

test('what reads differently in two of our languages has both readings, the page’s first', () => {
  expect(readAmount('1,250', 'en')).toEqual(['1250', '1.25'])
  expect(readAmount('1,250', 'de')).toEqual(['1.25', '1250'])
  expect(readAmount('1.250', 'de')).toEqual(['1250', '1.25'])
  expect(readAmount('12.345', 'en')).toEqual(['12.345', '12345'])
  expect(writtenIn('1.25', 'de')).toBe('1,25')
})

test('what no language writes is no amount', () => {
  for (const written of [
    '',
    ' ',
    '-1',
    '1e3',
    '1,2,3',
    '1..2',
    '.5',
    '5.',
    '1,250,50',
    '12 34',
    '0x10',
    '1.2.3,4',
    '€5',
  ])
    expect(readAmount(written, 'de'), written).toBe(null)
})
