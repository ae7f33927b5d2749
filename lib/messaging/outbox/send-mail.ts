import { setImmediate as breathe } from 'node:timers/promises'
import { type OutboxMessage, Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { type AnyContext, type Context, within, type SystemContext } from '../../platform/auth/context.ts'
import { secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { env } from '../../core/env.ts'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { log } from '../../core/log.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { domainOf, readSender, senderLine } from '../../core/sender.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Seller } from '../../organizations/find-seller.ts'
import { type ActiveMail, recordSendOutcome } from '../email-integrations/active-mail.ts'
import { defaultSenderOf } from '../campaigns/show-campaign.ts'
import { suppressAddress } from '../email-integrations/suppress-address.ts'
import { suppressionReason } from '../email-integrations/find-suppression.ts'
import { type MailMessage, MailRefused } from '../../ports/mail/mail.ts'
import { findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { optOutUrlOf } from '../opt-outs/opt-out-token.ts'
import { renderMessage } from '../templates/render-message.ts'
import type { TemplateType, TemplateVariables } from '../templates/mail-variables.ts'
import { holdIfSuspended } from './hold-mail.ts'
import {
  beginAttempt,
  type Dispatch,
  findDispatch,
  readWaitingMail,
  recordSent,
  type Sent,
  TRIED_SINCE,
  type WaitingMail,
} from './mails-in-work.ts'
import { openVariables, MAIL_LIFETIME_SECONDS, requestHeaders, URGENT_MAIL } from './outbox.ts'

const oneByOne = oncePerProcess('filling of mails', () => limitConcurrency(1))
/** A template may be so large that filling it takes longer. */
const LONG_MS = 2

/**
 * Mails of one kind are all filled when their template was read: after one that takes long, the event loop goes on
 * first.
 */
const inTurns = (build: () => MailMessage): Promise<MailMessage> =>
  oneByOne(async () => {
    const begun = performance.now()
    const mail = build()
    if (performance.now() - begun > LONG_MS) await breathe()
    return mail
  })

/** Attempts before a permanent refusal is believed: some servers answer permanently when they mean temporarily. */
const PERMANENT_TRIES = 8

/**
 * Mails to an organization's recipients go through its own active integration. Mails to its members never depend on it.
 */
const BY_ORGANIZATION_MAIL: ReadonlySet<string> = new Set([
  'REDEEM_NFT',
  'CLAIM_PINCODE',
  'CLAIMED_NFT',
  'CLAIM_REMINDER',
  'RECEIPT',
  'REFUND',
  'TEST',
] satisfies TemplateType[])

/**
 * Sends one mail of the outbox. Throws when another attempt makes sense; the row holds the last error.
 * A repeat after a crash has the same Message-ID.
 */
export async function sendOutboxMail(worker: SystemContext, messageId: string): Promise<void> {
  const message = await readWaitingMail(worker, messageId)
  if (message) await inItsScope(worker, message, (ctx) => send(worker, ctx, message))
}

/**
 * The scope of the organization whose mail it is; mail of the installation, such as a sign-in link, belongs to none.
 */
const inItsScope = (
  worker: SystemContext,
  { organizationId }: Pick<OutboxMessage, 'organizationId'>,
  work: (ctx: AnyContext) => Promise<void>,
): Promise<void> => (organizationId === null ? work(worker) : within(worker, organizationId, work))

/**
 * Mails that a server accepted and that the database can't record at the moment: this process doesn't send them again.
 */
const unrecorded = oncePerProcess('mails that are sent and not recorded', () => new Map<string, Sent>())
const MOST_UNRECORDED = 10_000

async function send(worker: SystemContext, ctx: AnyContext, message: WaitingMail): Promise<void> {
  const { id: messageId } = message
  const sent = unrecorded.get(messageId)
  if (sent) return record(worker, message, sent)
  if (message.suspended && (await holdIfSuspended(ctx, message)))
    return logMail(message, 'A mail is kept back by a suspension.')
  if (!message.variables || isStale(ctx, message))
    return giveUp(ctx, message, message.lastError ?? 'It was too old to be sent.')
  const owner = ctx.sees === 'organization' && BY_ORGANIZATION_MAIL.has(message.templateType) ? ctx : null
  if (message.optedOut) return discardMail(ctx, message)
  if (owner && message.stopped) return failMessage(ctx, message, suppressionReason(message.stopped))
  await beginAttempt(worker, messageId)
  const dispatch = await findDispatch(ctx, message, owner !== null)
  const { own } = dispatch
  let providerId: string | null
  try {
    const { variables } = message
    const mail = await inTurns(() => buildMessage(ctx, message, variables, dispatch))
    providerId = (await (own ? own.open() : ctx.ports.mail).send(mail)).providerId
    crashPoint('mail_sent')
  } catch (error) {
    const failure = (error as Error).message.slice(0, 1000)
    await ctx.db.outboxMessage.updateMany({ where: { id: messageId, state: 'PENDING' }, data: { lastError: failure } })
    if (owner && own) await recordSendOutcome(owner, own.integrationId, failure)
    if (!isPermanent(error) || message.attempts + 1 < PERMANENT_TRIES) throw error
    return isNoSuchAddress(error) && owner ? recordBounce(owner, message, failure) : giveUp(ctx, message, failure)
  }
  await record(worker, message, { integrationId: own?.integrationId ?? null, providerId })
  if (owner && own?.hasFailed) await recordSendOutcome(owner, own.integrationId, null)
}

async function record(worker: SystemContext, message: WaitingMail, sent: Sent): Promise<void> {
  const { id: messageId } = message
  if (unrecorded.size >= MOST_UNRECORDED) unrecorded.delete(unrecorded.keys().next().value!)
  unrecorded.set(messageId, sent)
  await recordSent(worker, messageId, sent)
  unrecorded.delete(messageId)
  crashPoint('mail_recorded')
  logMail(message, 'A mail was sent.')
}

function isStale(ctx: AnyContext, { templateType, createdAt, triedSince }: WaitingMail): boolean {
  const since = URGENT_MAIL.includes(templateType as TemplateType) ? createdAt : triedSince
  return (
    since !== null &&
    ctx.now().getTime() - since.getTime() >= MAIL_LIFETIME_SECONDS[templateType as TemplateType] * 1000
  )
}

const isPermanent = (error: unknown) => error instanceof MailRefused && error.permanent
const isNoSuchAddress = (error: unknown) => error instanceof MailRefused && error.noSuchAddress

function buildMessage(
  ctx: AnyContext,
  message: WaitingMail,
  sealed: Uint8Array,
  { template, own, seller }: Dispatch,
): MailMessage {
  const variables = openVariables({ id: message.id }, sealed)
  const unsubscribeUrl =
    message.unasked && message.claimId !== null
      ? optOutUrlOf(ctx.ports.addresses.origin, { claimId: message.claimId, email: message.toEmail })
      : null
  return {
    messageId: message.messageId,
    from: senderOf(variables, own, seller),
    replyTo: own?.replyTo,
    to: message.toEmail,
    ...renderMessage(template, variables, { seller, unsubscribeUrl }),
    headers: {
      ...requestHeaders(message.requestId),
      ...(unsubscribeUrl !== null && oneClickHeaders(unsubscribeUrl)),
    },
  }
}

/**
 * The campaign's sender name with the address of the integration, or of the installation. A campaign may choose another
 * address of the integration's domain.
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

/** Logs the outcome of a mail. Its address stays out of the log. */
const logMail = ({ id, requestId, organizationId, templateType }: EndedMail, outcome: string, reason?: string) =>
  log.info({ id, requestId, organizationId, templateType, ...(reason && { reason }) }, outcome)

/** Its reader unsubscribed. */
async function discardMail(ctx: AnyContext, message: EndedMail): Promise<void> {
  const reason = 'Whoever has this mailbox unsubscribed from gifts.'
  const { count } = await ctx.db.outboxMessage.updateMany({
    where: { id: message.id, state: 'PENDING' },
    data: { state: 'DISCARDED', variables: null, lastError: reason },
  })
  if (count > 0) logMail(message, 'A mail was discarded.', reason)
}

/** The address doesn't exist: stops all further mail of this organization to it. */
async function recordBounce(ctx: Context, message: WaitingMail, reason: string): Promise<void> {
  await suppressAddress(ctx, { email: message.toEmail, reason: 'BOUNCE', detail: reason })
  await ctx.db.outboxMessage.updateMany({ where: { id: message.id, bouncedAt: null }, data: { bouncedAt: ctx.now() } })
  await failMessage(ctx, message, reason)
}

/** Fails a mail without an alarm: the suppression of its address has raised one. */
async function failMessage(ctx: AnyContext, message: EndedMail, reason: string): Promise<void> {
  const { count } = await ctx.db.outboxMessage.updateMany({
    where: { id: message.id, state: 'PENDING' },
    data: { state: 'FAILED', variables: null, lastError: reason },
  })
  if (count > 0) logMail(message, 'A mail has failed.', reason)
}

/**
 * Gives up a mail and raises an alarm, except for a PIN, which has expired by now anyway, and for a mail about alarms:
 * an alarm about it would be mailed to the same address.
 */
async function giveUp(ctx: AnyContext, message: OldMail, reason: string): Promise<void> {
  const lost = message.templateType !== 'CLAIM_PINCODE'
  const { count } = await ctx.db.outboxMessage.updateMany({
    where: { id: message.id, state: 'PENDING' },
    data: { state: lost ? 'FAILED' : 'DISCARDED', variables: null, lastError: reason },
  })
  if (count === 0) return
  logMail(message, lost ? 'A mail has failed.' : 'A mail was discarded.', reason)
  if (!lost) return
  if (message.templateType === ('ALARM' satisfies TemplateType))
    return log.error({ to: message.toEmail, reason }, 'A mail about alarms could not be delivered.')
  await raiseAlarm(
    ctx,
    'mail_failed',
    message.id,
    `A mail (${message.templateType}) could not be delivered to its mail server. ${reason}`,
  )
}

const WIPE = { kind: 'wipe old mail', failure: 'An old mail could not be given up.' } as const
const WIPE_BATCH = 500
const OLD_MAIL = columns('m', 'OutboxMessage', [
  'id',
  'organizationId',
  'templateType',
  'toEmail',
  'lastError',
  'requestId',
])
type OldMail = RowOf<typeof OLD_MAIL>
type EndedMail = Pick<OldMail, 'id' | 'organizationId' | 'templateType' | 'requestId'>

/** Gives up mails past their lifetime, so that their secrets are deleted even where nothing tries them again. */
export async function wipeOldMail(worker: SystemContext): Promise<void> {
  for (const [templateType, seconds] of Object.entries(MAIL_LIFETIME_SECONDS)) {
    const before = secondsFrom(worker.now(), -seconds).toISOString()
    const since = URGENT_MAIL.includes(templateType as TemplateType) ? 'm.created_at' : TRIED_SINCE
    const old = await findReady(worker, WIPE, WIPE_BATCH, ({ skip, take }) =>
      worker.sql<OldMail>(Prisma.sql`
      SELECT ${Prisma.raw(OLD_MAIL)}
      FROM outbox_messages m
      WHERE state = 'PENDING' AND template_type = ${templateType} AND created_at <= ${before}::timestamptz
        AND ${Prisma.raw(since)} <= ${before}::timestamptz
      ORDER BY created_at, id LIMIT ${take} OFFSET ${skip}`),
    )
    await sweepAny(worker, WIPE, old, (message) =>
      inItsScope(worker, message, (ctx) => giveUp(ctx, message, message.lastError ?? 'It was too old to be sent.')),
    )
  }
}
