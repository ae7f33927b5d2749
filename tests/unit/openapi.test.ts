import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { interfaceOf, openapi } from '../../lib/platform/api/openapi.ts'
import { ERRORS } from '../../lib/core/errors.ts'
import { count, timestamp, uint, uuid } from '../../lib/core/wire.ts'

type Json = any // a test walks the document as it stands
const documents = (['public', 'admin'] as const).map(
  (which) => [which, openapi(endpoints, which, 'https://vitrine.example')] as const,
)

function eachNode(node: Json, visit: (node: Json) => void): void {
  if (typeof node !== 'object' || node === null) return
  visit(node)
  for (const value of Object.values(node)) eachNode(value, visit)
}

test('every endpoint stands in exactly one document, under its own base', () => {
  for (const [which, document] of documents as Json) {
    const listed = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${document.servers[0].url}${path}`),
    )
    const expected = endpoints
      .filter((one) => interfaceOf(one) === which)
      .map((one) => `${one.method} https://vitrine.example${one.path}`)
    expect(listed.sort()).toEqual(expected.sort())
  }
})

test('every reference leads somewhere, and every operation has a name of its own', () => {
  for (const [, document] of documents as Json) {
    const lost: string[] = []
    const names: string[] = []
    eachNode(document, (node) => {
      if (
        typeof node.$ref === 'string' &&
        !(node.$ref.replace('#/components/schemas/', '') in document.components.schemas)
      )
        lost.push(node.$ref)
      if (typeof node.operationId === 'string') names.push(node.operationId)
    })
    expect(lost).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(JSON.stringify(document)).not.toContain('$defs')
  }
})

test('admin operations ask for a key, public ones for none; path parameters are all described', () => {
  for (const [which, document] of documents as Json)
    for (const [path, item] of Object.entries<Json>(document.paths))
      for (const operation of Object.values<Json>(item)) {
        expect(operation.security).toEqual(which === 'admin' ? [{ bearer: [] }, { api_key: [] }] : [])
        const named = operation.parameters
          .filter((parameter: Json) => parameter.in === 'path')
          .map((parameter: Json) => parameter.name)
        expect(named.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort())
      }
})

test('every example is one that the operation takes', () => {
  const refused = endpoints
    .filter((one: Endpoint) => one.example !== undefined && !one.body?.safeParse(one.example).success)
    .map(({ id }) => id)
  expect(refused).toEqual([])
  const without = endpoints.filter((one: Endpoint) => one.body && one.example === undefined).map(({ id }) => id)
  expect(without).toEqual([])
})

test('every answer has its codes, each with an example of the problem', () => {
  for (const [, document] of documents as Json)
    for (const item of Object.values<Json>(document.paths))
      for (const operation of Object.values<Json>(item))
        for (const [status, response] of Object.entries<Json>(operation.responses).filter(
          ([code]) => Number(code) >= 400,
        ))
          for (const [code, { value }] of Object.entries<Json>(response.content['application/problem+json'].examples)) {
            expect(ERRORS[code as keyof typeof ERRORS][0]).toBe(Number(status))
            expect(value).toMatchObject({
              code,
              status: Number(status),
              type: `https://vitrine.example/docs/errors#${code}`,
            })
          }
})

test('an amount may be sent in two forms and is answered in one', () => {
  const thing = z.object({ id: uuid, amount: uint, units: count, at: timestamp }).meta({ id: 'Thing' })
  const one = endpoint({
    id: 't',
    method: 'POST',
    path: '/v1/things',
    area: 'things',
    auth: 'api_key',
    summary: 'T',
    body: thing,
    response: thing,
  })
  const { paths, components } = openapi([one], 'admin', 'https://vitrine.example') as Json
  const operation = paths['/v1/things'].post
  const sent = components.schemas[operation.requestBody.content['application/json'].schema.$ref.split('/').at(-1)]
  const answered =
    components.schemas[operation.responses['200'].content['application/json'].schema.$ref.split('/').at(-1)]
  expect(sent.properties.amount.anyOf).toHaveLength(2)
  expect(answered.properties.amount).toMatchObject({ type: 'string' })
  expect(answered.properties.units).toMatchObject({ type: 'integer' })
  expect(answered.properties.at).toMatchObject({ type: 'string', format: 'date-time' })
})
