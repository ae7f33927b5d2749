import { newId } from '../../../lib/core/id.ts'
import type { Dice } from './dice.ts'

/** A number that JavaScript can't hold, as it is written into a body. */
const exactly = (text: string) => `@number ${text}@`
/** A body as JSON, with such numbers. */
export const jsonOf = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replace(/"@number ([^@"]+)@"/g, (_, text: string) => text)

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u202e\u200b',
  '\u{1f319}'.repeat(200),
  'x'.repeat(256),
  'x'.repeat(20_000),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '-1',
  '0x10',
  '1e400',
  '٣',
  '9'.repeat(78),
  '9'.repeat(400),
  '<script>',
  "'; DROP TABLE items; --",
  '%00',
  '../../etc/passwd',
  'http://169.254.169.254/',
  'https://[::1]/',
  'https://a.example:99999/',
  'javascript:alert(1)',
  '{{#a}}{{/b}}',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T25:00:00Z',
  '2026-11-23T00:00:00+23:59',
  '0x0000000000000000000000000000000000000000',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'a@b',
  'ada@example.com\nBcc: eve@example.com',
  '=1+1',
  '[',
] as const

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.5,
  1e-300,
  2 ** 31,
  2 ** 53 - 1,
  exactly('9007199254740993'),
  exactly('1e400'),
  exactly('-1e400'),
  exactly('123456789012345678901234567890'),
  [],
  [null],
  [[]],
  {},
  { a: { b: {} } },
  { length: 1e9 },
  { then: 'x' },
]

export const oddText = (dice: Dice): string => (dice.percent(10) ? newId() : dice.pick(ODD_TEXTS))
export const oddValue = (dice: Dice): unknown =>
  dice.percent(45)
    ? oddText(dice)
    : dice.percent(6)
      ? nestedBy(dice.pick([30, 99, 1_000]))
      : structuredClone(dice.pick(ODD_VALUES))

function nestedBy(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value }
  return value
}

const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'a:b',
  '',
  '\0',
  '\ud800',
  'x'.repeat(101),
  '$ref',
]

/** Another value at a random place of a body: an odd one, none, or an unknown field beside it. */
export function mutate(value: unknown, dice: Dice): unknown {
  const places = placesIn(value)
  if (places.length === 0 || dice.percent(3)) return oddValue(dice)
  const { holder, name } = dice.pick(places)
  if (dice.percent(15)) delete holder[name]
  else if (dice.percent(20) && !Array.isArray(holder))
    Object.defineProperty(holder, dice.pick(ODD_NAMES), {
      value: oddValue(dice),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else if (dice.percent(10) && Array.isArray(holder[name]))
    holder[name] = Array.from({ length: dice.pick([2, 101, 1001, 10_001]) }, () => holder[name])
  else holder[name] = oddValue(dice)
  return value
}

type Place = { holder: Record<string, unknown>; name: string }
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])])
}
