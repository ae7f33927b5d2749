import { randomBytes } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import type { Webhook } from '../../../generated/prisma/client.ts'
import { seal, unseal } from '../../core/secrets.ts'
import { KeyMissing } from '../../core/server-keys.ts'

const SECRET_BYTES = 32

/** A new secret as Standard Webhooks defines it: `whsec_` and base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export const sealWebhookSecret = (webhookId: string, secret: string) =>
  new Uint8Array(seal('webhook', webhookId, secret))

/** Whether a listed server key opens the webhook's secret. */
export function isReadable({ id, secret }: Pick<Webhook, 'id' | 'secret'>): boolean {
  try {
    unseal('webhook', id, secret)
    return true
  } catch (error) {
    if (error instanceof KeyMissing) return false
    throw error
  }
}

type Signing = Pick<Webhook, 'id' | 'secret' | 'previousSecret' | 'previousSecretUntil'>

/**
 * The three headers of Standard Webhooks. For a day after a rotation there are two signatures, the new secret's first.
 * @param time `at` is the time that is signed, which receivers compare with their clock; `now` decides whether that day
 * is over.
 */
export function signatureHeaders(
  webhook: Signing,
  messageId: string,
  { at, now }: { at: Date; now: Date },
  body: string,
): Record<string, string> {
  const previous =
    webhook.previousSecret && webhook.previousSecretUntil && webhook.previousSecretUntil > now
      ? [webhook.previousSecret]
      : []
  const secrets = [webhook.secret, ...previous].map((sealed) => unseal<string>('webhook', webhook.id, sealed))
  return headersSignedWith(secrets, messageId, at, body)
}

/**
 * The signature headers of a message for secrets that aren't in a webhook's row: one signature each, in their order.
 */
export const headersSignedWith = (
  secrets: readonly string[],
  messageId: string,
  at: Date,
  body: string,
): Record<string, string> => ({
  'webhook-id': messageId,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Signer(secret).sign(messageId, at, body)).join(' '),
})
