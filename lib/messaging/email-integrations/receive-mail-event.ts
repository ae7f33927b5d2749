import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { EmailIntegration, OutboxMessage } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { MINUTE, realNow } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { sameBytes } from '../../core/secrets.ts'
import { secretsOf } from './integration-config.ts'
import { readEmailIntegration } from './read-email-integration.ts'
import { suppressAddress } from './suppress-address.ts'

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
type MailEvent = {
  type: 'DELIVERED' | 'BOUNCED' | 'COMPLAINED' | 'DELAYED'
  /** Whether further mail to the recipient stops. */
  stops: boolean
  recipient: string
  messageId: string | null
  detail: string | null
}

/** Reasons of permanent failures caused by the sender or by delay: the mail is lost, but the address may be fine. */
const NOT_ADDRESS_FAULTS: readonly string[] = ['old', 'espblock', 'greylisted']

/**
 * Applies an event that Mailgun posts about a mail. An event counts once, by its signature's token. A bounce or a spam complaint stops
 * all mail of this organization to that address. Throws `invalid_request` for another body, `unauthenticated` for a wrong signature.
 */
export async function receiveMailEvent(ctx: Context, input: { integrationId: string; body: unknown }): Promise<void> {
  const integration = await readEmailIntegration(ctx, input.integrationId)
  const parsed = mailgunEvent.safeParse(input.body)
  if (!parsed.success) throw new AppError('invalid_request', 'This is not an event as Mailgun posts them.')
  assertSigned(ctx, integration, parsed.data.signature)
  const event = mailEventOf(parsed.data['event-data'])
  if (event) await inTransaction(ctx, (tx) => applyMailEvent(tx, parsed.data.signature.token, event))
}

function assertSigned(
  ctx: Context,
  integration: EmailIntegration,
  { timestamp, token, signature }: MailgunEvent['signature'],
): void {
  const secrets = secretsOf(integration)
  const key = secrets.webhook_signing_key ?? secrets.api_key ?? ''
  const expected = createHmac('sha256', key)
    .update(timestamp + token)
    .digest()
  if (!key || !sameBytes(expected, Buffer.from(signature, 'hex')))
    throw new AppError('unauthenticated', 'The signature of this event is not valid.')
  if (Math.abs(realNow().getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new AppError('unauthenticated', 'The signature of this event is too old, or of a time to come.')
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

async function applyMailEvent(
  tx: Context,
  token: string,
  { type, stops, recipient, messageId, detail }: MailEvent,
): Promise<void> {
  const message = await findMessage(tx, messageId)
  const email = message?.toEmail ?? recipient
  const { count } = await tx.db.mailEvent.createMany({
    data: [
      {
        id: newId(),
        organizationId: tx.organizationId,
        token,
        type,
        email,
        messageId: message?.id ?? null,
        detail,
        createdAt: tx.now(),
      },
    ],
    skipDuplicates: true,
  })
  if (count === 0) return
  if (message) await updateMessage(tx, message, type, detail)
  // An unknown mail may come from another sender of the same Mailgun account. It counts only for addresses this organization wrote to.
  const isOurRecipient =
    message !== null ||
    (await tx.db.outboxMessage.findFirst({ where: { toEmail: email }, select: { id: true } })) !== null
  if (stops && isOurRecipient)
    await suppressAddress(tx, { email, reason: type === 'COMPLAINED' ? 'COMPLAINT' : 'BOUNCE', detail })
}

const findMessage = async (tx: Context, messageId: string | null): Promise<OutboxMessage | null> =>
  messageId
    ? tx.db.outboxMessage.findFirst({ where: { OR: [{ messageId: `<${messageId}>` }, { providerId: messageId }] } })
    : null

async function updateMessage(
  tx: Context,
  { id }: OutboxMessage,
  type: MailEvent['type'],
  detail: string | null,
): Promise<void> {
  const at = tx.now()
  if (type === 'DELIVERED')
    await tx.db.outboxMessage.updateMany({ where: { id, deliveredAt: null }, data: { deliveredAt: at } })
  if (type === 'COMPLAINED')
    await tx.db.outboxMessage.updateMany({ where: { id, complainedAt: null }, data: { complainedAt: at } })
  if (type === 'BOUNCED')
    await tx.db.outboxMessage.updateMany({ where: { id, bouncedAt: null }, data: { bouncedAt: at, lastError: detail } })
  if (type === 'DELAYED')
    await tx.db.outboxMessage.updateMany({
      where: { id, deliveredAt: null, bouncedAt: null },
      data: { lastError: detail },
    })
}
