import type { Webhook } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { realNow, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { newId } from '../../core/id.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { EgressRefused, type PostResult } from '../../ports/egress/egress.ts'
import { disableWebhook } from './disable-webhook.ts'
import { lockWebhook } from './read-webhook.ts'
import { MAX_FAILING_SECONDS, nextAttemptAt, RESPONSE_TIMEOUT_SECONDS } from './retry-schedule.ts'
import { inKeyOrder } from './show-webhook.ts'
import type { DueDelivery } from './lease-deliveries.ts'
import { signatureHeaders } from './webhook-secret.ts'

type Outcome = { ok: boolean; status: number | null; error: string | null; answer: string | null; milliseconds: number }

/** 410 Gone: the receiver is permanently removed, so the webhook is disabled. */
const GONE = 410

/**
 * Posts a leased delivery and records the outcome. After a crash in between it is posted again, with the same message
 * id.
 */
export async function deliver(worker: SystemContext, due: DueDelivery): Promise<void> {
  crashPoint('delivery_leased')
  const outcome = await post(worker, due)
  crashPoint('webhook_posted')
  try {
    await within(worker, due.organizationId, (ctx) => inTransaction(ctx, (tx) => recordOutcome(tx, due, outcome)))
  } catch (error) {
    const deleted = isForeignKeyViolation(error) || (error instanceof AppError && error.code === 'not_found')
    if (!deleted) throw error
  }
  crashPoint('delivery_recorded')
  const { id, webhookId, organizationId, requestId } = due
  const { ok, status, milliseconds } = outcome
  log.info(
    { id, requestId, organizationId, webhookId, status, milliseconds },
    ok ? 'A webhook delivery was posted.' : 'A webhook delivery was not taken.',
  )
}

async function post({ now, ports }: SystemContext, due: DueDelivery): Promise<Outcome> {
  const begun = performance.now()
  try {
    const body = JSON.stringify(inKeyOrder(due.payload))
    const signed = signatureHeaders({ ...due, id: due.webhookId }, due.messageId, { at: realNow(), now: now() }, body)
    const headers = { 'content-type': 'application/json', 'user-agent': 'Vitrine-Webhooks/1', ...signed }
    return outcomeOf(await ports.poster.post(due.url, { headers, body, timeoutMs: RESPONSE_TIMEOUT_SECONDS * 1000 }))
  } catch (error) {
    return {
      ok: false,
      status: null,
      error: reasonOf(error),
      answer: null,
      milliseconds: Math.round(performance.now() - begun),
    }
  }
}

function outcomeOf({ status, answer, milliseconds }: PostResult): Outcome {
  const ok = status >= 200 && status < 300
  const error = ok
    ? null
    : status >= 300 && status < 400
      ? `The receiver redirects (${status}); redirects are not followed.`
      : `The receiver answered ${status}.`
  return { ok, status, error, answer, milliseconds }
}

const REASONS: Record<string, string> = {
  ENOTFOUND: 'The name of the host doesn’t resolve.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  ECONNREFUSED: 'The host refuses the connection.',
  ECONNRESET: 'The receiver broke off the connection.',
  UND_ERR_SOCKET: 'The receiver broke off the connection.',
  UND_ERR_CONNECT_TIMEOUT: 'The host can’t be connected to.',
  CERT_HAS_EXPIRED: 'The certificate of the host has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the host is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
}

function reasonOf(error: unknown): string {
  if (error instanceof EgressRefused) return error.message
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  if (name === 'TimeoutError') return `There was no answer within ${RESPONSE_TIMEOUT_SECONDS} seconds.`
  return (
    REASONS[code ?? ''] ??
    `There was no answer: ${message ?? 'the connection failed'}.`.replace(/\.+$/, '.').slice(0, 500)
  )
}

/**
 * Records one attempt. The webhook's row is always locked first, so that two outcomes of one webhook can't deadlock.
 */
async function recordOutcome(tx: Context, due: DueDelivery, outcome: Outcome): Promise<void> {
  const webhook = outcome.ok ? await recordSuccess(tx, due) : await recordFailure(tx, due)
  const { ok: _, ...attempt } = outcome
  await tx.db.webhookAttempt.create({
    data: { id: newId(), organizationId: due.organizationId, deliveryId: due.id, ...attempt, createdAt: tx.now() },
  })
  const attempts = due.attempts + 1
  if (outcome.ok) {
    // Also when the delivery was given up meanwhile: it has arrived.
    await tx.db.webhookDelivery.updateMany({
      where: { id: due.id, state: { not: 'DELIVERED' } },
      data: { state: 'DELIVERED', attempts, nextAt: null, postingUntil: null, deliveredAt: tx.now() },
    })
    return
  }
  const nextAt = nextAttemptAt(due.createdAt, attempts, tx.now())
  await tx.db.webhookDelivery.updateMany({
    where: { id: due.id, state: 'PENDING', postingUntil: due.lease },
    data: { attempts, nextAt, postingUntil: null, ...(nextAt === null && { state: 'FAILED' as const }) },
  })
  if (webhook && outcome.status === GONE) await disableWebhook(tx, webhook, { why: 'gone' })
  else if (webhook && hasFailedLong(tx, webhook))
    await disableWebhook(tx, webhook, { why: 'failing', error: outcome.error })
}

const hasFailedLong = (tx: Context, { failingSince }: Webhook) =>
  failingSince !== null && failingSince <= secondsFrom(tx.now(), -MAX_FAILING_SECONDS)

async function recordSuccess(tx: Context, { webhookId }: DueDelivery): Promise<null> {
  await tx.db.webhook.updateMany({
    where: { id: webhookId, failingSince: { not: null } },
    data: { failingSince: null },
  })
  return null
}

async function recordFailure(tx: Context, { webhookId }: DueDelivery): Promise<Webhook> {
  const webhook = await lockWebhook(tx, webhookId)
  if (webhook.failingSince) return webhook
  return tx.db.webhook.update({ where: { id: webhookId }, data: { failingSince: tx.now() } })
}
