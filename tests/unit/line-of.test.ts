import { expect, test } from 'vitest'
import { lineOf } from '../../lib/core/line-of.ts'

test.each([
  ['Moonflower', 'Moonflower'],
  ['  a\0\n\tb\u0085 ', 'a b'],
  ['a\ud800b', 'a\ufffdb'],
  ['123456789🌙', '123456789'],
  ['12345678🌙0', '12345678🌙'],
  ['123456789 0', '123456789'],
  ['\0 \n', undefined],
  ['', undefined],
  [7, undefined],
])('%j becomes the line %j of at most 10 characters', (value, line) => {
  expect(lineOf(value, 10)).toBe(line)
})
