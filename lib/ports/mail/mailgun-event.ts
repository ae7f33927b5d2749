import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { MINUTE, realNow } from '../../core/clock.ts'
import { sameBytes } from '../../core/secrets.ts'
import type { MailEvent, PostedMailEvent } from './mail.ts'

/** How far a signature's time may differ from ours, in either direction. */
const TOLERANCE_SECONDS = 15 * MINUTE

const word = z.string().max(1000)
const mailgunEvent = z.object({
  signature: z.object({
    timestamp: z
      .union([z.string(), z.number()])
      .transform(String)
      .pipe(z.string().regex(/^\d{1,12}$/)),
    token: z.string().min(1).max(200),
    signature: z.string().regex(/^[0-9a-f]{64}$/i),
  }),
  'event-data': z.object({
    event: word,
    severity: word.nullish(),
    reason: word.nullish(),
    recipient: z.string().max(320).nullish(),
    message: z.object({ headers: z.object({ 'message-id': word.nullish() }).nullish() }).nullish(),
    'delivery-status': z
      .object({
        code: z.union([z.number(), word]).nullish(),
        message: z.string().nullish(),
        description: z.string().nullish(),
      })
      .nullish(),
  }),
})
type MailgunEvent = z.output<typeof mailgunEvent>

/** Reasons of permanent failures caused by the sender or by delay: the mail is lost, but the address may be fine. */
const NOT_ADDRESS_FAULTS: readonly string[] = ['old', 'espblock', 'greylisted']

/**
 * Reads an event that Mailgun posts about a mail.
 * @param key the signing key of the account's webhooks; empty: no signature is valid
 */
export function readMailgunEvent(body: unknown, key: string): PostedMailEvent {
  const parsed = mailgunEvent.safeParse(body)
  if (!parsed.success) return { refused: 'malformed' }
  const { signature, 'event-data': data } = parsed.data
  if (!isSigned(signature, key)) return { refused: 'forged' }
  if (Math.abs(realNow().getTime() / 1000 - Number(signature.timestamp)) > TOLERANCE_SECONDS)
    return { refused: 'out of time' }
  return { token: signature.token, event: mailEventOf(data) }
}

function isSigned({ timestamp, token, signature }: MailgunEvent['signature'], key: string): boolean {
  const expected = createHmac('sha256', key)
    .update(timestamp + token)
    .digest()
  return key !== '' && sameBytes(expected, Buffer.from(signature, 'hex'))
}

function mailEventOf(data: MailgunEvent['event-data']): MailEvent | null {
  if (!data.recipient) return null
  const { code, message, description } = data['delivery-status'] ?? {}
  const detail = [code, description || message || data.reason].filter(Boolean).join(' ').slice(0, 1000) || null
  const common = {
    recipient: data.recipient.toLowerCase(),
    messageId: data.message?.headers?.['message-id']?.replace(/^<|>$/g, '') ?? null,
    detail,
  }
  switch (data.event) {
    case 'delivered':
      return { ...common, type: 'DELIVERED', stops: false }
    case 'complained':
      return { ...common, type: 'COMPLAINED', stops: true }
    case 'failed':
      if (data.severity !== 'permanent') return { ...common, type: 'DELAYED', stops: false }
      return { ...common, type: 'BOUNCED', stops: !NOT_ADDRESS_FAULTS.includes(data.reason ?? '') }
    default:
      return null
  }
}
