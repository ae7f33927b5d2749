import { createHmac } from 'node:crypto'
import type { SandboxEvent } from '../../../generated/prisma/client.ts'
import { DAY, realNow, secondsFrom } from '../../core/clock.ts'
import { finishVerifications } from './accounts.ts'
import { type SandboxStore, openSandboxStore } from './store.ts'
import { sandboxKeys } from './keys.ts'
import { openDisputes } from './disputes.ts'
import { completeRefunds } from './refunds.ts'

const BATCH = 50
const POST_TIMEOUT_MS = 10_000
/** How long after an event its delivery is retried, as at Stripe. */
const MAX_RETRY_SECONDS = 3 * DAY

export type Post = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string },
) => Promise<{ ok: boolean }>

const overHttp: Post = (url, init) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(POST_TIMEOUT_MS), redirect: 'error' })

/**
 * One pass of what the provider does by itself: it finishes verifications, opens disputes, completes slow refunds, and
 * posts signed events to the platform's card webhook. Gives the number of events that were accepted.
 */
export async function runSandboxCards(
  post: Post = overHttp,
  store: SandboxStore = openSandboxStore(),
): Promise<number> {
  await finishVerifications(store)
  await openDisputes(store)
  await completeRefunds(store)
  const due = await store.db.sandboxEvent.findMany({
    where: {
      deliveredAt: null,
      nextAt: { lte: store.now() },
      createdAt: { gt: secondsFrom(store.now(), -MAX_RETRY_SECONDS) },
    },
    orderBy: { nextAt: 'asc' },
    take: BATCH,
  })
  const accepted = await Promise.all(due.map((event) => deliver(store, event, post)))
  return accepted.filter(Boolean).length
}

async function deliver(store: SandboxStore, event: SandboxEvent, post: Post): Promise<boolean> {
  const body = JSON.stringify(eventObject(event))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signatureOf(body, realNow()),
  }
  const accepted = await post(`${store.origin}/webhooks/cards/sandbox`, { method: 'POST', headers, body }).then(
    ({ ok }) => ok,
    () => false,
  )
  const data = accepted
    ? { deliveredAt: store.now() }
    : { nextAt: secondsFrom(store.now(), Math.min(3600, 2 ** Math.min(event.attempts, 12))) }
  await store.db.sandboxEvent.updateMany({ where: { id: event.id }, data: { ...data, attempts: event.attempts + 1 } })
  return accepted
}

export const eventObject = (event: SandboxEvent) => ({
  id: event.id,
  object: 'event',
  account: event.accountId,
  api_version: '2025-09-30.clover',
  created: Math.floor(event.createdAt.getTime() / 1000),
  data: { object: event.payload },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: event.type,
})

/** The `Stripe-Signature` header: the Unix time, and an HMAC-SHA256 over time and body. */
export function signatureOf(body: string, at: Date, secret = sandboxKeys().webhookSecret): string {
  const t = Math.floor(at.getTime() / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
