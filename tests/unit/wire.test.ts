import { expect, test } from 'vitest'
import { z } from 'zod'
import { address, email, many, safeString, uint } from '../../lib/core/wire.ts'

const mixed = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('an address is accepted in lower case or checksummed, and always returned checksummed', () => {
  expect(address.parse(mixed)).toBe(mixed)
  expect(address.parse(mixed.toLowerCase())).toBe(mixed)
})

test('one mistyped character of a checksummed address is refused', () => {
  const typo = mixed.replace('C8', 'c8')
  expect(address.safeParse(typo).error?.issues[0]?.message).toContain('checksum')
  expect(address.safeParse('0x123').success).toBe(false)
  expect(address.safeParse(`0X${mixed.slice(2)}`).success).toBe(false)
})

test('a safe string has at most 255 characters and no control characters', () => {
  expect(safeString.safeParse('a'.repeat(255)).success).toBe(true)
  expect(safeString.safeParse('a'.repeat(256)).success).toBe(false)
  expect(safeString.safeParse('a\u0000b').success).toBe(false)
  expect(safeString.safeParse('a\nb').success).toBe(false)
})

test('an amount is read from a decimal string or an integer and written as a decimal string', () => {
  expect(uint.parse('340282366920938463463374607431768211456')).toBe(2n ** 128n)
  expect(uint.parse(7)).toBe(7n)
  expect(z.encode(uint, 7n)).toBe('7')
  for (const bad of ['-1', '1.5', '0x1', '', 1.5, -1, null]) expect(uint.safeParse(bad).success).toBe(false)
  expect(uint.parse(String(2n ** 256n - 1n))).toBe(2n ** 256n - 1n)
  expect(uint.safeParse(String(2n ** 256n)).error?.issues[0]?.message).toBe('This must be less than 2^256.')
})

test('a list parameter may be repeated, comma-separated or both', () => {
  const schema = many(z.coerce.number().int())
  expect(schema.parse('1,2')).toEqual([1, 2])
  expect(schema.parse(['1', '2,3'])).toEqual([1, 2, 3])
  expect(schema.parse(undefined)).toEqual([])
  expect(many(z.string(), { commas: false }).parse('size:XL, red')).toEqual(['size:XL, red'])
})

test('an email address is trimmed and lower-cased', () => {
  expect(email.parse('  Ada@Example.COM ')).toBe('ada@example.com')
  expect(email.safeParse('ada@').success).toBe(false)
})
