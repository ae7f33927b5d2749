import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { interfaceOf, openapi } from '../../lib/platform/api/openapi.ts'
import { ERRORS } from '../../lib/core/errors.ts'
import { count, timestamp, uint, uuid } from '../../lib/core/wire.ts'

type Json = any // the test inspects the document untyped
const documents = (['public', 'admin'] as const).map(
  (which) => [which, openapi(endpoints, which, 'https://vitrine.example')] as const,
)

function eachNode(node: Json, visit: (node: Json) => void): void {
  if (typeof node !== 'object' || node === null) return
  visit(node)
  for (const value of Object.values(node)) eachNode(value, visit)
}

test('every endpoint is in exactly one document, under that document’s base path', () => {
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

test('every reference resolves, and every operation has a unique name', () => {
  for (const [, document] of documents as Json) {
    const dangling: string[] = []
    const names: string[] = []
    eachNode(document, (node) => {
      const [, , kind, name] = typeof node.$ref === 'string' ? node.$ref.split('/') : []
      if (kind && !(name in document.components[kind])) dangling.push(node.$ref)
      if (typeof node.operationId === 'string') names.push(node.operationId)
    })
    expect(dangling).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(JSON.stringify(document)).not.toContain('$defs')
  }
})

test('admin operations need a key, public ones none; every path parameter is described', () => {
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

test('every error response lists its codes, each with an example problem', () => {
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

test('an amount is accepted in two forms and returned in one', () => {
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
