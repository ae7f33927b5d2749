import { expect, test } from 'vitest'
import { linearPattern } from '../../lib/catalog/item-types/linear-pattern.ts'

const TEXTS = [
  ...[
    '',
    'a',
    'aaa',
    'aab',
    'b',
    'A',
    'ab',
    'abc',
    'foo',
    'xfoo',
    'x@y.de',
    '123-😀',
    '😁',
    '-',
    '/',
    '[',
    ']',
    '^',
    '${}',
  ],
  ...[
    '\n',
    '\r',
    '\v',
    '\b',
    '\0',
    ' ',
    '\u0085',
    '\u00a0',
    '\u180e',
    '\u200b',
    '\u2028',
    '\ufeff',
    'a\nc',
    'a\u2028c',
    'Ä9',
    'ñ',
  ],
]

test.each([
  ...[
    '^(a+)+$',
    '\\d{3}-\\u{1F600}',
    '\\u0041',
    '(?<n>a)b',
    '^\\p{L}+$',
    '\\cJ',
    '[^\\s]',
    '\\/',
    '[\\-a-c-]',
    '\\S$',
    '[]',
  ],
  ...['[^]', 'a.c', '^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$', '\\bfoo\\b', '[\\b]', '\\0', '^\\s*$', '[\\S]', '[^\\S]', '😀+'],
  ...[
    '[😀-😂]',
    '\\uD83D\\uDE00',
    'a{2}?b',
    '^$',
    'x|',
    '\\$\\{\\}',
    '[[\\]]',
    '[a^]',
    '^.{0,3}$',
    '[\\D\\d]',
    '\\W',
    '[.]',
  ],
])('%s means the same in linear time as in JavaScript', (pattern) => {
  const { matcher } = linearPattern(pattern)!
  const own = new RegExp(pattern, 'u')
  expect(TEXTS.filter((text) => matcher.test(text))).toEqual(TEXTS.filter((text) => own.test(text)))
})

test.each([
  '(?=a)',
  '(?<!a)b',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  '(?i:a)',
  '\\p{Script=Greek}',
  'a{1001}',
  '((a{99}){99}){99}',
  '(',
])('%s is left to JavaScript', (pattern) => expect(linearPattern(pattern)).toBeNull())
