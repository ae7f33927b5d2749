import { expect, test } from 'vitest'
import { assertSchemaValid, assertAttributesValid } from '../../lib/catalog/item-types/validate-attributes.ts'

test('a schema that calls itself asynchronous is validated like any other', () => {
  const schema = { $async: true, type: 'object', required: ['title'] }
  assertSchemaValid(schema)
  const typeSchema = { id: 'asynchronous', version: 1, schema }
  assertAttributesValid([{ typeSchema, attributes: { title: 'Ada' }, field: 'attributes' }])
  expect(() => assertAttributesValid([{ typeSchema, attributes: {}, field: 'attributes' }])).toThrow('attributes.title')
})
