import type { Context } from '../../platform/auth/context.ts'
import { fieldError } from '../../core/errors.ts'
import { domainOf, readSender } from '../../core/sender.ts'

/**
 * Throws `invalid_request` when a sender label contains an address that is not of the active email integration's
 * domains.
 */
export async function assertOwnSender(ctx: Context, label: string | null | undefined): Promise<void> {
  if (!label?.includes('@')) return
  const refuse = (detail: string) => fieldError('invalid_request', 'email_from', detail)
  const sender = readSender(label)
  if (!sender)
    throw refuse('Write a name, or a name with one address behind it, such as Museum <hello@museum.example>.')
  const domains = await listSenderDomains(ctx)
  if (domains.length === 0)
    throw refuse('An address needs an active email integration of its domain. A name alone is always possible.')
  if (!domains.includes(domainOf(sender.address)))
    throw refuse(`The address must belong to ${domains.join(' or ')}, where the active email integration sends from.`)
}

/** The domains of the active email integration: its sender's, and the provider's sending domain. */
async function listSenderDomains(ctx: Context): Promise<string[]> {
  const integration = await ctx.db.emailIntegration.findFirst({ where: { status: 'ACTIVE' }, select: { config: true } })
  const { domain, email_from: from } = (integration?.config ?? {}) as { domain?: unknown; email_from?: unknown }
  const sender = typeof from === 'string' ? readSender(from) : null
  const found = [sender && domainOf(sender.address), typeof domain === 'string' && domain.toLowerCase()]
  return [...new Set(found.filter((entry): entry is string => Boolean(entry)))]
}
