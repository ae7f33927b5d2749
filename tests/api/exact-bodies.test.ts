import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { call, callerOf } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { ask, frontDoor } from '../support/front-door.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
beforeAll(async () => {
  mine = await makeOrganization()
})

const body = () => JSON.stringify({ name: `Nachtkästchen ${newId()}` })

/** Makes a collection with a body as these bytes. */
async function post(bytes: Buffer, headers: Record<string, string> = {}) {
  const server = await frontDoor()
  const sent = { authorization: `Bearer ${mine.key}`, 'content-type': 'application/json', ...headers }
  const answer = await ask(`${server.url}/v1/collections`, { method: 'POST', headers: sent, body: bytes })
  const { code, name, errors } = JSON.parse(answer.body) as Record<string, unknown>
  return { status: answer.status, code, name, errors }
}

test('a body in UTF-8 is taken, with a byte order mark and with its charset named too', async () => {
  for (const [before, headers] of [
    ['', {}],
    ['\ufeff', {}],
    ['', { 'content-type': 'application/json; charset="UTF-8"' }],
    ['', { 'content-type': 'application/json;charset=utf8', 'content-encoding': 'identity' }],
  ] as const) {
    const text = body()
    const { name } = JSON.parse(text) as { name: string }
    expect(await post(Buffer.from(before + text), headers)).toMatchObject({ status: 201, name })
  }
})

test('a body in another charset, and one that isn’t valid UTF-8, are refused and never altered', async () => {
  const other = { 'content-type': 'application/json; charset=iso-8859-1' }
  expect(await post(Buffer.from(body(), 'latin1'), other)).toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
  })
  expect(await post(Buffer.from(body(), 'latin1'))).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(await post(Buffer.from(`\ufeff${body()}`, 'utf16le'))).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('an encoded body is refused', async () => {
  for (const encoding of ['gzip', 'br', 'GZIP', 'identity, gzip'])
    expect(await post(gzipSync(body()), { 'content-encoding': encoding })).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    })
})

test('route files refuse the same', async () => {
  const send = (headers: Record<string, string>, text = body()) =>
    call('POST', '/v1/collections', { key: mine.key, text, headers })
  expect((await send({ 'content-encoding': 'gzip' })).status).toBe(415)
  expect((await send({ 'content-type': 'application/json; charset=utf-16' })).status).toBe(415)
  expect((await send({}, `\ufeff${body()}`)).status).toBe(201)
})

test('attributes that can’t be kept exactly are refused by name', async () => {
  const collection = await makeCollection(callerOf(mine.key))
  const send = (attribute: string) =>
    call('POST', '/v1/items', {
      key: mine.key,
      text: `{"collection_id":"${collection}","attributes":{"title":"Moonflower",${attribute}}}`,
    })
  for (const [attribute, field] of [
    ['"a":"x\\ud800"', 'attributes.a'],
    ['"a":"x\\u0000"', 'attributes.a'],
    ['"a":9007199254740993', 'attributes.a'],
    ['"__proto__":1', 'attributes.__proto__'],
    ['"constructor":1', 'attributes.constructor'],
  ]) {
    const { status, body: answer } = await send(attribute!)
    expect([attribute, status, answer.errors.map((error: { field: string }) => error.field)]).toEqual([
      attribute,
      400,
      [field],
    ])
  }
  expect((await send('"a":9007199254740991')).body.attributes).toEqual({ title: 'Moonflower', a: 9007199254740991 })
})

test('numbers of a query and of a path have decimal digits only', async () => {
  const api = callerOf(mine.key)
  for (const text of ['0x10', '1e1', '%2010', '+10', '10.0'])
    expect([text, (await api.get(`/v1/items?limit=${text}`)).status]).toEqual([text, 400])
  expect((await api.get('/v1/items?limit=10')).status).toBe(200)
  expect((await api.get('/public/v1/collections?organization_id=' + mine.id + '&network_id=0x1')).status).toBe(400)
  expect((await api.post('/public/v1/relay/0x7a69', { method: 'eth_chainId' })).status).toBe(404)
})
