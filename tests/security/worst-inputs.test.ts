import { beforeAll, expect, test } from 'vitest'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { LOCALES } from '../../lib/core/locales.ts'
import { mailWords } from '../../lib/messaging/templates/mail-words.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { makeOrganization } from '../support/organization.ts'
import { peakMemory } from '../support/peak-memory.ts'

/** Processor time of a turn that others wait for. */
const MAX_TURN_MS = 100
const MAX_MB = 100

let key: string
let api: ReturnType<typeof callerOf>
let collection: string
/** Item types by their schemas. */
const types: Record<string, string> = {}

const SCHEMAS = {
  repeated: { pattern: '^(a+)+$' },
  ahead: { pattern: '^(?=(a+)+$)' },
  wide: { allOf: Array.from({ length: 1_500 }, () => ({ items: { type: 'string' } })) },
  unique: { uniqueItems: true },
  open: {},
  long: { pattern: `^${'[a-z]?'.repeat(300)}$` },
}

beforeAll(async () => {
  installFakeChain()
  ;({ key } = await makeOrganization())
  api = callerOf(key)
  collection = (await api.post('/v1/collections', { name: newId() })).body.id
  for (const [name, part] of Object.entries(SCHEMAS)) types[name] = await makeType({ properties: { part } })
})

const makeType = async (schema: object): Promise<string> =>
  (await api.post('/v1/item-types', { name: newId(), schema })).body.id
type Sent = { method: 'POST' | 'PATCH'; url: string; body: object }
const post = (url: string, body: object): Sent => ({ method: 'POST', url, body })
const makeItem = (type: keyof typeof SCHEMAS, part: unknown) =>
  post('/v1/items', { collection_id: collection, item_type_id: types[type], attributes: { title: 'x', part } })
const fileOf = (csv: string) => ({ name: 'list.csv', base64: Buffer.from(csv).toString('base64') })
const importItems = (csv: string, type?: keyof typeof SCHEMAS) =>
  post('/v1/items/import', {
    collection_id: collection,
    file: fileOf(csv),
    ...(type && { item_type_id: types[type] }),
  })
const importClaims = (csv: string) => post('/v1/email-claims/import', { file: fileOf(csv) })
const preview = (format: 'MJML' | 'HTML', body: string) =>
  post('/v1/email-templates/REDEEM_NFT/preview', { subject: 'x', text: 'x', format, body })
const setWords = (text: string): Sent => ({
  method: 'PATCH',
  url: '/v1/email-words',
  body: {
    words: Object.fromEntries(
      LOCALES.map((locale) => [
        locale,
        Object.fromEntries(Object.keys(mailWords('en').gift).map((name) => [`mail.gift.${name}`, text])),
      ]),
    ),
  },
})
const setWord = (text: string): Sent => ({
  method: 'PATCH',
  url: '/v1/email-words',
  body: { words: { de: { 'mail.gift.lead': text } } },
})

const LENGTH = 90_000
const repeated = (text: string, length = LENGTH) => text.repeat(Math.floor(length / text.length))
const evil = `${'a'.repeat(60)}b`
const listOf = <T>(length: number, one: (at: number) => T): T[] => Array.from({ length }, (_, at) => one(at))
const fieldsOf = (count: number) => Object.fromEntries(listOf(count, (at) => [`f${at}`, 1]))
const nestedList = (depth: number): unknown => (depth === 0 ? listOf(400_000, () => 1) : [nestedList(depth - 1)])
const nested = (depth: number): string => `{quantity, plural, other {${depth === 0 ? 'x' : nested(depth - 1)} } }`

test.each<[string, () => Sent, number]>([
  ['a word of nested plurals', () => setWord(nested(16)), 400],
  ['a word of many plurals', () => setWord(repeated('{quantity, plural, other {#}}', 1_990)), 400],
  ['many words of many plurals', () => setWords(repeated('{quantity, plural, other {#}}', 1_990)), 400],
  ['a word of tags', () => setWord(repeated('<link>', 1_990)), 400],
  [
    'a schema of many patterns',
    () =>
      post('/v1/item-types', {
        name: newId(),
        schema: { allOf: Array.from({ length: 1_000 }, (_, at) => ({ pattern: `(a{0,200}){0,5}${at}` })) },
      }),
    422,
  ],
  ['a text for a pattern of repetitions in repetitions', () => makeItem('repeated', `${'a'.repeat(60_000)}b`), 422],
  ['a text for a pattern that only JavaScript reads', () => makeItem('ahead', evil), 422],
  ['a text for a long pattern', () => makeItem('long', 'a'.repeat(60_000)), 422],
  [
    'a long list for many schemas',
    () =>
      makeItem(
        'wide',
        Array.from({ length: 20_000 }, () => 1),
      ),
    422,
  ],
  [
    'a long list of unique entries',
    () =>
      makeItem(
        'unique',
        Array.from({ length: 5_000 }, (_, at) => ({ at })),
      ),
    422,
  ],
  ['a file of line feeds', () => importItems('\n'.repeat(5_000_000)), 422],
  ['a file of quotes', () => importItems(repeated('"', 5_000_000)), 422],
  ['a first line of 9 MB', () => importItems('a'.repeat(9_000_000)), 422],
  ['a first line of many columns', () => importItems(`title,${'a,'.repeat(2_000_000)}\nx`), 422],
  [
    'many lines of many columns',
    () => importItems(`title${',a'.repeat(99)}\n${`x${',y'.repeat(99)}\n`.repeat(3_000)}`),
    201,
  ],
  [
    'lines for a pattern that only JavaScript reads',
    () => importItems(`title,part\n${`x,${evil}\n`.repeat(4)}`, 'ahead'),
    201,
  ],
  ['a claims file of line feeds', () => importClaims('\n'.repeat(5_000_000)), 422],
  ['a claims file of quotes', () => importClaims(repeated('"', 5_000_000)), 422],
  [
    'an allow list of as many addresses and emails as may be',
    () =>
      post(`/v1/listings/${newId()}/allow-list`, {
        action: 'ADD',
        eth_addresses: listOf(5_000, (at) => `0x${at.toString(16).padStart(40, '0')}`),
        email_addresses: listOf(5_000, (at) => `bird-${at}@birds.example`),
      }),
    404,
  ],
  [
    'as many codes as a perk takes at once',
    () => post(`/v1/perks/${newId()}/codes`, { codes: listOf(10_000, (at) => `${at}`.padStart(80, 'x')) }),
    404,
  ],
  ['a body of unknown fields', () => post('/v1/items', fieldsOf(90_000)), 400],
  [
    'attributes of many names',
    () => post('/v1/items', { collection_id: collection, attributes: fieldsOf(90_000) }),
    400,
  ],
  [
    'attributes with a long list',
    () => post('/v1/items', { collection_id: collection, attributes: { title: 'x', part: listOf(400_000, () => 1) } }),
    400,
  ],
  [
    'as many items as a request may make, with long lists',
    () =>
      post('/v1/items/bulk', {
        items: listOf(1_000, () => ({
          collection_id: collection,
          item_type_id: types.open,
          attributes: { title: 'x', part: listOf(400, () => 1) },
        })),
      }),
    201,
  ],
  [
    'a schema with a long list',
    () => post('/v1/item-types', { name: newId(), schema: { enum: listOf(400_000, () => 1) } }),
    422,
  ],
  ['a body of brackets', () => post('/v1/items', { attributes: { title: [nestedList(90)] } }), 400],
  ['translations of many languages', () => post('/v1/items', { translations: fieldsOf(60_000) }), 400],
  ['MJML of tags without an end', () => preview('MJML', repeated('<mj-a ')), 200],
  ['MJML of comments without an end', () => preview('MJML', repeated('<!--')), 200],
  [
    'MJML of many blocks',
    () =>
      preview(
        'MJML',
        `<mjml><mj-body>${repeated('<mj-section><mj-column></mj-column></mj-section>', 35_000)}</mj-body></mjml>`,
      ),
    200,
  ],
  ['HTML of comments for Outlook', () => preview('HTML', repeated('<!--[if mso | IE]>')), 200],
  [
    'a style sheet with a long address',
    () => preview('HTML', `<style>url(${' '.repeat(LENGTH - 100)}https://</style>`),
    200,
  ],
  [
    'a style sheet that hides imports in imports',
    () => preview('HTML', `<style>${'@im'.repeat(9_000)}@import;${'port;'.repeat(9_000)}</style>`),
    200,
  ],
  ['HTML of open elements', () => preview('HTML', repeated('<p>')), 200],
])('the loop is held for at most 100 ms, and the process grows by at most 100 MB, by %s', async (_, make, status) => {
  const best = await measure(make(), status, MAX_MB)
  expect(best.ms).toBeLessThanOrEqual(MAX_TURN_MS)
  expect(best.mb).toBeLessThanOrEqual(MAX_MB)
})

// Their memory depends on when garbage is collected: the body of the first alone has 27 MB.
test.each([
  ['items', () => importItems(`title${',a'.repeat(199)}\n${`x${','.repeat(199)}\n`.repeat(99_999)}`)],
  ['claims', () => importClaims(`email,item\n${'a@birds.example,next\n'.repeat(99_999)}`)],
])('the loop is held for at most 100 ms by the largest file of %s', async (_, make) => {
  expect((await measure(make(), 201, Number.POSITIVE_INFINITY)).ms).toBeLessThanOrEqual(MAX_TURN_MS)
})

/** The least of up to five measures: when garbage is collected is chance. */
async function measure({ method, url, body }: Sent, status: number, enoughMb: number) {
  const text = JSON.stringify(body)
  const best = { ms: Number.POSITIVE_INFINITY, mb: Number.POSITIVE_INFINITY }
  for (let attempt = 0; attempt < 5 && (best.ms > MAX_TURN_MS || best.mb > enoughMb); attempt++) {
    const { result: turn, mb } = await peakMemory(() => longestTurn(() => call(method, url, { key, text })))
    expect(turn.result.status).toBe(status)
    Object.assign(best, { ms: Math.min(best.ms, turn.ms), mb: Math.min(best.mb, mb) })
  }
  return best
}

test('slow lines of one organization fail alone, and those of others are imported meanwhile', async () => {
  const other = await makeOrganization()
  const others = callerOf(other.key)
  const theirs = (await others.post('/v1/collections', { name: newId() })).body.id
  const type = await makeType({ properties: { part: {} } })
  const slow = await api.post('/v1/items/import', {
    collection_id: collection,
    item_type_id: type,
    csv: `title,part\n${`x,${evil}\n`.repeat(3)}`,
    dry_run: false,
  })
  expect((await api.patch(`/v1/item-types/${type}`, { schema: { properties: { part: SCHEMAS.ahead } } })).status).toBe(
    200,
  )
  const quick = await others.post('/v1/items/import', { collection_id: theirs, csv: 'title\nMoon', dry_run: false })
  expect([slow.status, quick.status]).toEqual([201, 201])
  const { ms } = await longestTurn(() => runImports(workerContext()))
  expect(ms).toBeLessThanOrEqual(MAX_TURN_MS)
  expect((await others.get(`/v1/imports/${quick.body.id}`)).body.done_count).toBe(1)
  while ((await runImports(workerContext())) > 0);
  const { results } = (await api.get(`/v1/imports/${slow.body.id}/rows`)).body
  expect(new Set(results.map(({ failure }: { failure: string }) => failure))).toEqual(
    new Set(['The item type’s schema takes too long to check these attributes.']),
  )
})
