import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mended, type Part, partsOf, textOf, unpairedOf } from '../../components/dashboard/campaigns/template-parts.ts'

const names = ['item_title', 'retry', 'quantity']

test('a template’s text is read in pieces: words, variables, and both ends of conditions', () => {
  expect(partsOf('A {{ item_title }}{{^quantity}}one{{/quantity}}', names)).toEqual([
    'A ',
    { kind: '', name: 'item_title' },
    { kind: '^', name: 'quantity' },
    'one',
    { kind: '/', name: 'quantity' },
  ])
})

test('what is no variable of the mail, or only one end of a condition, stays text', () => {
  for (const text of ['{{pni}}', '{{item_title', '{{#retry}}x', 'x{{/retry}}', '{{{item}}}', '{{> item}}'])
    expect(partsOf(text, names)).toEqual([text])
})

test('a condition goes whose one end is removed, and its words stay', () => {
  const [open, , , close] = partsOf('{{#retry}}a{{item_title}}{{/retry}}', names) as [Part, Part, Part, Part]
  expect(mended([open, 'a'], names)).toEqual(['a'])
  expect(mended(['a', close, 'b'], names)).toEqual(['ab'])
})

test('a condition that is begun in words ends where it begins', () => {
  expect(textOf(mended(['{{#retry}} and {{item_title}}'], names))).toBe('{{#retry}}{{/retry}} and {{item_title}}')
})

test('for any pieces, what was edited has no condition with one end, and is read as it was written', () => {
  const tag = fc.record({ kind: fc.constantFrom('', '#', '^', '/'), name: fc.constantFrom(...names) })
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), tag as fc.Arbitrary<Part>)), (parts) => {
      const once = mended(parts, names)
      expect(unpairedOf(once).size).toBe(0)
      expect(textOf(partsOf(textOf(once), names))).toBe(textOf(once))
    }),
  )
})
