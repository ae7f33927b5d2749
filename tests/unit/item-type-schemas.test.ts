import { expect, test } from 'vitest'
import { checkSchema, judgeAttributes } from '../../lib/catalog/item-types/judge-attributes.ts'

test('a schema that calls itself asynchronous is validated like any other', () => {
  const schema = { $async: true, type: 'object', required: ['title'] }
  checkSchema(schema)
  const judge = { id: 'asynchronous', version: 1, schema }
  judgeAttributes([{ judge, attributes: { title: 'Ada' }, at: 'attributes' }])
  expect(() => judgeAttributes([{ judge, attributes: {}, at: 'attributes' }])).toThrow('attributes.title')
})
