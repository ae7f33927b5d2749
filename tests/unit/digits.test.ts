import { expect, test } from 'vitest'
import { plainDigits } from '../../lib/core/digits.ts'
import { typedPin } from '../../lib/giving/redemptions/judge-pin.ts'

test('the digits of every script are written as 0 to 9, and nothing else changes', () => {
  for (const digits of [
    '0123456789',
    '٠١٢٣٤٥٦٧٨٩',
    '۰۱۲۳۴۵۶۷۸۹',
    '०१२३४५६७८९',
    '০১২৩৪৫৬৭৮৯',
    '๐๑๒๓๔๕๖๗๘๙',
    '０１２３４５６７８９',
    '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
    '𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡',
  ])
    expect(plainDigits(`a ${digits} ²½Ⅳ三-`)).toBe('a 0123456789 ²½Ⅳ三-')
})

test('each digit that Unicode knows has the value that Unicode gives it', () => {
  const all = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((sign) => /\p{Nd}/u.test(sign))
  expect(all.length % 10).toBe(0)
  // They come in order, ten of a script each.
  expect(plainDigits(all.join(''))).toBe('0123456789'.repeat(all.length / 10))
})

test('a PIN may be typed in the digits of any script, with spaces and hyphens', () => {
  for (const typed of ['048213', ' 048-213', '٠٤٨ ٢١٣', '۰۴۸۲۱۳', '０４８２１３', '०४८२१३'])
    expect(typedPin(typed)).toBe('048213')
  for (const typed of ['', null, '04821', '٠٤٨٢١', '0482130', 'O48213', '零四八二一三'])
    expect(() => typedPin(typed)).toThrow()
})
