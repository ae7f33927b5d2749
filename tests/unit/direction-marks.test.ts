import { expect, test } from 'vitest'
import { withoutStrayMarks } from '../../lib/core/direction-marks.ts'
import { fillSubject } from '../../lib/messaging/templates/fill.ts'

test.each([
  ['gift \u202efdp.exe', 'gift fdp.exe'],
  ['\u202a\u202b\u202cA\u202d', 'A'],
  ['\u2067never ended', 'never ended'],
  ['never begun\u2069', 'never begun'],
  ['\u2068Ada\u2069 gives \u2067هدية\u2069', '\u2068Ada\u2069 gives \u2067هدية\u2069'],
  ['\u2066a\u2068b\u2069', 'a\u2068b\u2069'],
  ['\u200fهدية\u200e 🌙', '\u200fهدية\u200e 🌙'],
])('of %j stays %j', (text, kept) => expect(withoutStrayMarks(text)).toBe(kept))

test('a value can’t turn around the words of a subject', () => {
  expect(fillSubject('{{title}} is yours', { title: 'Moon\u202eflower\u2066' })).toBe('Moonflower is yours')
})
