import type { OutboxMessage } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { MailEvent } from '../../ports/mail/mail.ts'
import { secretsOf } from './integration-config.ts'
import { readEmailIntegration } from './read-email-integration.ts'
import { suppressAddress } from './suppress-address.ts'

const REFUSALS = {
  malformed: () => new AppError('invalid_request', 'This is not an event as Mailgun posts them.'),
  forged: () => new AppError('unauthenticated', 'The signature of this event is not valid.'),
  'out of time': () => new AppError('unauthenticated', 'The signature of this event is too old, or of a time to come.'),
}

/**
 * Applies an event that Mailgun posts about a mail. An event counts once, by its signature's token. A bounce or a spam
 * complaint stops all mail of this organization to that address. Throws `invalid_request` for another body,
 * `unauthenticated` for a wrong signature.
 */
export async function receiveMailEvent(ctx: Context, input: { integrationId: string; body: unknown }): Promise<void> {
  const secrets = secretsOf(await readEmailIntegration(ctx, input.integrationId))
  const posted = ctx.ports.readMailEvent(input.body, secrets.webhook_signing_key ?? secrets.api_key ?? '')
  if ('refused' in posted) throw REFUSALS[posted.refused]()
  const { token, event } = posted
  if (event) await inTransaction(ctx, (tx) => applyMailEvent(tx, token, event))
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
  // An unknown mail may come from another sender of the same Mailgun account. It counts only for addresses this
  // organization wrote to.
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
