import type { OutboxMessage } from '../../../generated/prisma/client.ts'
import type { AnyContext } from '../../platform/auth/context.ts'
import type { Seller } from '../../organizations/find-seller.ts'
import { brandOf } from './find-brand.ts'
import { findTemplate } from './find-template.ts'
import { NO_BRAND } from './layout.ts'
import { fillTemplate, renderMail } from './render-mail.ts'
import type { RenderedMail, TemplateType, TemplateVariables } from './templates.ts'

/** What is known only when a mail is sent. `seller`: null for a mail of the installation; `unsubscribeUrl`: null where somebody waits for it. */
type Sending = { seller: Seller | null; unsubscribeUrl: string | null }

type Message = Pick<OutboxMessage, 'templateType' | 'organizationId' | 'campaignId'>

/**
 * Renders a mail of the outbox from the campaign's template, else the organization's, else the platform's with the
 * organization's brand.
 */
export async function renderMessage(
  ctx: AnyContext,
  message: Message,
  variables: TemplateVariables[TemplateType],
  { seller, unsubscribeUrl }: Sending,
): Promise<RenderedMail> {
  if ('letter' in variables && variables.letter) return variables.letter
  const { templateType, organizationId, campaignId } = message
  const own = organizationId === null ? null : await findTemplate(ctx, templateType, { organizationId, campaignId })
  const all = { ...variables, organization_domain: seller?.domain ?? null, unsubscribe_url: unsubscribeUrl }
  if (own) return fillTemplate(own.version, all)
  return renderMail(
    templateType as TemplateType,
    all as never,
    seller ? brandOf(seller, ctx.ports.addresses.origin) : NO_BRAND,
  )
}
