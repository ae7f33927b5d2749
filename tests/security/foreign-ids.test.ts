import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { newId } from '../../lib/core/id.ts'
import { getTemplate } from '../../lib/messaging/templates/get-template.ts'
import { ports } from '../../lib/ports/ports.ts'
import { type ApiResponse, call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { contentsOf } from '../support/contents.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

type Rows = Record<string, string>
/** A field that takes ids, by its path: `['items', '[]', 'collection_id']`. */
type Field = { in: 'query' | 'body'; path: string[]; name: string; list: boolean }

let mine: TestOrganization
let own: Rows
let unlockedItemId: string
let stranger: TestOrganization
let theirs: Rows

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  own = await makeRows(mine)
  const [minter] = ports().keys.operators
  await mine.ctx.db.collection.update({ where: { id: own.collection_id! }, data: { minter: minter ?? null } })
  unlockedItemId = (await makeItem(mine, { locked: false })).itemId
  stranger = await makeOrganization()
  theirs = await makeRows(stranger)
})

/** Fields of another sort than the row that they name. */
const ROW_OF: Record<string, string> = {
  claim_id: 'email_claim_id',
  default_item_type_id: 'item_type_id',
  subject_id: 'item_id',
  actor_id: 'api_key_id',
}
/** Ids that name no row of an organization. */
const NO_ROW = new Set(['network_id', 'network_ids', 'token_id', 'token_ids', 'from_id', 'to_id'])

const OFFER = { quantity_listed: 1, price: 0, currency: 'ETH', payment_providers: ['ORGANIZATION'] }

/** Bodies that are accepted but for the id that is tried, by operation, or by operation and field. */
const BODIES: Record<string, (rows: Rows) => object> = {
  'create-email-claim': ({ item_id }) => ({ email: 'ada@example.com', item_id }),
  'create-email-claims': ({ item_id }) => ({ claims: [{ email: 'ada@example.com', item_id }] }),
  'import-items': ({ collection_id }) => ({ collection_id, csv: 'title\nNew\n' }),
  'import-email-claims': ({ item_id }) => ({ csv: 'email\ngrace@example.com\n', item_id }),
  'create-collection': () => ({ name: newId() }),
  'create-item': ({ collection_id }) => ({ collection_id, attributes: { title: 'New' } }),
  'create-items': ({ collection_id }) => ({ items: [{ collection_id, attributes: { title: 'New' } }] }),
  'lock-items': () => ({}),
  'create-perk': () => ({ title: 'New', text: 'New' }),
  'create-listing': ({ item_id }) => ({ item_id, ...OFFER }),
  'create-listing collection_id': () => OFFER,
  'create-listing policy.snapshot_id': ({ item_id }) => ({ item_id, ...OFFER, policy: { type: 'SNAPSHOT' } }),
  'create-mint-requests': () => ({ to_address: makeRandomAddress() }),
  'create-snapshot': () => ({ name: 'Now', block_number: 1 }),
  'update-listing': () => ({}),
  'update-collection': () => ({}),
  A5: () => ({ attributes: { title: 'New' } }),
}

type Schema = { properties?: Record<string, Schema>; items?: Schema; type?: string } & Partial<
  Record<'anyOf' | 'oneOf' | 'allOf', Schema[]>
>

function fieldsOf(endpoint: Endpoint): Field[] {
  const found = new Map<string, Field>()
  const walk = (part: Field['in'], schema: Schema, path: string[]): void => {
    const name = path.at(-1) ?? ''
    if (/_ids?$/.test(name) && !NO_ROW.has(name) && !name.endsWith('[]'))
      found.set(`${part} ${path.join('.')}`, { in: part, path, name, list: name.endsWith('_ids') })
    for (const [key, inner] of Object.entries(schema.properties ?? {})) walk(part, inner, [...path, key])
    if (schema.items && !/_ids?$/.test(name)) walk(part, schema.items, [...path, '[]'])
    for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      walk(part, inner, path)
  }
  for (const part of ['query', 'body'] as const)
    if (endpoint[part])
      walk(part, z.toJSONSchema(endpoint[part], { unrepresentable: 'any', io: 'input' }) as Schema, [])
  return [...found.values()]
}

/** The body with `value` at the path; of a list, in its first entry. */
function withValue(body: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  if (key === '[]') {
    const [first, ...others] = Array.isArray(body) ? (body as unknown[]) : [{}]
    return [withValue(first, rest, value), ...others]
  }
  const fields = (body ?? {}) as Record<string, unknown>
  return { ...fields, [key]: withValue(fields[key], rest, value) }
}

const rowOf = ({ name }: Field): string => ROW_OF[name] ?? name.replace(/_ids$/, '_id')

function send(endpoint: Endpoint, field: Field, id: string): Promise<ApiResponse> {
  const rows = endpoint.id === 'A5' ? { ...own, item_id: unlockedItemId } : own // a locked item keeps its type
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => rows[name]!)
  const base = BODIES[`${endpoint.id} ${field.path.join('.')}`] ?? BODIES[endpoint.id]
  const body = base?.(own) ?? endpoint.example
  const value = field.list ? [id] : id
  return field.in === 'query'
    ? call(endpoint.method, `${path}?${field.name}=${id}`, { key: mine.key, ...(body !== undefined && { body }) })
    : call(endpoint.method, path, { key: mine.key, body: withValue(body, field.path, value) })
}

const cases = endpoints
  .filter(({ auth }) => auth === 'api_key')
  .flatMap((endpoint) =>
    fieldsOf(endpoint).map(
      (field) => [`${endpoint.method} ${endpoint.path}: ${field.in} ${field.path.join('.')}`, endpoint, field] as const,
    ),
  )

describe('an id of another organization', () => {
  test.each(cases)(
    '%s is answered as an unknown id by the name of its field, and written nowhere',
    async (_, endpoint, field) => {
      const foreign = theirs[rowOf(field)] ?? expect.fail(`Add a ${rowOf(field)} to tests/support/rows.ts.`)
      const unknown = newId()
      const before = await contentsOf(stranger)
      const wire = ({ status, body }: ApiResponse, id: string) => {
        const text = typeof body === 'string' ? body : JSON.stringify({ ...body, request_id: '' })
        return [status, text.replaceAll(id, 'the id').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')]
      }
      const answer = await send(endpoint, field, foreign)
      expect(wire(answer, foreign)).toEqual(wire(await send(endpoint, field, unknown), unknown))
      expect(answer.status).toBeLessThan(500)
      const place = [...field.path, ...(field.list ? ['0'] : [])].map((part) => (part === '[]' ? '0' : part)).join('.')
      if (answer.status === 404)
        expect(answer.body.errors).toEqual([
          { field: place, code: 'not_found', detail: expect.stringMatching(/^There is no [a-z ]+ by this id\.$/) },
        ])
      expect(await contentsOf(stranger)).toEqual(before)
      if (field.in === 'body') {
        const id = own[rowOf(field)]!
        expect(wire(await send(endpoint, field, id), id)).not.toEqual(wire(answer, foreign))
      }
      expect((await contentsOf(mine)).filter((line) => line.includes(foreign))).toEqual([])
    },
  )

  test('in the lines of an import, it is invalid as an unknown id is', async () => {
    const api = callerOf(mine.key)
    const verdictOf = async (id: string) => {
      const made = await api.post('/v1/email-claims/import', {
        csv: `email,item_id\nada@example.com,${id}\n`,
        dry_run: true,
      })
      return [
        made.status,
        JSON.stringify(made.body.rows ?? made.body.lines ?? made.body)
          .replaceAll(id, 'the id')
          .replaceAll(made.body.id, ''),
      ]
    }
    expect(await verdictOf(theirs.item_id!)).toEqual(await verdictOf(newId()))
  })

  test('a filter in place of an id, as a form’s action may be given one, names nothing', async () => {
    const filter = { not: '' } as unknown as string
    await expect(getTemplate(mine.ctx, 'REDEEM_NFT', { campaign_id: filter })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
