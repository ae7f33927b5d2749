import { Webhook as Signer } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cardByNumber } from '../../lib/ports/sandbox-cards/test-cards.ts'
import {
  type CallOptions,
  clientOf,
  type ClientOptions,
  each,
  Problem,
  Unreachable,
} from '../../packages/client/src/client.ts'
import { CARDS } from '../../packages/client/src/sandbox.ts'
import { signWebhook, verifyWebhook } from '../../packages/client/src/webhooks.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | 'lost' | 'never'
type Asked = { url: string; method: string; headers: Record<string, string>; body: unknown }
type Operation = (
  input?: { params?: object; query?: object; body?: unknown },
  options?: CallOptions,
) => Promise<{ results: number[]; cursor: string | null; has_more: boolean }>

const TABLE = {
  get: ['GET', '/v1/things/{thing_id}', 'status cursor limit'],
  list: ['GET', '/v1/things', 'cursor limit'],
  create: ['POST', '/v1/things', ''],
  replace: ['PUT', '/v1/things', ''],
  change: ['PATCH', '/v1/things', ''],
  remove: ['DELETE', '/v1/things', ''],
} as const

/** A client whose server gives these answers, the last one for ever. */
function clientThatGets(answers: Answer[], options: ClientOptions = {}) {
  const asked: Asked[] = []
  const send: ClientOptions['send'] = async (url, init) => {
    const { method = '', headers, body, signal } = init
    asked.push({ url, method, headers: headers as Record<string, string>, body })
    const answer = answers[Math.min(asked.length, answers.length) - 1]!
    if (answer === 'lost') throw new Unreachable('No response arrived.')
    if (answer === 'never')
      return new Promise((_, reject) =>
        signal!.addEventListener('abort', () =>
          reject(new Unreachable('No response arrived.', { cause: signal!.reason })),
        ),
      )
    const { status = 200, headers: own = {}, body: json = {} } = answer
    const type = { 'content-type': 'application/json' }
    return new Response(status === 204 ? null : JSON.stringify(json), { status, headers: { ...type, ...own } })
  }
  const client = clientOf<Record<keyof typeof TABLE, Operation>>(TABLE, {
    origin: 'https://a.example/',
    key: 'vt_test_1',
    send,
    ...options,
  })
  return { client, asked }
}

/** The result of a call, with all of its pauses over. */
async function settled<T>(call: Promise<T>): Promise<T> {
  call.catch(() => undefined)
  await vi.runAllTimersAsync()
  return call
}

afterEach(() => vi.useRealTimers())

describe('one call', () => {
  test('fills path, query and headers, and gives JSON, nothing, or the response of a file', async () => {
    const { client, asked } = clientThatGets([
      { body: { id: 1 } },
      { status: 204 },
      { headers: { 'content-type': 'text/csv' } },
    ])
    const query = { status: ['A', 'B & C'], cursor: null, limit: 5 }
    expect(await client.get({ params: { thing_id: 'a/b' }, query })).toEqual({ id: 1 })
    expect(asked[0]).toEqual({
      url: 'https://a.example/v1/things/a%2Fb?status=A&status=B+%26+C&limit=5',
      method: 'GET',
      headers: { authorization: 'Bearer vt_test_1' },
      body: undefined,
    })
    expect(await client.create({ body: { amount: 2n ** 70n } })).toBeUndefined()
    expect(asked[1]).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: '{"amount":"1180591620717411303424"}',
    })
    expect(await client.list()).toBeInstanceOf(Response)
    const form = new FormData()
    await client.create({ body: form })
    expect(asked[3]!.body).toBe(form)
    expect(asked[3]!.headers).not.toHaveProperty('content-type')
  })

  test('a refusal is a Problem with code, fields, request id and whatever else it says', async () => {
    const errors = [{ field: 'name', code: 'too_small', detail: 'Too short.' }]
    const body = { code: 'invalid_request', detail: 'Look at the fields.', request_id: 'r1', errors, tries_left: 2 }
    const { client } = clientThatGets([
      { status: 400, body },
      { status: 502, headers: { 'retry-after': '90' } },
    ])
    const failure = await client.create({ body: {} }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: 'Look at the fields.',
      fields: errors,
      requestId: 'r1',
      body: { tries_left: 2 },
    })
    await expect(client.create({ body: {} })).rejects.toMatchObject({
      status: 502,
      code: 'unknown',
      retryAfterSeconds: 90,
    })
  })
})

describe('what is refused before it is sent', () => {
  const { client, asked } = clientThatGets([{}])

  test('an empty part of a path, a missing one and one of dots are refused', async () => {
    for (const thing_id of ['', undefined, null, '.', '..'])
      await expect(client.get({ params: { thing_id } })).rejects.toThrow(
        'can’t be the thing_id of /v1/things/{thing_id}.',
      )
    await expect(client.get()).rejects.toThrow(TypeError)
    expect(asked).toEqual([])
  })

  test('a name that the operation doesn’t have, wherever it stands and also without a value', async () => {
    const params = { thing_id: '1' }
    const refused = (call: Promise<unknown>) => expect(call).rejects
    await refused(client.get({ params, query: { campaignId: undefined } })).toThrow(
      'get query: there is no campaignId. Known: status, cursor, limit.',
    )
    await refused(client.remove({ query: { limit: 1 } })).toThrow('remove query: there is no limit.')
    await refused(client.get({ params: { ...params, id: '2' } })).toThrow(
      'get params: there is no id. Known: thing_id.',
    )
    await refused(client.list({ limit: 1 } as object)).toThrow('list: there is no limit. Known: params, query, body.')
    expect(asked).toEqual([])
  })

  test('but not what a newer server knows, as extraQuery', async () => {
    await client.list({ query: { limit: 1 } }, { extraQuery: { newer: ['a', 'b'] } })
    expect(asked.at(-1)!.url).toBe('https://a.example/v1/things?limit=1&newer=a&newer=b')
  })
})

describe('repeats', () => {
  const limited = { status: 429, body: { code: 'rate_limited' } }
  const overloaded = { status: 503, body: { code: 'overloaded' } }
  const unavailable = { status: 503, body: { code: 'unavailable' } }
  const inFlight = { status: 409, body: { code: 'idempotency_in_flight' } }
  const refused = { status: 409, body: { code: 'sold_out' } }
  test.each<[keyof typeof TABLE, Answer, number]>([
    ['list', 'lost', 4],
    ['list', unavailable, 4],
    ['list', { status: 502 }, 4],
    ['list', refused, 1],
    ['list', { status: 500, body: { code: 'internal' } }, 1],
    ['create', 'lost', 4],
    ['create', unavailable, 4],
    ['create', inFlight, 4],
    ['create', refused, 1],
    ['create', { status: 429, body: { code: 'purchases_open' } }, 1],
    ['replace', 'lost', 4],
    ['change', 'lost', 1],
    ['change', unavailable, 1],
    ['change', limited, 4],
    ['change', overloaded, 4],
    ['remove', 'lost', 1],
    ['remove', { status: 503, body: { code: 'maintenance' } }, 4],
  ])('%s after %j takes %i tries', async (name, answer, tries) => {
    vi.useFakeTimers()
    const { client, asked } = clientThatGets([answer])
    await expect(settled(client[name]({ body: {} }))).rejects.toThrow()
    expect(asked).toHaveLength(tries)
  })

  test('a POST keeps one Idempotency-Key over its tries; the next call has another, or its own', async () => {
    vi.useFakeTimers()
    const { client, asked } = clientThatGets(['lost', limited, { status: 201 }])
    await settled(client.create({ body: {} }))
    await settled(client.create({ body: {} }))
    await settled(client.create({ body: {} }, { idempotencyKey: 'mine' }))
    await settled(client.create({ body: {} }, { idempotencyKey: '' })) // the server refuses it
    const keys = asked.map(({ headers }) => headers['idempotency-key']!)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3], 'mine', ''])
    expect(keys[3]).not.toBe(keys[0])
  })

  test('Retry-After is kept to; what is too long for a call is the caller’s', async () => {
    vi.useFakeTimers()
    const { client, asked } = clientThatGets([{ ...limited, headers: { 'retry-after': '7' } }, {}])
    const call = client.list()
    await vi.advanceTimersByTimeAsync(6_999)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await call
    expect(asked).toHaveLength(2)

    const patient = clientThatGets([{ ...limited, headers: { 'retry-after': '3600' } }])
    await expect(settled(patient.client.list())).rejects.toMatchObject({ retryAfterSeconds: 3600 })
    expect(patient.asked).toHaveLength(1)
  })

  test('an aborted call ends at once with the signal’s reason, also in a pause', async () => {
    const { client, asked } = clientThatGets(['never'])
    const ending = new AbortController()
    const call = client.list({}, { signal: ending.signal })
    ending.abort(new Error('Gone.'))
    await expect(call).rejects.toThrow('Gone.')
    const paused = clientThatGets([{ ...limited, headers: { 'retry-after': '50' } }])
    const second = new AbortController()
    const waiting = paused.client.list({}, { signal: second.signal })
    await vi.waitFor(() => expect(paused.asked).toHaveLength(1))
    second.abort(new Error('Gone, too.'))
    await expect(waiting).rejects.toThrow('Gone, too.')
    expect(asked).toHaveLength(1)
  })

  test('a response that doesn’t come in time is Unreachable', async () => {
    const { client } = clientThatGets(['never'], { timeoutSeconds: 0.01, retries: 0 })
    await expect(client.list()).rejects.toBeInstanceOf(Unreachable)
  })
})

test('reading a file takes as long as it takes', async () => {
  vi.useFakeTimers()
  let given: AbortSignal | null | undefined
  const { exportItems } = clientOf<{ exportItems: () => Promise<Response> }>(
    { exportItems: ['GET', '/v1/exports/items.csv', ''] },
    {
      origin: 'https://a.example',
      timeoutSeconds: 1,
      send: async (_, { signal }) => {
        given = signal
        return new Response('id', { headers: { 'content-type': 'text/csv' } })
      },
    },
  )
  const file = await exportItems()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([given!.aborted, await file.text()]).toEqual([false, 'id'])
})

test('what a call asks to wait is no delay', async () => {
  vi.useFakeTimers()
  let given: AbortSignal | null | undefined
  const { listenForEvents } = clientOf<{ listenForEvents: (input: { query: { wait: number } }) => Promise<unknown> }>(
    { listenForEvents: ['GET', '/v1/events', 'wait'] },
    {
      origin: 'https://a.example',
      timeoutSeconds: 1,
      send: (_, { signal }) => {
        given = signal
        return new Promise(() => undefined)
      },
    },
  )
  void listenForEvents({ query: { wait: 30 } })
  await vi.advanceTimersByTimeAsync(30_500)
  expect(given!.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(given!.aborted).toBe(true)
})

test('each gives every record, page by page as they are needed', async () => {
  const { client, asked } = clientThatGets([
    { body: { results: [1, 2], cursor: 'c1', has_more: true } },
    { body: { results: [3], cursor: null, has_more: false } },
  ])
  const found: number[] = []
  for await (const record of each(client.list, { query: { limit: 2 } })) {
    found.push(record)
    if (record === 2) expect(asked).toHaveLength(1)
  }
  expect(found).toEqual([1, 2, 3])
  expect(asked.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&cursor=c1'])
})

describe('verifying webhooks', () => {
  const secrets = ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] as const
  const now = Date.parse('2026-11-20T12:00:00Z')
  const event = { type: 'item.minted', id: 'e1', data: { title: 'Grün 🌱' } }
  const body = JSON.stringify(event)
  const headersBy = (secret: string, at = now) => ({
    'Webhook-Id': 'e1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Signer(secret).sign('e1', new Date(at), body),
  })

  test('a body signed as Standard Webhooks say is the event, by either of two secrets', async () => {
    for (const secret of secrets) {
      expect(await verifyWebhook(body, headersBy(secret), secrets, { now })).toEqual(event)
      expect(
        await verifyWebhook(new TextEncoder().encode(body), new Headers(headersBy(secret)), secrets, { now }),
      ).toEqual(event)
    }
    const both = {
      ...headersBy(secrets[0]),
      'webhook-signature': `v1a,x v1,%% ${headersBy(secrets[1])['webhook-signature']}`,
    }
    expect(await verifyWebhook(body, both, secrets[1], { now })).toEqual(event)
  })

  test('what the client signs, the reference implementation verifies', async () => {
    const headers = await signWebhook(secrets[0], 'e1', body)
    expect(new Signer(secrets[0]).verify(body, headers)).toEqual(event)
  })

  test('another secret, another body and another id are refused', async () => {
    const refused = (...[text, headers, secret]: [string, Record<string, string>, string]) =>
      expect(verifyWebhook(text, headers, secret, { now })).rejects.toThrow('not by a known secret')
    await refused(body, headersBy(secrets[0]), secrets[1])
    await refused(`${body} `, headersBy(secrets[0]), secrets[0])
    await refused(body, { ...headersBy(secrets[0]), 'Webhook-Id': 'e2' }, secrets[0])
    await expect(verifyWebhook(body, {}, secrets[0])).rejects.toThrow('headers of the signature are missing')
    await expect(verifyWebhook(body, headersBy(secrets[0]), 'no base64!', { now })).rejects.toThrow(TypeError)
  })

  test('a signature older or newer than five minutes is refused, or than what was asked for', async () => {
    for (const seconds of [-300, 300]) {
      const at = now + seconds * 1000
      expect(await verifyWebhook(body, headersBy(secrets[0], at), secrets[0], { now })).toEqual(event)
      const beyond = headersBy(secrets[0], at + Math.sign(seconds) * 1000)
      await expect(verifyWebhook(body, beyond, secrets[0], { now })).rejects.toThrow('too far away')
      expect(await verifyWebhook(body, beyond, secrets[0], { now, toleranceSeconds: 301 })).toEqual(event)
    }
  })
})

test('the sandbox’s cards do what they are called for', () => {
  const does = Object.fromEntries(Object.entries(CARDS).map(([name, number]) => [name, cardByNumber(number)]))
  expect(does).toMatchObject({
    succeeds: { does: 'succeed' },
    asksTheBank: { does: 'authenticate', then: 'succeed' },
    isDeclined: { does: 'decline', declineCode: 'generic_decline' },
    hasNoMoney: { does: 'decline', declineCode: 'insufficient_funds' },
    hasExpired: { does: 'decline', code: 'expired_card' },
    isDisputedLater: { does: 'succeed', later: 'dispute' },
  })
})
