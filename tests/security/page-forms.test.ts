import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Application } from '../../lib/platform/http/http-server.ts'
import { withReadableForms } from '../../lib/platform/http/page-forms.ts'
import { callerOf } from '../support/call.ts'
import { ask } from '../support/front-door.ts'
import { startWebServer } from '../support/web-server.ts'

/** Stands for Next: gives back the body that it reads. */
const echo: Application = async (request, response) => void response.end(await buffer(request))
const start = () => startWebServer(withReadableForms(echo))

/** A form as a browser sends it. */
async function multipart(fields: [string, string][]) {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const response = new Response(form)
  return { type: response.headers.get('content-type')!, body: Buffer.from(await response.arrayBuffer()) }
}

const ACTION = { 'next-action': `60${'a'.repeat(40)}` }
const TEXT = 'text/plain;charset=UTF-8'
const BOUND: [string, string] = ['$ACTION_1:0', '{"id":"60","bound":"$@1"}']

test('forms and actions of pages reach Next as they were sent', async () => {
  const { url } = await start()
  const large = await multipart([
    ['0', '["$undefined","$K1","$a"]'],
    ['10', '{"x":"$$5"}'],
    ['_1_text', 'ä'.repeat(200_000)],
  ])
  const plain = await multipart([
    ['email', 'a@example.com'],
    ['$ACTION_REF_1', ''],
    BOUND,
    ['$ACTION_1:1', '[null,"$K2"]'],
  ])
  for (const { type, body, action } of [
    { type: TEXT, body: Buffer.from('[]'), action: true },
    {
      type: TEXT,
      body: Buffer.from('["$$literal","$undefined","$D2026-01-01T00:00:00.000Z",{"a":["$n5"]}]'),
      action: true,
    },
    { ...large, action: true },
    { ...plain, action: false },
    { type: 'application/x-www-form-urlencoded', body: Buffer.from('a=['), action: false },
  ]) {
    const headers = { 'content-type': type, ...(action && ACTION) }
    const answer = await ask(`${url}/sign-in`, { method: 'POST', headers, body })
    expect([answer.status, answer.bytes.equals(body)], body.toString().slice(0, 200)).toEqual([200, true])
  }
  const chunked = await fetch(`${url}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': large.type, ...ACTION },
    body: new Blob([large.body]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(Buffer.from(await chunked.arrayBuffer()).equals(large.body)).toBe(true)
})

test('a malformed form or action of a page is refused with 400, and Next doesn’t see it', async () => {
  const { url } = await start()
  const action = (type: string, body: string | Buffer) => ({ headers: { ...ACTION, 'content-type': type }, body })
  const form = (type: string, body: string | Buffer) => ({ headers: { 'content-type': type }, body })
  const forms = [
    await multipart([
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', '{"id":"60"'],
    ]),
    await multipart([['$ACTION_REF_1', '']]),
    await multipart([['$ACTION_REF_1', ''], BOUND]),
    await multipart([['$ACTION_REF_1', ''], BOUND, ['$ACTION_1:1', '[nu']]),
  ]
  const replies = [
    await multipart([['x', '1']]),
    await multipart([['0', '[']]),
    await multipart([
      ['0', '["$F1"]'],
      ['1', '{"id":"x"}'],
    ]),
    await multipart([['0', '["$1"]']]),
  ]
  const malformed = [
    action(TEXT, '['),
    action(TEXT, ''),
    action(TEXT, '["$@7"]'),
    action(TEXT, '["$h1"]'),
    action('application/json', '[]'),
    action('multipart/form-data', 'x'),
    action('multipart/form-data; boundary=a', 'x'),
    form('multipart/form-data', 'x'),
    form('multipart/form-data; boundary=a', '--a\r\ncontent-disposition: form-data; name="x"\r\n\r\n1'),
    ...forms.map(({ type, body }) => form(type, body)),
    ...replies.map(({ type, body }) => action(type, body)),
  ]
  for (const each of malformed) {
    const { status, body } = await ask(`${url}/sign-in`, { method: 'POST', ...each })
    expect([status, JSON.parse(body).code], each.body.toString()).toEqual([400, 'invalid_request'])
  }
})

test('a session cookie that can’t be decoded is no session', async () => {
  const headers = { cookie: 'next-auth.session-token=%', 'sec-fetch-site': 'same-origin' }
  expect((await callerOf().get('/v1/me', headers)).status).toBe(401)
})
