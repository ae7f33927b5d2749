import { expect, test } from 'vitest'
import { columnsOf, fieldsOf, newColumnsOf } from '../../lib/core/columns-of.ts'

const FIELDS = { start_time: 'startsAt', note: 'note' } as const

test('a change clears what is null and leaves alone what is left out', () => {
  expect(columnsOf(FIELDS, { start_time: null, note: undefined, other: 1 })).toEqual({ startsAt: null })
  expect(columnsOf(FIELDS, null)).toEqual({ startsAt: null, note: null })
  expect(columnsOf(FIELDS, undefined)).toEqual({})
})

test('a new row gets the default of what is null or left out', () => {
  expect(newColumnsOf(FIELDS, { start_time: null, note: '' })).toEqual({ note: '' })
  expect(newColumnsOf(FIELDS, null)).toEqual({})
})

test('a row is shown by the names of its fields', () => {
  expect(fieldsOf(FIELDS, { startsAt: 1, note: null, id: 2 })).toEqual({ start_time: 1, note: null })
})
