import type { EventData, EventType } from './api.ts'

export type { EventData, EventType }

type Told<Type, Data> = {
  type: Type
  id: string
  organization_id: string
  timestamp: string
  data: Data
  /** An example that was triggered to try a listener. */
  test?: true
}
/** What a webhook or a listener gets. `id` stays the same when an event comes again: do each one once. */
export type WebhookEvent =
  { [Type in EventType]: Told<Type, EventData[Type]> }[EventType] | Told<'webhook.test', Record<string, unknown>>

/** A body that no given secret signed, or not in time. Answer it with 400. */
export class WebhookRefused extends Error {}

type HeadersLike = { get: (name: string) => string | null } | Record<string, string | string[] | undefined>
type VerifyOptions = {
  /** How old, or how far ahead, the time of the signature may be. 300 unless given. */
  toleranceSeconds?: number
  /** Milliseconds since 1970. */
  now?: number
}

/**
 * The event in a webhook's body, once the signature (Standard Webhooks) is found right. While a secret is being
 * replaced, give both.
 * @param body as it came: parsing it first breaks the signature.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const read = readerOf(headers)
  const [id, time, signatures] = [read('webhook-id'), read('webhook-timestamp'), read('webhook-signature')]
  if (!id || !time || !signatures) throw new WebhookRefused('The headers of the signature are missing.')
  if (!/^\d{1,12}$/.test(time)) throw new WebhookRefused('The time of the signature can’t be read.')
  if (Math.abs(now / 1000 - Number(time)) > toleranceSeconds)
    throw new WebhookRefused('The time of the signature is too far away. Is the clock of this machine right?')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = signedBytes(id, time, bytes)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? (bytesOf(one.slice(3)) ?? []) : []))
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret)
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, signature, signed))
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  }
  throw new WebhookRefused('The signature is not by a known secret.')
}

/** The headers that sign a body, as the server sends them. */
export async function signWebhook(
  secret: string,
  id: string,
  body: string,
  now = Date.now(),
): Promise<Record<string, string>> {
  const time = String(Math.floor(now / 1000))
  const signed = signedBytes(id, time, new TextEncoder().encode(body))
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), signed))
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  }
}

const readerOf =
  (headers: HeadersLike) =>
  (name: string): string | null | undefined => {
    if (isHeaders(headers)) return headers.get(name)
    const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
    return Array.isArray(value) ? value.join(' ') : value
  }

const isHeaders = (headers: HeadersLike): headers is { get: (name: string) => string | null } =>
  typeof headers.get === 'function'

function signedBytes(id: string, time: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const before = new TextEncoder().encode(`${id}.${time}.`)
  const all = new Uint8Array(before.length + body.length)
  all.set(before)
  all.set(body, before.length)
  return all
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('A webhook’s secret is whsec_ and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** null: not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
