import { type ClientOptions, clientOf } from '../client.ts'
import type { WebhookEvent } from '../webhooks.ts'

/** What a person typed can't be done; the message says what can. */
export class Misuse extends Error {}

type Values = { origin?: string | undefined; key?: string | undefined }
type Events = { results: WebhookEvent[]; has_more: boolean; cursor: string }

/** The operations that the commands call. */
export type EventLog = {
  listenForEvents: (
    input: { query: { after?: string; wait?: number } },
    options?: { signal?: AbortSignal },
  ) => Promise<Events>
  triggerEvent: (input: { body: { type: string } }) => Promise<WebhookEvent>
}
const TABLE = {
  listenForEvents: ['GET', '/v1/events', 'after wait limit'],
  triggerEvent: ['POST', '/v1/events/trigger', ''],
} as const

export const originOf = ({ origin }: Values): string =>
  (origin ?? process.env.VITRINE_ORIGIN ?? 'http://localhost:3000').replace(/\/+$/, '')

/** The client that options and environment describe. Throws Misuse without a key. */
export const connectionOf = (values: Values): EventLog =>
  clientOf<EventLog>(TABLE, { origin: originOf(values), key: keyOf(values) } satisfies ClientOptions)

/** The API key. Throws Misuse without one. */
export function keyOf(values: Values): string {
  const key = values.key ?? process.env.VITRINE_API_KEY
  if (!key)
    throw new Misuse(
      'An API key is needed: --key vt_test_…, or VITRINE_API_KEY. The sandbox prints one; the dashboard makes them under API keys.',
    )
  return key
}
