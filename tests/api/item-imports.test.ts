import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { call, callerOf, code } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { counts, importRowsOf, lines, reasons, run, verdicts } from '../support/imports.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const items = (body: object) => api.post('/v1/items/import', body)
const base64 = (bytes: Uint8Array | string) => ({
  file: { name: 'list.csv', base64: Buffer.from(bytes).toString('base64') },
})
const rowsOf = (id: string, query?: string) => importRowsOf(api, id, query)

describe('item import', () => {
  test('a dry run checks each line; items are made once it is started', async () => {
    const collection_id = await makeCollection(api)
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
    const collection_id = await makeCollection(api)
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
    const collection_id = await makeCollection(api, { default_item_type_id: type.id })
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
    const collection_id = await makeCollection(api)
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
    const manual = await makeCollection(api, { name: newId() })
    await mine.ctx.db.collection.update({ where: { id: manual }, data: { tokenIdAssignment: 'MANUAL' } })
    const csv = lines('title\ttoken_id\tmax_supply', 'A\t007\t5', 'B\t7\t', 'C\tx\t', 'D\t\t3')
    const checked = await items({ collection_id: manual, csv })
    expect(verdicts(checked)).toEqual(['OK', 'DUPLICATE', 'INVALID', 'INVALID'])
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const made = (await api.get(`/v1/items?collection_id=${manual}`)).body.results
    expect(made).toMatchObject([{ token_id: '7', max_supply: 5, locked: true }])
    const automatic = await items({ collection_id: await makeCollection(api), csv })
    expect(reasons(automatic, 2)).toContain('token_id: Token ids of this collection are given automatically')
  })

  test('a royalty receiver may be all lower or upper case; a wrong checksum is invalid', async () => {
    const collection_id = await makeCollection(api)
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
    const checked = await items({ collection_id: await makeCollection(api), csv })
    expect(counts(checked), JSON.stringify(checked.body)).toEqual([1, 0, 0])
    expect(checked.body.rows[0].fields).toEqual({ title: 'A', note })
  })

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFtitle\nGröße\n', 'utf8')],
    ['Windows-1252', Buffer.from('title\nGr\xf6\xdfe\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFtitle\nGröße\n', 'utf16le')],
  ])('text in %s is decoded', async (_, bytes) => {
    const checked = await items({ collection_id: await makeCollection(api), ...base64(bytes) })
    expect(checked.body).toMatchObject({ file_name: 'list.csv', rows: [{ line: 2, fields: { title: 'Größe' } }] })
  })

  test('the file may be uploaded as multipart/form-data, with each field once', async () => {
    const collection_id = await makeCollection(api)
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
      collection_id: await makeCollection(api),
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
    const refused = await items({ collection_id: await makeCollection(api), csv })
    expect(code(refused)).toEqual([422, 'import_invalid'])
    expect(refused.body.detail).toContain(detail)
  })

  test('a spreadsheet file, no source, two sources and an unknown collection are refused', async () => {
    const collection_id = await makeCollection(api)
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
    const collection_id = await makeCollection(api)
    for (const odd of ['\ud800', '\0']) {
      const refused = await items({ collection_id, csv: `title\nA${odd}\n` })
      expect([...code(refused), refused.body.errors[0].field]).toEqual([400, 'invalid_request', 'csv'])
    }
    expect((await items({ collection_id, csv: 'title,__proto__\nA,x\n' })).status).toBe(201)
  })

  test('10,000 lines are checked in one request', async () => {
    const checked = await items({
      collection_id: await makeCollection(api),
      csv: `title,n\n${Array.from({ length: 10_000 }, (_, at) => `Bird,${at}`).join('\n')}\n`,
    })
    expect([counts(checked), checked.body.rows.length]).toEqual([[10_000, 0, 0], 100])
  })
})
