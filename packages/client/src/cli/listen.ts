import { Problem, Unreachable } from '../client.ts'
import { pause } from '../retry.ts'
import { signWebhook, type WebhookEvent } from '../webhooks.ts'
import { EVENT_NAMES } from './event-names.ts'
import { sentenceOf } from './sentence-of.ts'
import { type EventLog, Misuse } from './settings.ts'

const WAIT_SECONDS = 25
/** After an answer that came at once and empty, since the server is stopping. */
const EARLY_PAUSE_SECONDS = 1
const OFFLINE_PAUSE_SECONDS = 3
/** What a webhook's receiver has, too. */
const RECEIVER_SECONDS = 15

export type ListenOptions = {
  forwardTo?: string | undefined
  secret: string
  events?: string | undefined
}

/**
 * Posts the events that happen from now on to an address, one after another, signed as webhooks are, until the signal
 * is aborted. One that the receiver doesn't take is shown and not sent again.
 */
export async function listen(
  { listenForEvents }: EventLog,
  { forwardTo, secret, events }: ListenOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!forwardTo || !URL.canParse(forwardTo))
    throw new Misuse('Where are the events to go? vitrine listen --forward-to http://localhost:4242/hooks')
  await signWebhook(secret, 'test', '').catch(() => {
    throw new Misuse('A secret is whsec_ and base64, such as the dashboard shows of a webhook.')
  })
  const wanted = events === undefined ? null : eventsIn(events)
  let { cursor } = await listenForEvents({ query: {} }, { signal })
  console.log(`Listening. Events are signed with ${secret}`)
  while (!signal.aborted) {
    const began = Date.now()
    try {
      const answer = await listenForEvents({ query: { after: cursor, wait: WAIT_SECONDS } }, { signal })
      for (const event of answer.results)
        if (!wanted || wanted.includes(event.type)) await forward(forwardTo, secret, event)
      cursor = answer.cursor
      const isEarly = answer.results.length === 0 && Date.now() - began < 1_000
      if (isEarly) await pause(EARLY_PAUSE_SECONDS, signal)
    } catch (failure) {
      if (failure === signal.reason) return
      if (!mayPass(failure)) throw failure
      console.error(`${sentenceOf(failure)} Trying again.`)
      await pause(OFFLINE_PAUSE_SECONDS, signal)
    }
  }
}

/**
 * The events in a list of names. Throws Misuse for one that doesn't exist, for which nobody would ever hear anything.
 */
function eventsIn(list: string): string[] {
  const names = list.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !EVENT_NAMES.includes(name))
  if (unknown.length > 0)
    throw new Misuse(`There is no event “${unknown.join('”, “')}”. There are: ${EVENT_NAMES.join(', ')}.`)
  return names
}

/** Whether it may be over soon: a server that starts again, say. */
const mayPass = (failure: unknown): boolean =>
  failure instanceof Unreachable || (failure instanceof Problem && (failure.status >= 500 || failure.status === 429))

async function forward(to: string, secret: string, event: WebhookEvent): Promise<void> {
  const body = JSON.stringify(event)
  const began = Date.now()
  const outcome = await fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await signWebhook(secret, event.id, body)) },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(RECEIVER_SECONDS * 1000),
  }).then(
    async ({ status, body: answer }) => {
      await answer?.cancel() // an answer that isn't read keeps its connection
      return `${status} in ${Date.now() - began} ms`
    },
    (failure: Error) => (failure.name === 'TimeoutError' ? `no answer within ${RECEIVER_SECONDS} s` : 'refused'),
  )
  console.log(`${event.timestamp} ${event.type} ${event.id} → ${outcome}`)
}

/**
 * The secret of an API key, always the same one, so that a receiver keeps it when the command starts again. It doesn't
 * tell the key.
 */
export async function secretOf(key: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`vitrine listen ${key}`))
  return `whsec_${btoa(String.fromCharCode(...new Uint8Array(hash)))}`
}
