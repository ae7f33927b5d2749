import type { OutboxMessage } from '../../generated/prisma/client.ts'
import { raiseAlarm } from '../audit/raise-alarm.ts'
import type { Context } from '../auth/context.ts'
import { env } from '../core/env.ts'
import type { Letter } from '../mail/mail.ts'
import { renderMail } from '../templates/render-mail.ts'
import type { TemplateType, TemplateVariables } from '../templates/templates.ts'
import { openVariables, WORTH_SECONDS } from './outbox.ts'

/** A server that says "never" is asked some more times all the same, since some say it when they mean "not now". */
const PERMANENT_TRIES = 8

/**
 * Sends one mail of the outbox. Throws while another try is worth it, so that the job runs again; whatever went wrong
 * stands on the row. A repeat after a crash carries the same Message-ID.
 */
export async function sendOutboxMail(ctx: Context, messageId: string): Promise<void> {
  const message = await ctx.db.outboxMessage.findUnique({ where: { id: messageId } })
  if (!message || message.state !== 'PENDING') return
  if (!message.variables || isStale(ctx, message)) return giveUp(ctx, message, message.lastError ?? 'It was too old to be sent.')
  const attempts = message.attempts + 1
  await ctx.db.outboxMessage.updateMany({ where: { id: messageId }, data: { attempts } })
  try {
    await ctx.ports.mail.send(await letterOf(message, message.variables))
  } catch (error) {
    const failure = (error as Error).message.slice(0, 1000)
    await ctx.db.outboxMessage.updateMany({ where: { id: messageId, state: 'PENDING' }, data: { lastError: failure } })
    if (isPermanent(error) && attempts >= PERMANENT_TRIES) return giveUp(ctx, message, failure)
    throw error
  }
  await ctx.db.outboxMessage.updateMany({ where: { id: messageId }, data: { state: 'SENT', sentAt: ctx.now(), variables: null, lastError: null } })
}

const isStale = (ctx: Context, { templateType, createdAt }: OutboxMessage) =>
  ctx.now().getTime() - createdAt.getTime() >= WORTH_SECONDS[templateType as TemplateType] * 1000

const isPermanent = (error: unknown) => (error as { permanent?: boolean }).permanent === true

async function letterOf({ id, templateType, toEmail, messageId }: OutboxMessage, sealed: Uint8Array): Promise<Letter> {
  const type = templateType as TemplateType
  const variables = openVariables({ id }, sealed)
  return { messageId, from: senderOf(variables), to: toEmail, ...(await renderMail(type, variables)) }
}

/** The installation's own address, under the sender's name. */
function senderOf(variables: TemplateVariables[TemplateType]): string {
  if (!('organization_name' in variables)) return env.MAIL_FROM
  const address = /<([^<>]+)>\s*$/.exec(env.MAIL_FROM)?.[1] ?? env.MAIL_FROM.trim()
  const name = ('sender_name' in variables && variables.sender_name) || `${variables.organization_name} via Vitrine`
  return `"${name.replace(/[\s\p{Cc}"\\<>]+/gu, ' ').trim()}" <${address}>`
}

/** A PIN nobody can use any more is no loss; anything else somebody must hear of. */
async function giveUp(ctx: Context, message: OutboxMessage, reason: string): Promise<void> {
  const lost = message.templateType !== 'CLAIM_PINCODE'
  const { count } = await ctx.db.outboxMessage.updateMany({
    where: { id: message.id, state: 'PENDING' },
    data: { state: lost ? 'FAILED' : 'DISCARDED', variables: null, lastError: reason },
  })
  if (count === 0 || !lost) return
  const owner = { ...ctx, organizationId: message.organizationId ?? '' }
  await raiseAlarm(owner, 'mail_failed', message.id, `A mail (${message.templateType}) could not be delivered to its mail server. ${reason}`)
}

/** Gives up what is too old, so that nothing secret outlives its use even when its job is lost. */
export async function wipeOldMail(ctx: Context): Promise<void> {
  for (const [templateType, seconds] of Object.entries(WORTH_SECONDS)) {
    const old = await ctx.db.outboxMessage.findMany({
      where: { state: 'PENDING', templateType, createdAt: { lte: new Date(ctx.now().getTime() - seconds * 1000) } },
      take: 500,
    })
    for (const message of old) await giveUp(ctx, message, message.lastError ?? 'It was too old to be sent.')
  }
}
