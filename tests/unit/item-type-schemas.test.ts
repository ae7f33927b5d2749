import { expect, test } from 'vitest'
import { assertSchemaValid, assertAttributesValid } from '../../lib/catalog/item-types/validate-attributes.ts'

const ctx = { organizationId: 'somebody', actor: { type: 'system' } } as const

test('a schema that calls itself asynchronous is validated like any other', async () => {
  const schema = { $async: true, type: 'object', required: ['title'] }
  await assertSchemaValid(ctx, schema)
  const typeSchema = { id: 'asynchronous', version: 1, schema }
  await assertAttributesValid(ctx, [{ typeSchema, attributes: { title: 'Ada' }, field: 'attributes' }])
  await expect(assertAttributesValid(ctx, [{ typeSchema, attributes: {}, field: 'attributes' }])).rejects.toThrow(
    'attributes.title',
  )
})
