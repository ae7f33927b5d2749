import { expect, test } from 'vitest'
import { isEmailAddress } from '../../lib/core/email-address.ts'
import { shownEmail } from '../../lib/core/shown-email.ts'
import { email } from '../../lib/core/wire.ts'

const long = (...lengths: number[]) => lengths.map((length) => 'x'.repeat(length)).join('.')

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['  ada@example.com\u200b\n', 'ada@example.com'],
  ['\u202aada@example.com\u202c', 'ada@example.com'],
  ["o'neil@example.ie", "o'neil@example.ie"],
  ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
  ['a..b.@docomo.example', 'a..b.@docomo.example'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
  ['ada@xn--e1afmkfd.xn--p1ai', 'ada@xn--e1afmkfd.xn--p1ai'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
  ['ada@straße.de', 'ada@xn--strae-oqa.de'],
  [`${long(64)}@example.com`, `${long(64)}@example.com`],
])('the address %j is kept as %s', (written, stored) => {
  expect(email.parse(written)).toBe(stored)
  expect(email.parse(stored)).toBe(stored)
  expect(isEmailAddress(written)).toBe(true)
})

test.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'ada@example.com.',
  'ada@пример.',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  'ada@example..com',
  'ada@-example.com',
  'ada@exa mple.com',
  'ada@пример.рф:25',
  'ada@пример.рф/path',
  'ada@b%c3%bc.пример',
  'ada@user@пример.рф',
  'ada lovelace@example.com',
  '"ada lovelace"@example.com',
  'josé@example.com',
  `${long(65)}@example.com`,
  `ada@${long(64)}.com`,
  `ada@${long(63, 63, 63, 63)}.com`,
])('%j is no address', (written) => {
  expect(email.safeParse(written).success).toBe(false)
  expect(isEmailAddress(written)).toBe(false)
})

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
  ['ada@xn--e1afmkfd.xn--p1ai', 'ada@пример.рф'],
  ['ada@xn--r8jz45g.xn--zckzah', 'ada@例え.テスト'],
  ['ada@xn--80ak6aa92e.com', 'ada@аррӏе.com'],
  // Latin letters and a Cyrillic а.
  ['ada@xn--pypal-4ve.com', 'ada@xn--pypal-4ve.com'],
  ['ada@xn--99999999999.com', 'ada@xn--99999999999.com'],
  ['ada', 'ada'],
])('%s is shown as %s', (stored, shown) => {
  expect(shownEmail(stored)).toBe(shown)
})
