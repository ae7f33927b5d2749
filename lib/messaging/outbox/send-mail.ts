import { type OutboxMessage, Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { type AnyContext, type Context, within, type WorkerContext } from '../../platform/auth/context.ts'
import { secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { log } from '../../core/log.ts'
import type { Statement } from '../../db/statements.ts'
import { domainOf, readSender, senderLine } from '../../core/sender.ts'
import { findSeller, type Seller } from '../../organizations/find-seller.ts'
import { type ActiveMail, findActiveMail, recordSendOutcome } from '../email-integrations/active-mail.ts'
import { defaultSenderOf } from '../campaigns/show-campaign.ts'
import { suppressAddress } from '../email-integrations/suppress-address.ts'
import { findSuppression, suppressionReason } from '../email-integrations/find-suppression.ts'
import { type MailMessage, MailRefused } from '../../ports/mail/mail.ts'
import { findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { optOutUrlOf } from '../opt-outs/opt-out-token.ts'
import { renderMessage } from '../templates/render-message.ts'
import type { TemplateType, TemplateVariables } from '../templates/templates.ts'
import { holdIfSuspended } from './hold-mail.ts'
import { openVariables, MAIL_LIFETIME_SECONDS, URGENT_MAIL } from './outbox.ts'

/** Attempts before a permanent refusal is believed: some servers answer permanently when they mean temporarily. */
const PERMANENT_TRIES = 8

/** Mails to an organization's recipients go through its own active integration. Mails to its members never depend on it. */
const BY_ORGANIZATION_MAIL: ReadonlySet<string> = new Set([
  'REDEEM_NFT',
  'CLAIM_PINCODE',
  'CLAIMED_NFT',
  'CLAIM_REMINDER',
  'RECEIPT',
  'TEST',
] satisfies TemplateType[])

type Waiting = Pick<
  OutboxMessage,
  | 'id'
  | 'organizationId'
  | 'templateType'
  | 'claimId'
  | 'campaignId'
  | 'toEmail'
  | 'variables'
  | 'messageId'
  | 'attempts'
  | 'lastError'
  | 'createdAt'
> & { suspended: boolean; triedSince: Date | null; unasked: boolean; optedOut: boolean }

/**
 * Whether nobody asked or paid for a mail of claim `e`, so that its reader may refuse it: a reminder, or the first link of a campaign's gift. Who
 * asked for a PIN wants the gift.
 */
const UNASKED = `coalesce(e.purchase_intent_id IS NULL AND (m.template_type = 'CLAIM_REMINDER'
    OR m.template_type = 'REDEEM_NFT' AND m.campaign_id IS NOT NULL AND e.last_pin_sent_at IS NULL), false)`

/** When a mail was first tried, or where nobody knows, when it was written; null: never. One of release 0.1.0 that no job handed over isn't tried. */
const TRIED_SINCE = 'coalesce(m.first_tried_at, CASE WHEN m.attempts > 0 OR m.next_at IS NULL THEN m.created_at END)'

const READ: Statement = {
  name: 'mail_to_send',
  text: `SELECT m.id, m.organization_id AS "organizationId", m.template_type AS "templateType", m.claim_id AS "claimId", m.campaign_id AS "campaignId",
      m.to_email AS "toEmail", m.variables, m.message_id AS "messageId", m.attempts, m.last_error AS "lastError", m.created_at AS "createdAt",
      ${TRIED_SINCE} AS "triedSince", coalesce(is_suspended(e.organization_id, e.collection_id), false) AS suspended,
      ${UNASKED} AS unasked, ${UNASKED} AND EXISTS (SELECT 1 FROM mail_opt_outs o
        WHERE o.organization_id = m.organization_id AND o.email = lower(m.to_email)) AS "optedOut"
    FROM outbox_messages m LEFT JOIN email_claims e ON e.organization_id = m.organization_id AND e.id = m.claim_id
    WHERE m.id = $1::uuid AND m.state = 'PENDING'`,
}

const BEGIN_ATTEMPT: Statement = {
  name: 'begin_mail_attempt',
  text: `UPDATE outbox_messages m SET attempts = $2::int, first_tried_at = coalesce(${TRIED_SINCE}, $3::timestamptz) WHERE id = $1::uuid`,
}
const RECORD_SENT: Statement = {
  name: 'record_mail_sent',
  text: `UPDATE outbox_messages SET state = 'SENT', sent_at = $2::timestamptz, variables = NULL, last_error = NULL, integration_id = $3::uuid,
      provider_id = $4::text
    WHERE id = $1::uuid`,
}

/**
 * Sends one mail of the outbox. Throws when another attempt makes sense; the row holds the last error.
 * A repeat after a crash has the same Message-ID.
 */
export async function sendOutboxMail(worker: WorkerContext, messageId: string): Promise<void> {
  const [message] = await worker.rows<Waiting>(READ, messageId)
  if (message) await inItsScope(worker, message, (ctx) => send(ctx, message))
}

/** The scope of the organization whose mail it is; mail of the installation, such as a sign-in link, belongs to none. */
const inItsScope = (
  worker: WorkerContext,
  { organizationId }: Pick<OutboxMessage, 'organizationId'>,
  work: (ctx: AnyContext) => Promise<void>,
): Promise<void> => (organizationId === null ? work(worker) : within(worker, organizationId, work))

async function send(ctx: AnyContext, message: Waiting): Promise<void> {
  const { id: messageId } = message
  if (message.suspended && (await holdIfSuspended(ctx, message))) return
  if (!message.variables || isStale(ctx, message))
    return giveUp(ctx, message, message.lastError ?? 'It was too old to be sent.')
  const owner = ctx.sees === 'organization' && BY_ORGANIZATION_MAIL.has(message.templateType) ? ctx : null
  if (message.optedOut) return discardMail(ctx, message)
  const stopped = owner && (await findSuppression(owner, message.toEmail))
  if (stopped) return failMessage(ctx, message, suppressionReason(stopped))
  const attempts = message.attempts + 1
  await ctx.later(BEGIN_ATTEMPT, messageId, attempts, ctx.now().toISOString())
  const own = owner && (await findActiveMail(owner))
  let providerId: string | null
  try {
    const mail = await buildMessage(ctx, message, message.variables, own)
    providerId = (await (own ? own.open() : ctx.ports.mail).send(mail)).providerId
  } catch (error) {
    const failure = (error as Error).message.slice(0, 1000)
    await ctx.db.outboxMessage.updateMany({ where: { id: messageId, state: 'PENDING' }, data: { lastError: failure } })
    if (owner && own) await recordSendOutcome(owner, own.integrationId, failure)
    if (!isPermanent(error) || attempts < PERMANENT_TRIES) throw error
    return isNoSuchAddress(error) && owner ? recordBounce(owner, message, failure) : giveUp(ctx, message, failure)
  }
  if (owner && own) await recordSendOutcome(owner, own.integrationId, null)
  await ctx.later(RECORD_SENT, messageId, ctx.now().toISOString(), own?.integrationId ?? null, providerId)
}

function isStale(ctx: AnyContext, { templateType, createdAt, triedSince }: Waiting): boolean {
  const since = URGENT_MAIL.includes(templateType as TemplateType) ? createdAt : triedSince
  return (
    since !== null &&
    ctx.now().getTime() - since.getTime() >= MAIL_LIFETIME_SECONDS[templateType as TemplateType] * 1000
  )
}

const isPermanent = (error: unknown) => error instanceof MailRefused && error.permanent
const isNoSuchAddress = (error: unknown) => error instanceof MailRefused && error.noSuchAddress

async function buildMessage(
  ctx: AnyContext,
  message: Waiting,
  sealed: Uint8Array,
  own: ActiveMail | null,
): Promise<MailMessage> {
  const variables = openVariables({ id: message.id }, sealed)
  const seller = message.organizationId === null ? null : await findSeller(ctx, message.organizationId)
  const unsubscribeUrl =
    message.unasked && message.claimId !== null
      ? optOutUrlOf(ctx.ports.addresses.origin, { claimId: message.claimId, email: message.toEmail })
      : null
  return {
    messageId: message.messageId,
    from: senderOf(variables, own, seller),
    replyTo: own?.replyTo,
    to: message.toEmail,
    ...(await renderMessage(ctx, message, variables, { seller, unsubscribeUrl })),
    headers: unsubscribeUrl === null ? undefined : oneClickHeaders(unsubscribeUrl),
  }
}

/**
 * The campaign's sender name with the address of the integration, or of the installation. A campaign may choose another address of
 * the integration's domain.
 */
function senderOf(variables: TemplateVariables[TemplateType], own: ActiveMail | null, seller: Seller | null): string {
  if (!('organization_name' in variables)) return env.MAIL_FROM
  const label = 'sender_name' in variables ? variables.sender_name : null
  const named = label === null ? null : readSender(label)
  const name = named ? named.name : label
  if (!own)
    return senderLine(
      name ?? defaultSenderOf({ name: variables.organization_name, showsVitrine: seller?.showsVitrine ?? true }),
      readSender(env.MAIL_FROM)?.address ?? env.MAIL_FROM,
    )
  const address = named && domainOf(named.address) === domainOf(own.sender.address) ? named.address : own.sender.address
  return senderLine(name ?? own.sender.name ?? variables.organization_name, address)
}

/** A mail program shows its own button for these (RFC 2369, RFC 8058). */
const oneClickHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** Its reader unsubscribed. */
async function discardMail(ctx: AnyContext, { id }: Pick<OutboxMessage, 'id'>): Promise<void> {
  await ctx.db.outboxMessage.updateMany({
    where: { id, state: 'PENDING' },
    data: { state: 'DISCARDED', variables: null, lastError: 'Whoever has this mailbox unsubscribed from gifts.' },
  })
}

/** The address doesn't exist: stops all further mail of this organization to it. */
async function recordBounce(ctx: Context, message: Waiting, reason: string): Promise<void> {
  await suppressAddress(ctx, { email: message.toEmail, reason: 'BOUNCE', detail: reason })
  await ctx.db.outboxMessage.updateMany({ where: { id: message.id, bouncedAt: null }, data: { bouncedAt: ctx.now() } })
  await failMessage(ctx, message, reason)
}

/** Fails a mail without an alarm: the suppression of its address has raised one. */
async function failMessage(ctx: AnyContext, message: Pick<OutboxMessage, 'id'>, reason: string): Promise<void> {
  await ctx.db.outboxMessage.updateMany({
    where: { id: message.id, state: 'PENDING' },
    data: { state: 'FAILED', variables: null, lastError: reason },
  })
}

/**
 * Gives up a mail and raises an alarm, except for a PIN, which has expired by now anyway, and for a mail about alarms: an alarm about it
 * would be mailed to the same address.
 */
async function giveUp(ctx: AnyContext, message: OldMail, reason: string): Promise<void> {
  const lost = message.templateType !== 'CLAIM_PINCODE'
  const { count } = await ctx.db.outboxMessage.updateMany({
    where: { id: message.id, state: 'PENDING' },
    data: { state: lost ? 'FAILED' : 'DISCARDED', variables: null, lastError: reason },
  })
  if (count === 0 || !lost) return
  if (message.templateType === ('ALARM' satisfies TemplateType))
    return log.error({ to: message.toEmail, reason }, 'A mail about alarms could not be delivered.')
  await raiseAlarm(
    ctx,
    'mail_failed',
    message.id,
    `A mail (${message.templateType}) could not be delivered to its mail server. ${reason}`,
  )
}

const WIPE = { kind: 'wipe old mail', failure: 'An old mail could not be given up.' }
const WIPE_BATCH = 500
type OldMail = Pick<OutboxMessage, 'id' | 'organizationId' | 'templateType' | 'toEmail' | 'lastError'>

/** Gives up mails past their lifetime, so that their secrets are deleted even where nothing tries them again. */
export async function wipeOldMail(worker: WorkerContext): Promise<void> {
  for (const [templateType, seconds] of Object.entries(MAIL_LIFETIME_SECONDS)) {
    const before = secondsFrom(worker.now(), -seconds).toISOString()
    const since = URGENT_MAIL.includes(templateType as TemplateType) ? 'm.created_at' : TRIED_SINCE
    const old = await findReady(worker, WIPE, WIPE_BATCH, ({ skip, take }) =>
      worker.sql<OldMail>(Prisma.sql`
      SELECT id::text, organization_id::text AS "organizationId", template_type AS "templateType", to_email AS "toEmail", last_error AS "lastError"
      FROM outbox_messages m
      WHERE state = 'PENDING' AND template_type = ${templateType} AND created_at <= ${before}::timestamptz AND ${Prisma.raw(since)} <= ${before}::timestamptz
      ORDER BY created_at, id LIMIT ${take} OFFSET ${skip}`),
    )
    await sweepAny(worker, WIPE, old, (message) =>
      inItsScope(worker, message, (ctx) => giveUp(ctx, message, message.lastError ?? 'It was too old to be sent.')),
    )
  }
}
