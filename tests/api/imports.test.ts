import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { call, callerOf, type ApiResponse, code } from '../support/call.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeItem, installFakeChain } from '../support/claims.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
beforeEach(() => {
  installFakeChain()
  resetClock()
})

const lines = (...all: string[]) => all.join('\n')
const items = (body: object) => api.post('/v1/items/import', body)
const claims = (body: object) => api.post('/v1/email-claims/import', body)
const verdicts = ({ body }: ApiResponse) => body.rows.map((row: { verdict: string }) => row.verdict)
const reasons = ({ body }: ApiResponse, line: number): string =>
  body.rows.find((row: { line: number }) => row.line === line).reasons.join(' ')
const counts = ({ body }: ApiResponse) => [body.ok_count, body.duplicate_count, body.invalid_count]
const run = () => runImports(workerContext())
const base64 = (bytes: Uint8Array | string) => ({
  file: { name: 'list.csv', base64: Buffer.from(bytes).toString('base64') },
})
const rowsOf = async (id: string, query = '') =>
  (await api.get(`/v1/imports/${id}/rows?limit=1000${query}`)).body.results as {
    line: number
    state: string
    verdict: string
    result_id: string | null
    failure: string | null
  }[]
const mailbox = () => `${newId()}@example.com`

async function makeCollection(fields: object = {}): Promise<string> {
  const { body, status } = await api.post('/v1/collections', { name: newId(), ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

/** Free locked items of one deployed collection. */
async function makeStock(count: number) {
  const first = await makeItem(mine)
  const ids = [first.itemId]
  for (let token = 2; token <= count; token++) {
    const item = await mine.ctx.db.item.create({
      data: {
        id: newId(),
        organizationId: mine.id,
        collectionId: first.collectionId,
        attributes: { title: `Bird ${token}` },
      },
    })
    await mine.ctx.db.item.update({
      where: { id: item.id },
      data: { tokenId: String(token), lockedAt: new Date(), maxSupply: 1n },
    })
    ids.push(item.id)
  }
  return { collectionId: first.collectionId, ids }
}

describe('item import', () => {
  test('a dry run checks each line; items are made once it is started', async () => {
    const collection_id = await makeCollection()
    const checked = await items({
      collection_id,
      csv: lines('Title,Colour,Size', 'Moonflower,white,3', ',grey,1', 'Night heron,,true'),
    })
    expect([checked.status, checked.body.state, counts(checked)]).toEqual([201, 'JUDGED', [2, 0, 1]])
    expect(checked.body.columns).toEqual([
      { name: 'Title', means: 'title' },
      { name: 'Colour', means: 'attributes.Colour' },
      { name: 'Size', means: 'attributes.Size' },
    ])
    expect(reasons(checked, 3)).toBe('Title: This is needed.')
    expect(await mine.ctx.db.item.count({ where: { collectionId: collection_id } })).toBe(0)
    expect(await run()).toBe(0)

    const { id } = checked.body
    expect(code(await api.post(`/v1/imports/${id}/start`))).toEqual([422, 'import_invalid'])
    const started = await api.post(`/v1/imports/${id}/start`, { skip_invalid: true })
    expect([started.status, started.body.state, started.body.waiting_count]).toEqual([200, 'RUNNING', 2])
    expect(code(await api.post(`/v1/imports/${id}/start`, { skip_invalid: true }))).toEqual([409, 'import_not_ready'])
    await run()
    expect((await api.get(`/v1/imports/${id}`)).body).toMatchObject({
      state: 'COMPLETED',
      done_count: 2,
      failed_count: 0,
      waiting_count: 0,
    })
    const made = (await api.get(`/v1/items?collection_id=${collection_id}&order_direction=ASC`)).body.results
    expect(made.map((item: { attributes: object }) => item.attributes)).toEqual([
      { title: 'Moonflower', Colour: 'white', Size: '3' },
      { title: 'Night heron', Size: 'true' },
    ])
    expect((await rowsOf(id)).map(({ line, state, result_id }) => [line, state, result_id])).toEqual([
      [2, 'DONE', made[0].id],
      [3, 'SKIPPED', null],
      [4, 'DONE', made[1].id],
    ])
    const acts = await mine.ctx.db.auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } })
    expect(acts.map(({ action, actorType }) => [action, actorType])).toEqual([
      ['import.judged', 'api_key'],
      ['import.started', 'api_key'],
      ['import.completed', 'system'],
    ])
  })

  test('without a dry run it starts at once, or is refused when a line is invalid and not skipped', async () => {
    const collection_id = await makeCollection()
    const csv = lines('title,image_url', 'Moonflower,https://example.com/m.png', 'Heron,ftp://example.com/h.png')
    const refused = await items({ collection_id, csv, dry_run: false })
    expect(code(refused)).toEqual([422, 'import_invalid'])
    expect(refused.body.errors).toEqual([
      { field: 'rows.3', code: 'import_invalid', detail: 'image_url: An https address is needed.' },
    ])
    expect(
      (await api.get('/v1/imports?state=JUDGED')).body.results.filter(
        (one: { options: { collection_id: string } }) => one.options.collection_id === collection_id,
      ),
    ).toEqual([])
    const begun = await items({ collection_id, csv, dry_run: false, skip_invalid: true })
    expect([begun.status, begun.body.state]).toEqual([201, 'RUNNING'])
    await run()
    expect(await mine.ctx.db.item.count({ where: { collectionId: collection_id } })).toBe(1)
    expect(
      code(
        await items({ collection_id, csv: lines('title,image_url', 'Heron,nope'), dry_run: false, skip_invalid: true }),
      ),
    ).toEqual([422, 'import_invalid'])
  })

  test('lines are checked against the item type, and columns get its spelling', async () => {
    const schema = {
      type: 'object',
      required: ['title', 'colour'],
      properties: {
        title: { type: 'string' },
        colour: { type: 'string' },
        year: { type: 'integer' },
        tags: { type: 'array' },
      },
      additionalProperties: false,
    }
    const { body: type } = await api.post('/v1/item-types', { name: newId(), schema })
    const collection_id = await makeCollection({ default_item_type_id: type.id })
    const checked = await items({
      collection_id,
      csv: lines('TITLE;COLOUR;attributes.Year;Tags;odd', 'A;7;2020;"[""x""]";', 'B;;1.5;;', 'C;red;;;y'),
    })
    expect(checked.body.columns.map(({ means }: { means: string }) => means)).toEqual([
      'title',
      'attributes.colour',
      'attributes.year',
      'attributes.tags',
      'attributes.odd',
    ])
    expect(verdicts(checked)).toEqual(['OK', 'INVALID', 'INVALID'])
    expect(reasons(checked, 3)).toBe(
      'COLOUR: This attribute is required. attributes.Year: Expected a whole number, got text.',
    )
    expect(reasons(checked, 4)).toBe('odd: The item type has no such attribute.')
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const [item] = (await api.get(`/v1/items?collection_id=${collection_id}`)).body.results
    expect(item.attributes).toEqual({ title: 'A', colour: '7', year: 2020, tags: ['x'] })
  })

  test('an external id is imported once across all files; the same title twice makes two items', async () => {
    const collection_id = await makeCollection()
    const csv = lines('External ID,title', 'a-1,Moonflower', 'a-2,Moonflower', 'a-1,Heron')
    const first = await items({ collection_id, csv, dry_run: false })
    expect(verdicts(first)).toEqual(['OK', 'OK', 'DUPLICATE'])
    expect(reasons(first, 4)).toBe('External ID: The same stands in line 2.')
    const overlapping = await items({
      collection_id,
      csv: lines('external_id,title', 'a-2,Twin', 'a-3,Wren'),
      dry_run: false,
    })
    expect(verdicts(overlapping)).toEqual(['OK', 'OK'])
    await run()
    await run()
    expect(await mine.ctx.db.item.count({ where: { collectionId: collection_id } })).toBe(3)
    expect((await rowsOf(overlapping.body.id)).map(({ state }) => state)).toEqual(['SKIPPED', 'DONE'])
    const again = await items({ collection_id, csv })
    expect([verdicts(again), reasons(again, 2)]).toEqual([
      ['DUPLICATE', 'DUPLICATE', 'DUPLICATE'],
      'External ID: This was imported into the collection already.',
    ])
  })

  test('a token_id column locks the items of a MANUAL collection, and is refused in an automatic one', async () => {
    const manual = await makeCollection({ name: newId() })
    await mine.ctx.db.collection.update({ where: { id: manual }, data: { tokenIdAssignment: 'MANUAL' } })
    const csv = lines('title\ttoken_id\tmax_supply', 'A\t007\t5', 'B\t7\t', 'C\tx\t', 'D\t\t3')
    const checked = await items({ collection_id: manual, csv })
    expect(verdicts(checked)).toEqual(['OK', 'DUPLICATE', 'INVALID', 'INVALID'])
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const made = (await api.get(`/v1/items?collection_id=${manual}`)).body.results
    expect(made).toMatchObject([{ token_id: '7', max_supply: 5, locked: true }])
    const automatic = await items({ collection_id: await makeCollection(), csv })
    expect(reasons(automatic, 2)).toContain('token_id: Token ids of this collection are given automatically')
  })

  test('a royalty receiver may be all lower or upper case; a wrong checksum is invalid', async () => {
    const collection_id = await makeCollection()
    const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const csv = lines(
      'title,royalty_receiver,royalty_bps',
      `A,${receiver.toLowerCase()},250`,
      `B,0X${receiver.slice(2).toUpperCase()},0`,
      `C,${receiver.replace('C8', 'c8')},250`,
      `D,${receiver},20000`,
    )
    const checked = await items({ collection_id, csv })
    expect(verdicts(checked)).toEqual(['OK', 'OK', 'INVALID', 'INVALID'])
    expect(reasons(checked, 4)).toContain('The checksum of this address is wrong')
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const made = (await api.get(`/v1/items?collection_id=${collection_id}&order_direction=ASC`)).body.results
    expect(made.map((item: { royalty_info: object }) => item.royalty_info)).toEqual([
      { receiver, amount_bps: 250 },
      { receiver, amount_bps: 0 },
    ])
  })
})

describe('import file formats', () => {
  test.each([
    ['commas', 'title,note\nA,"x, y"\n', 'x, y'],
    ['semicolons', 'title;note\r\nA;x, y\r\n', 'x, y'],
    ['tabs', 'title\tnote\nA\tx; y\n', 'x; y'],
    ['a sep= line', 'sep=;\r\ntitle;note\r\nA;x\r\n', 'x'],
    ['line breaks within quotes', 'title,note\r\nA,"one\r\ntwo"\r\n', 'one\r\ntwo'],
    ['quotes within quotes', 'title,note\nA,"say ""hi"""\n', 'say "hi"'],
    ['a formula escaped by our own exports', "title,note\nA,'=1+1\n", '=1+1'],
  ])('CSV with %s is read', async (_, csv, note) => {
    const checked = await items({ collection_id: await makeCollection(), csv })
    expect(counts(checked), JSON.stringify(checked.body)).toEqual([1, 0, 0])
    expect(checked.body.rows[0].fields).toEqual({ title: 'A', note })
  })

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFtitle\nGröße\n', 'utf8')],
    ['Windows-1252', Buffer.from('title\nGr\xf6\xdfe\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFtitle\nGröße\n', 'utf16le')],
  ])('text in %s is decoded', async (_, bytes) => {
    const checked = await items({ collection_id: await makeCollection(), ...base64(bytes) })
    expect(checked.body).toMatchObject({ file_name: 'list.csv', rows: [{ line: 2, fields: { title: 'Größe' } }] })
  })

  test('the file may be uploaded as multipart/form-data, with each field once', async () => {
    const collection_id = await makeCollection()
    const part = (name: string, value: string, more = '') =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
    const text = `${part('collection_id', collection_id)}${part('dry_run', 'false')}${part('file', 'title\nA\n', '; filename="birds.csv"')}--x--\r\n`
    const started = await call('POST', '/v1/items/import', {
      key: mine.key,
      text,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect([started.status, started.body.state, started.body.file_name]).toEqual([201, 'RUNNING', 'birds.csv'])
    await run()
    const twice = await call('POST', '/v1/items/import', {
      key: mine.key,
      text: part('dry_run', 'true') + text,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect([twice.status, twice.body.errors]).toEqual([
      400,
      [{ field: 'dry_run', code: 'repeated', detail: 'This field is given more than once.' }],
    ])
  })

  test('line numbers count empty lines, and a multi-line cell as one, as a spreadsheet does', async () => {
    const checked = await items({
      collection_id: await makeCollection(),
      csv: 'title,note\n\nA,"one\ntwo"\n,,\nB,x,too many\nC,"open\n',
    })
    expect(checked.body.rows.map(({ line, verdict }: { line: number; verdict: string }) => [line, verdict])).toEqual([
      [3, 'OK'],
      [5, 'INVALID'],
      [6, 'INVALID'],
    ])
    expect(reasons(checked, 5)).toBe('This line has 3 cells, and the first line names 2 columns.')
    expect(reasons(checked, 6)).toBe('The quotes of this line don’t match.')
  })

  test.each([
    ['an empty file', ' \n', 'This file is empty.'],
    ['a heading without lines', 'title\n', 'There is only one line'],
    ['no title', 'colour,size\nred,3\n', 'There is no column “title”. The first line names “colour”, “size”.'],
    ['too many lines', `title\n${'A\n'.repeat(100_001)}`, 'There are more than 100,000 lines'],
    ['an invalid attribute name', 'title,a:b\nA,1\n', 'The column “a:b”'],
  ])('%s is refused as a whole', async (_, csv, detail) => {
    const refused = await items({ collection_id: await makeCollection(), csv })
    expect(code(refused)).toEqual([422, 'import_invalid'])
    expect(refused.body.detail).toContain(detail)
  })

  test('a spreadsheet file, no source, two sources and an unknown collection are refused', async () => {
    const collection_id = await makeCollection()
    expect(
      (await items({ collection_id, ...base64(Buffer.from('PK\x03\x04 and so on', 'latin1')) })).body.detail,
    ).toContain('Save the table as CSV first.')
    expect((await items({ collection_id, ...base64('title\nA\0B\n') })).body).toMatchObject({
      code: 'import_invalid',
      detail: expect.stringContaining('This is not a text file.'),
    })
    expect(code(await items({ collection_id }))).toEqual([400, 'invalid_request'])
    expect(code(await items({ collection_id, csv: 'title\nA', ...base64('title\nA') }))).toEqual([
      400,
      'invalid_request',
    ])
    expect(code(await items({ collection_id: newId(), csv: 'title\nA' }))).toEqual([404, 'not_found'])
  })

  test('text with half a surrogate pair or a NUL is refused, and a column named __proto__ is accepted', async () => {
    const collection_id = await makeCollection()
    for (const odd of ['\ud800', '\0']) {
      const refused = await items({ collection_id, csv: `title\nA${odd}\n` })
      expect([...code(refused), refused.body.errors[0].field]).toEqual([400, 'invalid_request', 'csv'])
    }
    expect((await items({ collection_id, csv: 'title,__proto__\nA,x\n' })).status).toBe(201)
  })

  test('10,000 lines are checked in one request', async () => {
    const checked = await items({
      collection_id: await makeCollection(),
      csv: `title,n\n${Array.from({ length: 10_000 }, (_, at) => `Bird,${at}`).join('\n')}\n`,
    })
    expect([counts(checked), checked.body.rows.length]).toEqual([[10_000, 0, 0], 100])
  })
})

describe('claim import', () => {
  test('each line gets a verdict, and each OK line sends exactly one mail', async () => {
    const { collectionId: collection_id, ids } = await makeStock(3)
    const unlocked = await makeItem(mine, { locked: false })
    const [ada, grace] = [mailbox(), mailbox()]
    const csv = lines(
      'E-Mail;Item ID;Quantity;Wishes',
      `${ada.toUpperCase()};${ids[0]};;x`,
      `${ada};${ids[0]!.toUpperCase()};1;`,
      `${grace};${ids[0]};;`,
      `nobody;${ids[1]};;`,
      `${grace};${newId()};;`,
      `${grace};${unlocked.itemId};;`,
      `${grace};${ids[1]};2;`,
      `${grace};${ids[1]};;`,
      `${grace};;;`,
    )
    const checked = await claims({ collection_id, csv, tx_payer: 'BUYER' })
    expect(verdicts(checked)).toEqual([
      'OK',
      'DUPLICATE',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
      'OK',
      'INVALID',
    ])
    expect(checked.body.columns.at(-1)).toEqual({ name: 'Wishes', means: null })
    expect([3, 4, 5, 6, 7, 8, 10].map((line) => reasons(checked, line))).toEqual([
      'The same email gets the same item in line 2.',
      'Item ID: No unit of this item is left for this line.',
      'E-Mail: This is not an email address.',
      'Item ID: There is no such item.',
      'Item ID: Lock the item first: only locked items can be sent.',
      'There is one unit of each item of an ERC-721 collection.',
      'item: Say which item: by item_id, by token_id, or next for the next free one.',
    ])
    expect(await mine.ctx.db.emailClaim.count({ where: { collectionId: collection_id } })).toBe(0)
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true, ignore_columns: ['Wishes'] })
    await run()
    const sent = await mine.ctx.db.emailClaim.findMany({
      where: { collectionId: collection_id },
      orderBy: { id: 'asc' },
    })
    expect(sent.map(({ email, itemId, txPayer }) => [email, itemId, txPayer])).toEqual([
      [ada, ids[0], 'BUYER'],
      [grace, ids[1], 'BUYER'],
    ])
    expect(await mine.ctx.db.outboxMessage.count({ where: { toEmail: { in: [ada, grace] } } })).toBe(2)

    const again = await claims({ collection_id, csv, ignore_columns: ['Wishes'] })
    expect(
      again.body.rows.map((row: { verdict: string }) => row.verdict).filter((verdict: string) => verdict === 'OK'),
    ).toEqual([])
    expect(reasons(again, 2)).toBe('This email has the item, or a link to it, already.')
  })

  test('a line is compared with one far before it, and counts the units that it took', async () => {
    const { collectionId: collection_id, ids } = await makeStock(2)
    const [ada, grace] = [mailbox(), mailbox()]
    const between = Array.from({ length: 1_100 }, () => `nobody,${ids[0]}`)
    const csv = lines(
      'email,item',
      `${ada},${ids[0]}`,
      `${ada},next`,
      ...between,
      `${ada},1`,
      `${grace},next`,
      `${grace},2`,
    )
    const checked = await claims({ collection_id, csv })
    expect(counts(checked)).toEqual([2, 1, 1_102])
    const last = (await api.get(`/v1/imports/${checked.body.id}/rows?limit=3&order_direction=DESC`)).body.results
    expect(last.map(({ line, reasons: why }: { line: number; reasons: string[] }) => [line, ...why])).toEqual([
      [1_106, 'item: No unit of this item is left for this line.'],
      [1_105, 'item: No free item of the collection is left for this line.'],
      [1_104, 'The same email gets the same item in line 2.'],
    ])
  })

  test('“next” gives each email one free item, lowest token id first, and never a second one', async () => {
    const { collectionId: collection_id, ids } = await makeStock(3)
    const people = [mailbox(), mailbox(), mailbox(), mailbox()]
    const checked = await claims({
      collection_id,
      csv: lines(
        'email,item',
        `${people[0]},NEXT`,
        `${people[0]},next`,
        `${people[1]},next`,
        `${people[2]},2`,
        `${people[3]},next`,
      ),
    })
    expect(verdicts(checked)).toEqual(['OK', 'DUPLICATE', 'OK', 'OK', 'INVALID'])
    expect(reasons(checked, 6)).toBe('item: No free item of the collection is left for this line.')
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const rows = await rowsOf(checked.body.id)
    // “next” took the item that a later line names, so that line fails.
    expect(rows.map(({ state }) => state)).toEqual(['DONE', 'SKIPPED', 'DONE', 'FAILED', 'SKIPPED'])
    expect(rows[3]!.failure).toBe('Not enough units of this item are left.')
    const sent = await mine.ctx.db.emailClaim.findMany({
      where: { collectionId: collection_id },
      orderBy: { id: 'asc' },
    })
    expect(sent.map(({ itemId }) => itemId)).toEqual([ids[0], ids[1]])
    expect(verdicts(await claims({ collection_id, csv: lines('email,item', `${people[1]},next`) }))).toEqual([
      'DUPLICATE',
    ])
    expect((await api.get(`/v1/imports/${checked.body.id}`)).body).toMatchObject({
      state: 'COMPLETED',
      done_count: 2,
      failed_count: 1,
    })
  })

  test('claims of one item are limited to its units, and each line may set its own expiry', async () => {
    const { itemId: item_id } = await makeItem(mine, { tokenType: 'ERC1155', maxSupply: 5n })
    const csv = lines(
      'email,qty,expires',
      `${mailbox()},3,2099-01-31`,
      `${mailbox()},3,`,
      `${mailbox()},2,2001-01-01`,
      `${mailbox()},2,soon`,
      `${mailbox()},2,`,
    )
    const checked = await claims({ item_id, csv })
    expect(verdicts(checked)).toEqual(['OK', 'INVALID', 'INVALID', 'INVALID', 'OK'])
    expect([reasons(checked, 3), reasons(checked, 4)]).toEqual([
      'item_id: Only 2 of this item are left for this line.',
      'expires: This time has passed.',
    ])
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const sent = await mine.ctx.db.emailClaim.findMany({ where: { itemId: item_id }, orderBy: { id: 'asc' } })
    expect(sent.map(({ quantity }) => quantity)).toEqual([3n, 2n])
    expect(sent[0]!.expiresAt).toEqual(new Date('2099-01-31T23:59:59Z'))
  })

  test('a suppressed email is INVALID at the check, and FAILED when suppressed afterwards', async () => {
    const { collectionId: collection_id } = await makeStock(2)
    const [suppressed, suppressedLater] = [mailbox(), mailbox()]
    await mine.ctx.db.suppression.create({
      data: { id: newId(), organizationId: mine.id, email: suppressed, reason: 'BOUNCE' },
    })
    const checked = await claims({
      collection_id,
      csv: lines('email,token_id', `${suppressed},1`, `${suppressedLater},1`),
    })
    expect(verdicts(checked)).toEqual(['INVALID', 'OK'])
    expect(reasons(checked, 2)).toBe('email: Mail to this address is stopped: it bounced, or was called spam.')
    await mine.ctx.db.suppression.create({
      data: { id: newId(), organizationId: mine.id, email: suppressedLater, reason: 'COMPLAINT' },
    })
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    expect((await rowsOf(checked.body.id, '&state=FAILED')).map(({ line }) => line)).toEqual([3])
    expect(await mine.ctx.db.emailClaim.count({ where: { collectionId: collection_id } })).toBe(0)
  })

  test('a claim sent since the check is not sent again, and still holds its unit after its expiry', async () => {
    const { collectionId: collection_id, ids } = await makeStock(1)
    const ada = mailbox()
    const csv = lines('email,token_id', `${ada},1`)
    const checked = await claims({ collection_id, csv })
    await api.post('/v1/email-claims', { email: ada, item_id: ids[0] })
    await api.post(`/v1/imports/${checked.body.id}/start`)
    await run()
    expect((await rowsOf(checked.body.id)).map(({ state, failure }) => [state, failure])).toEqual([
      ['SKIPPED', 'This email got it, or a link to it, meanwhile.'],
    ])
    moveClock(31 * 86_400_000)
    expect(reasons(await claims({ collection_id, csv }), 2)).toBe(
      'token_id: No unit of this item is left for this line.',
    )
  })

  test('three runs at once over two files with the same people: one claim each', async () => {
    const { collectionId: collection_id } = await makeStock(60)
    const people = Array.from({ length: 30 }, mailbox)
    const csv = lines('email,item', ...people.map((email) => `${email},next`))
    const started = await Promise.all([
      claims({ collection_id, csv, dry_run: false }),
      claims({ collection_id, csv, dry_run: false }),
    ])
    expect(started.map(counts)).toEqual([
      [30, 0, 0],
      [30, 0, 0],
    ])
    for (
      let left = 60;
      left > 0;
      left = await mine.ctx.db.importRow.count({
        where: { importId: { in: started.map(({ body }) => body.id) }, state: 'WAITING' },
      })
    )
      await Promise.all([run(), run(), run()])
    const sent = await mine.ctx.db.emailClaim.findMany({ where: { collectionId: collection_id } })
    expect(sent.length).toBe(30)
    expect(new Set(sent.map(({ email }) => email)).size).toBe(30)
    expect(await mine.ctx.db.outboxMessage.count({ where: { toEmail: { in: people } } })).toBe(30)
  })

  test('units held by a listing of the whole collection are not free for claims', async () => {
    const { collectionId: collection_id } = await makeStock(2)
    await mine.ctx.db.hold.create({
      data: {
        id: newId(),
        organizationId: mine.id,
        collectionId: collection_id,
        holderType: 'LISTING',
        holderId: newId(),
        quantity: 1n,
      },
    })
    expect(
      verdicts(await claims({ collection_id, csv: lines('email,item', `${mailbox()},1`, `${mailbox()},next`) })),
    ).toEqual(['OK', 'INVALID'])
  })
})

describe('imports', () => {
  test('how many lines wait is told without reading the lines', async () => {
    const collection_id = await makeCollection()
    const { id } = (await items({ collection_id, csv: lines('title', 'Wren', 'Owl', 'Rook') })).body
    const shown = await countRoundTrips(() => api.get(`/v1/imports/${id}`))
    expect(shown.result.body).toMatchObject({ state: 'JUDGED', waiting_count: 3 })
    expect(shown.roundTrips.filter((text) => /(FROM|public"\.)\W*import_rows/.test(text))).toEqual([])
  })

  test('cancelling skips the waiting lines, and a cancelled import cannot be started', async () => {
    const collection_id = await makeCollection()
    const checked = await items({ collection_id, csv: lines('title', 'A', 'B') })
    const cancelled = await api.post(`/v1/imports/${checked.body.id}/cancel`)
    expect([cancelled.status, cancelled.body.state, cancelled.body.waiting_count]).toEqual([200, 'CANCELLED', 0])
    expect(code(await api.post(`/v1/imports/${checked.body.id}/cancel`))).toEqual([409, 'import_not_ready'])
    expect(code(await api.post(`/v1/imports/${checked.body.id}/start`))).toEqual([409, 'import_not_ready'])
    expect(await run()).toBe(0)
    expect((await rowsOf(checked.body.id)).map(({ state, failure }) => [state, failure])).toEqual(
      Array(2).fill(['SKIPPED', 'The import was cancelled.']),
    )
  })

  test('rows are paged and filtered by verdict, and the outcome can be downloaded as CSV', async () => {
    const { collectionId: collection_id } = await makeStock(1)
    const [ada, grace] = [mailbox(), mailbox()]
    const started = await claims({
      collection_id,
      csv: lines('Email,item,Note', `${ada},next,=HYPERLINK("x")`, `${grace},next,`),
      dry_run: false,
      skip_invalid: true,
      ignore_columns: ['Note'],
    })
    await run()
    const { id } = started.body
    const page = (await api.get(`/v1/imports/${id}/rows?limit=1`)).body
    expect([page.total_results, page.results[0].line, page.has_more]).toEqual([2, 2, true])
    const next = (await api.get(`/v1/imports/${id}/rows?limit=1&cursor=${page.cursor}`)).body
    expect([next.results[0].line, next.has_more]).toEqual([3, false])
    expect((await rowsOf(id, '&verdict=INVALID')).map(({ line }) => line)).toEqual([3])
    const result = await api.get(`/v1/imports/${id}/result.csv`)
    expect(result.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [claim] = await mine.ctx.db.emailClaim.findMany({ where: { collectionId: collection_id } })
    expect(result.body.split('\r\n')).toEqual([
      'Email,item,Note,import_line,import_verdict,import_state,import_reasons,import_result_id',
      `${ada},next,"'=HYPERLINK(""x"")",2,OK,DONE,,${claim!.id}`,
      `${grace},next,,3,INVALID,SKIPPED,item: No free item of the collection is left for this line.,`,
      '',
    ])
  })

  test('an import needs the permission to write what it makes', async () => {
    const { key } = await makeKey(mine, {
      permissions: PERMISSIONS.filter(
        (permission) => permission !== 'items:write' && permission !== 'email_claims:write',
      ),
    })
    const weak = callerOf(key)
    const collection_id = await makeCollection()
    const checked = await items({ collection_id, csv: lines('title', 'A') })
    const answers = [
      await weak.post('/v1/items/import', { collection_id, csv: lines('title', 'A') }),
      await weak.post('/v1/email-claims/import', { collection_id, csv: lines('email', 'ada@example.com') }),
      await weak.post(`/v1/imports/${checked.body.id}/start`),
    ]
    expect(answers.map(code)).toEqual(Array(3).fill([403, 'forbidden']))
  })

  test('another organization’s collection, item or campaign is not found', async () => {
    const other = await makeOrganization()
    const { itemId, collectionId } = await makeItem(other)
    const csv = lines('email,item', 'ada@example.com,next')
    for (const body of [{ collection_id: collectionId }, { item_id: itemId }, { campaign_id: newId() }])
      expect(code(await claims({ ...body, csv }))).toEqual([404, 'not_found'])
    expect(code(await items({ collection_id: collectionId, csv: 'title\nA' }))).toEqual([404, 'not_found'])
  })

  test('a request repeated with the same Idempotency-Key makes one import', async () => {
    const collection_id = await makeCollection()
    const send = () =>
      api.post(
        '/v1/items/import',
        { collection_id, csv: lines('title', 'A'), dry_run: false },
        { 'idempotency-key': collection_id },
      )
    const [first, again] = [await send(), await send()]
    expect([first.body.id, again.headers.get('idempotent-replayed')]).toEqual([again.body.id, 'true'])
    await run()
    expect(await mine.ctx.db.item.count({ where: { collectionId: collection_id } })).toBe(1)
  })
})
