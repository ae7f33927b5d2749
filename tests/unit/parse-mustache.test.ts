import mustache from 'mustache'
import { expect, test } from 'vitest'
import { parseMustache } from '../../lib/messaging/templates/parse-mustache.ts'

const PARTS = [
  '{{a}}',
  '{{#a}}',
  '{{/a}}',
  '{{! a comment }}',
  '\n',
  '  ',
  ' '.repeat(100),
  'text',
  'x'.repeat(100),
  `${'y'.repeat(70)}\n${'z'.repeat(70)}\n`,
  '\r\n',
  '{',
  '}}',
]

test('a template is filled as Mustache fills it, however long its texts are', () => {
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const values = { a: 'v' }
  for (let made = 0; made < 3_000; made++) {
    const inner = Array.from({ length: next(8) }, () => PARTS[next(PARTS.length)]!).join('')
    const template = `${inner}{{#a}}${inner.replace(/\{\{[#/]a\}\}/g, '')}{{/a}}${inner}`
    const filled = (parse: (text: string) => unknown) => {
      const writer = new mustache.Writer()
      writer.parse = parse
      try {
        return writer.render(template, values)
      } catch (error) {
        return (error as Error).message.replace(/\d+/g, '')
      }
    }
    expect(filled(parseMustache), template).toBe(filled((text) => mustache.parse(text)))
  }
})
