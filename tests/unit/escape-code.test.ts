import fc from 'fast-check'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { escapeCode } from '../../scripts/escape-code.ts'

/** What code gives that is one expression. */
const valueOf = (code: string): unknown => runInNewContext(code)
const isLatin1 = (code: string): boolean => !/[^\0-\xff]/.test(code)

test.each([
  ['a string', `'it’s “so”…'`],
  ['a pair of surrogates', `'a😀b'`],
  ['a backslash before a character', `'\\’ \\\\’ \\\\\\’ \\😀'`],
  ['a line that goes on after U+2028', `'a\\\u2028b\\\u2029’c'`],
  ['U+2028 in a string', `'a\u2028b'`],
  ['a template', '`’${1 + 1}“${`…`}”`'],
  ['a name', `(() => { const größe_名 = { 名: 3, '’': 4 }; return größe_名.名 + größe_名['’'] })()`],
  ['an astral name', `(() => { const 𠮷 = 7; return 𠮷 })()`],
  ['a regular expression', `'x’y'.replace(/[‘’]/g, '!')`],
  ['one of code points', `'😀'.replace(/^[😀-😂]$/u, '!')`],
  ['one with a backslash', `'’'.replace(/\\’/, '!')`],
  ['a comment', `/* ’ \u2028 */ 5 // “…”`],
  ['a comment that U+2028 ends', `1 // ’\u2028 + 1`],
  ['a space that is none of Latin-1', `1\u3000+\ufeff1`],
  ['a division that looks like a regular expression', `(() => { const a = 8, g = 2; return [a /2/ g, '’/'] })()`],
])('%s means the same', (_, code) => {
  const plain = escapeCode(code)
  expect(isLatin1(plain)).toBe(true)
  expect(valueOf(plain)).toEqual(valueOf(code))
})

test('what a function gets as it is written stays', () => {
  for (const code of ['String.raw`\\’ ${1}“`', '((s) => s.raw[0])`’`']) {
    expect(escapeCode(code)).toBe(code)
    expect(valueOf(escapeCode(code))).toEqual(valueOf(code))
  }
})

test('code in Latin-1 stays as it is', () => {
  expect(escapeCode(`'Größe' // é`)).toBe(`'Größe' // é`)
})

test('any text means the same in a string and in a template', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const template = `\`${text.replace(/[\\`$]/g, '\\$&')}\``
      for (const code of [JSON.stringify(text), template, `[${template}, ${JSON.stringify(text)}].join('’')`]) {
        expect(isLatin1(escapeCode(code))).toBe(true)
        expect(valueOf(escapeCode(code))).toBe(valueOf(code))
      }
    }),
  )
})
