import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let item_id: string

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
  item_id = (await makeItem(mine, { tokenType: 'ERC1155', maxSupply: null })).itemId
})
beforeEach(() => installFakeChain())

const claim = (email: string) => api.post('/v1/email-claims', { email, item_id })

test('whatever the HTML standard takes for an email address is taken, its domain as DNS has it', async () => {
  for (const [given, stored] of [
    ["O'Brien+Gifts@Example.com", "o'brien+gifts@example.com"],
    ['!#$%&*/=?^_`{|}~-@example.com', '!#$%&*/=?^_`{|}~-@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@почта.рф', 'ada@xn--80a1acny.xn--p1ai'],
    ['ada@xn--80a1acny.xn--p1ai', 'ada@xn--80a1acny.xn--p1ai'],
    [`\u200b ${'a'.repeat(64)}@example.com\u200e`, `${'a'.repeat(64)}@example.com`],
  ]) {
    const { status, body } = await claim(given!)
    expect([status, body.email], given).toEqual([201, stored])
    const found = await api.get(`/v1/search?q=${encodeURIComponent(given!.trim())}`)
    if (!given!.includes('\u200b'))
      expect(found.body.results, given).toContainEqual(expect.objectContaining({ title: stored }))
  }
  for (const given of [
    `${'a'.repeat(65)}@example.com`,
    'ada@localhost',
    'ada@-example.com',
    'a b@example.com',
    'ada@@example.com',
    'ada@1.2.3.4',
  ]) {
    const { status, body } = await claim(given)
    expect([status, body.errors?.[0].field], given).toEqual([400, 'email'])
  }
})

test('exports put a mark before an address that a spreadsheet would run as a formula, and imports take it away', async () => {
  const local = newId()
  for (const sign of ['=', '+', '-']) expect((await claim(`${sign}${local}@example.com`)).status).toBe(201)
  const csv: string = (await api.get('/v1/exports/claims.csv')).body
  for (const sign of ['=', '+', '-']) expect(csv).toContain(`,'${sign}${local}@example.com,`)
  const read = await api.post('/v1/email-claims/import', { item_id, csv: `email\n'=${local}@example.com\n` })
  expect(read.body.rows[0].verdict).toBe('DUPLICATE')
})

test('each exported file begins with a byte order mark, by which Excel knows UTF-8', async () => {
  const { key } = mine
  for (const name of ['items', 'claims', 'holders', 'purchases']) {
    const { GET } = (await import(`../../app/v1/exports/${name}.csv/route.ts`)) as {
      GET: (request: Request, route: object) => Promise<Response>
    }
    const response = await GET(
      new Request(`http://localhost:3000/v1/exports/${name}.csv`, { headers: { authorization: `Bearer ${key}` } }),
      { params: Promise.resolve({}) },
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([response.status, [...bytes.subarray(0, 3)], bytes.indexOf(0xef, 3)], name).toEqual([
      200,
      [0xef, 0xbb, 0xbf],
      -1,
    ])
  }
})
