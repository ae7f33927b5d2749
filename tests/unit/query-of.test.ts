import { expect, test } from 'vitest'
import { z } from 'zod'
import { MOST_NAMED } from '../../lib/core/parse-fields.ts'
import { many } from '../../lib/core/wire.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { queryOf } from '../../lib/platform/http/query-of.ts'

const text = z.string().nullish()
const query = z.object({
  collection_ids: many(z.string()),
  email_address: text,
  state: text,
  item_id: text,
  wait: text,
})
const publicRead = { method: 'GET', auth: 'anonymous', query, shortNames: { email: 'email_address' } } as const
const adminRead = { method: 'GET', auth: 'api_key', query } as const
const adminWrite = { method: 'DELETE', auth: 'api_key', query } as const
const publicWrite = { method: 'DELETE', auth: 'anonymous', query } as const

type Asked = Parameters<typeof queryOf>[0]
const read = (endpoint: Asked, search: string) => queryOf(endpoint, new URLSearchParams(search))
const given = (endpoint: Asked, search: string) => {
  const { query: found, fields } = read(endpoint, search)
  expect(fields).toEqual([])
  return found
}
const faults = (endpoint: Asked, search: string) =>
  read(endpoint, search).fields.map(({ field, code, detail }) => [field, code, / is (\w+)\.$/.exec(detail)?.[1]])

test.each([
  'collection_ids=a&collection_ids=b',
  'collection_ids[]=a&collection_ids[]=b',
  'collection_id[0]=a&collection_id[1]=b',
])('a public read takes %s for its filter', (search) =>
  expect(given(publicRead, search)).toEqual({ collection_ids: ['a', 'b'] }),
)

test.each([
  'collection_id=a',
  'collection_id%5B%5D=a',
  'collection_ids=a&collection_id[]=a',
  'collection_ids=&collection_id=a',
])('a public read takes %s for one value of its filter', (search) =>
  expect(given(publicRead, search)).toEqual({ collection_ids: 'a' }),
)

test('a public read takes short names, singular, plural and the two names of a state', () => {
  expect(given(publicRead, 'email=a&item_ids=b&status=c')).toEqual({ email_address: 'a', item_id: 'b', state: 'c' })
})

test.each([
  ['collectionIds', 'collection_ids'],
  ['Collection-ID', 'collection_ids'],
  ['collections', 'collection_ids'],
  ['collectoin_id', 'collection_ids'],
  ['e-mail', 'email_address'],
  ['emailAddresses', 'email_address'],
  ['item', 'item_id'],
  ['STATE', 'state'],
  ['collection_ids[a]', 'collection_ids'],
  ['WAIT', 'wait'],
])('a public read refuses %s, which is near %s', (sent, near) => {
  expect(faults(publicRead, `${encodeURIComponent(sent)}=1`)).toEqual([[sent, 'unknown_parameter', near]])
})

test.each(['_', 't', 'v', 'utm_source', 'utm_state', 'gclid', 'waix', 'ids', 'street_address', '__proto__', ''])(
  'a public read ignores %s, which others add to addresses',
  (name) => expect(given(publicRead, `${name}=1`)).toEqual({}),
)

test.each([adminRead, adminWrite, publicWrite])(
  'every other operation refuses what isn’t its parameter',
  (endpoint) => {
    for (const [sent, near] of [
      ['collection_id', 'collection_ids'],
      ['collection_ids[]', 'collection_ids'],
      ['collectionIds', 'collection_ids'],
      ['email', undefined],
      ['_', undefined],
      ['', undefined],
      ['utm_state', undefined],
      ['__proto__', undefined],
    ])
      expect(faults(endpoint, `${sent}=1`)).toEqual([[sent, 'unknown_parameter', near]])
    expect(read(endpoint, 'campaign=1').fields[0]!.detail).toBe(
      'There is no such parameter. This operation takes collection_ids, email_address, state, item_id, wait.',
    )
  },
)

test('a list takes state for status and status for state, but not two values', () => {
  const byStatus = { ...adminRead, query: z.object({ status: text }) }
  expect([given(adminRead, 'status=A'), given(byStatus, 'state=A')]).toEqual([{ state: 'A' }, { status: 'A' }])
  expect(given(adminRead, 'status=A&state=A')).toEqual({ state: 'A' })
  expect(faults(adminRead, 'status=A&state=B')).toEqual([['state', 'differing', undefined]])
  expect(faults(adminWrite, 'status=A')).toEqual([['status', 'unknown_parameter', 'state']])
})

test('an empty value is absent, except where an administrative write would touch more without it', () => {
  for (const endpoint of [publicRead, adminRead, publicWrite]) expect(given(endpoint, 'item_id=&wait=')).toEqual({})
  expect(faults(adminWrite, 'item_id=')).toEqual([['item_id', 'empty', undefined]])
})

test('a query of thousands of wrong names names the first of them', () => {
  const search = Array.from({ length: 4000 }, (_, at) => `a${at}`).join('&')
  expect(faults(adminRead, search)).toHaveLength(MOST_NAMED)
})

test('short names stand for parameters that there are', () => {
  const all: readonly Endpoint[] = endpoints
  for (const { query: own, shortNames = {} } of all)
    for (const name of Object.values(shortNames)) expect(Object.keys(own!.shape)).toContain(name)
})
