import { beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { callerOf } from '../support/call.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { INTERFACES, type Json, documentOf, operationsOf } from '../support/openapi-documents.ts'
import { makeOrganization } from '../support/organization.ts'
import { leastOfRequest, MAX_MB, MAX_TURN_MS } from '../support/worst-inputs/measure.ts'
import { REQUESTS } from '../support/worst-inputs/requests.ts'
import { LARGEST_FILES, UPLOADS } from '../support/worst-inputs/uploads.ts'
import { makeType, makeWorld, SCHEMAS, world } from '../support/worst-inputs/world.ts'

beforeAll(makeWorld)

test.each([...REQUESTS, ...UPLOADS])(
  'the loop is held for at most 100 ms, and the process grows by at most 100 MB, by %s',
  async (...row) => {
    const least = await leastOfRequest(row)
    expect(least.ms).toBeLessThanOrEqual(MAX_TURN_MS)
    expect(least.mb).toBeLessThanOrEqual(MAX_MB)
  },
)

test.each(LARGEST_FILES)('the loop is held for at most 100 ms by the largest file of %s', async (...row) => {
  expect((await leastOfRequest(row, Number.POSITIVE_INFINITY)).ms).toBeLessThanOrEqual(MAX_TURN_MS)
})

/** Bytes of a body that no bound of the loop depends on. */
const SMALL_BYTES = 10_000
const BYTES: Record<string, number> = { uuid: 36, 'date-time': 40, email: 320 }

/** The most bytes that a value has by a schema of a document; Infinity where it has no bound. */
function mostBytes(schema: Json, schemas: Json, inside: readonly string[] = []): number {
  const of = (inner: Json) => mostBytes(inner, schemas, inside)
  const name = schema.$ref?.split('/').at(-1)
  if (name === 'Address') return 42
  if (name) return inside.includes(name) ? Infinity : mostBytes(schemas[name], schemas, [...inside, name])
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return Math.max(...choices.map(of))
  if (schema.enum) return Math.max(...schema.enum.map((value: Json) => JSON.stringify(value).length))
  const fields = Object.entries<Json>(schema.properties ?? {}).map(([field, inner]) => field.length + 4 + of(inner))
  const sizes = [schema.type].flat().map((type: string) => {
    if (type === 'string') {
      const repeated = Number(/\{(?:\d+,)?(\d+)\}\$$/.exec(schema.pattern)?.[1] ?? Infinity)
      return schema.maxLength ?? BYTES[schema.format] ?? 2 * repeated
    }
    if (type === 'array') return (schema.maxItems ?? Infinity) * of(schema.items)
    if (type === 'object') return schema.properties ? fields.reduce((sum, bytes) => sum + bytes, 2) : Infinity
    return schema.const === undefined && type === undefined ? Infinity : 24
  })
  return Math.max(...sizes)
}

test('each operation whose body may be larger than 10 kB has its worst input here', () => {
  const large = INTERFACES.flatMap((which) =>
    operationsOf(which).flatMap(({ id, operation }) => {
      const schema = operation.requestBody?.content['application/json'].schema
      return schema && mostBytes(schema, documentOf(which).document.components.schemas) > SMALL_BYTES ? id : []
    }),
  )
  const sent = [...REQUESTS, ...UPLOADS, ...LARGEST_FILES].map(([, make]) => make())
  const measured = endpoints.filter(({ method, path }) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return sent.some((one) => one.method === method && pattern.test(one.url.split('?', 1)[0]!))
  })
  expect(large.filter((id) => !measured.some((endpoint) => endpoint.id === id))).toEqual([])
  expect(large.length).toBeGreaterThan(20)
})

test('slow lines of one organization fail alone, and those of others are imported meanwhile', async () => {
  const api = callerOf(world.organization.key)
  const other = await makeOrganization()
  const others = callerOf(other.key)
  const theirs = (await others.post('/v1/collections', { name: newId() })).body.id
  const type = await makeType({ properties: { part: {} } })
  const slow = await api.post('/v1/items/import', {
    collection_id: world.collection,
    item_type_id: type,
    csv: `title,part\n${`x,${'a'.repeat(60)}b\n`.repeat(3)}`,
    dry_run: false,
  })
  expect((await api.patch(`/v1/item-types/${type}`, { schema: { properties: { part: SCHEMAS.ahead } } })).status).toBe(
    200,
  )
  const quick = await others.post('/v1/items/import', { collection_id: theirs, csv: 'title\nMoon', dry_run: false })
  expect([slow.status, quick.status]).toEqual([201, 201])
  const { ms } = await longestTurn(() => runImports(systemContext()))
  expect(ms).toBeLessThanOrEqual(MAX_TURN_MS)
  expect((await others.get(`/v1/imports/${quick.body.id}`)).body.done_count).toBe(1)
  while ((await runImports(systemContext())) > 0);
  const { results } = (await api.get(`/v1/imports/${slow.body.id}/rows`)).body
  expect(new Set(results.map(({ failure }: { failure: string }) => failure))).toEqual(
    new Set(['The item type’s schema takes too long to check these attributes.']),
  )
})
