import { describe, expect, test } from 'vitest'
import { EVENT_DATA } from '../../lib/platform/api/event-data.ts'
import { EVENT_TYPES, EVENTS } from '../../lib/platform/api/events.ts'
import { MISSING } from '../../lib/platform/api/openapi/example-of.ts'
import { FILTERS, IN } from '../../lib/platform/api/openapi/descriptions.ts'
import { FIELDS } from '../../lib/platform/api/openapi/field-descriptions.ts'
import { documentOf, INTERFACES, type Json, operationsOf } from '../support/openapi-documents.ts'

const success = (operation: Json): [string, Json] => Object.entries<Json>(operation.responses)[0]!

describe.each(INTERFACES)('the %s document', (which) => {
  const { document, errorsOf } = documentOf(which)
  const operations = operationsOf(which)

  test('every success has an example, and it is valid', () => {
    const wrong = operations.flatMap(({ id, operation }) => {
      const [status, response] = success(operation)
      expect(Number(status), id).toBeLessThan(300)
      if (status === '204') return []
      return Object.entries<Json>(response.content).flatMap(([, { schema, example }]) => {
        const errors = errorsOf(schema, example)
        const isMissing = example === undefined || JSON.stringify(example).includes(`"${MISSING}"`)
        return errors || isMissing ? [`${id}: ${errors || `give an example: ${JSON.stringify(example)}`}`] : []
      })
    })
    expect(wrong).toEqual([])
  })

  test('every error has an example for each of its codes, and it is valid', () => {
    const wrong = operations.flatMap(({ id, operation }) =>
      Object.entries<Json>(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, { content }]) => {
          const { schema, examples } = content['application/problem+json']
          expect(Object.keys(examples).length, `${id} ${status}`).toBeGreaterThan(0)
          return Object.entries<Json>(examples).flatMap(([code, { value }]) => {
            const errors = errorsOf(schema, value)
            return errors || value.code !== code ? [`${id} ${code}: ${errors}`] : []
          })
        }),
    )
    expect(wrong).toEqual([])
  })

  test('every request body has an example, and it is valid', () => {
    const wrong = operations
      .filter(({ operation }) => operation.requestBody)
      .flatMap(({ id, operation }) => {
        const { schema, example } = operation.requestBody.content['application/json']
        const errors = errorsOf(schema, example)
        return example === undefined || errors ? [`${id}: ${errors}`] : []
      })
    expect(wrong).toEqual([])
  })

  test('every field, parameter, header and area is described', () => {
    const bare: string[] = []
    const visit = (node: Json, at: string): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, value] of Object.entries<Json>(node)) {
        if (name === 'example' || name === 'examples') continue
        if (name === 'properties' && !Array.isArray(value))
          for (const [field, schema] of Object.entries<Json>(value))
            if (!schema.description) bare.push(`${at}.${field}`)
        visit(value, `${at}.${name}`)
      }
    }
    visit(document.components.schemas, '')
    visit(document.paths, '')
    visit(document.webhooks ?? {}, '')
    for (const { id, operation } of operations)
      for (const { name, description } of operation.parameters) if (!description) bare.push(`${id} ${name}`)
    for (const [name, { description }] of Object.entries<Json>(document.components.headers))
      if (!description) bare.push(name)
    for (const { name, description } of document.tags) if (!description) bare.push(name)
    expect(bare).toEqual([])
  })
})

test('no description is left of a field that is gone', () => {
  const said = JSON.stringify(INTERFACES.map((which) => documentOf(which).document))
  for (const table of [FIELDS, IN, FILTERS])
    expect(Object.keys(table).filter((name) => !said.includes(JSON.stringify(table[name])))).toEqual([])
})

describe('webhooks of the administrative document', () => {
  const { document, errorsOf } = documentOf('admin')

  test('every event is there with its payload and a valid example, and nothing else', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES].sort())
    for (const type of EVENT_TYPES) {
      const { schema, example } = document.webhooks[type].post.requestBody.content['application/json']
      expect(errorsOf(schema, example), type).toBe('')
      expect(errorsOf(schema, { ...example, type: 'webhook.test' }), type).not.toBe('')
      expect(example.data, type).toEqual(EVENTS[type].data)
    }
  })

  test('the example of an event has all fields of its schema but optional ones', () => {
    for (const type of EVENT_TYPES) {
      const needed = Object.entries(EVENT_DATA[type].shape).filter(([, field]) => !field.safeParse(undefined).success)
      expect(Object.keys(EVENTS[type].data), type).toEqual(expect.arrayContaining(needed.map(([name]) => name)))
    }
  })
})
