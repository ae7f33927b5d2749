import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { columnOf, columns } from '../../lib/db/columns.ts'

test('columns are named as their model names them', () => {
  expect(columns('l', 'Listing', ['id', 'startsAt', 'currency'])).toBe('l.id, l.starts_at AS "startsAt", l.currency')
  expect(columns('v', 'Voucher', ['id', 'txHash'], 'voucher')).toBe('v.id AS "voucherId", v.tx_hash AS "voucherTxHash"')
})

test('each field’s column in the database has the field’s name with underscores', () => {
  const schema = readFileSync('prisma/schema.prisma', 'utf8')
  const fields = [...schema.matchAll(/^ {2}(\w+) .*@map\("(\w+)"\)/gm)]
  expect(fields.length).toBeGreaterThan(300)
  for (const [, field, column] of fields) expect(columnOf(field!)).toBe(column)
})
