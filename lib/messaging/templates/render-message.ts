import type { OutboxMessage } from '../../../generated/prisma/client.ts'
import type { AnyContext } from '../../platform/auth/context.ts'
import { findBrand } from './find-brand.ts'
import { findTemplate } from './find-template.ts'
import { fillTemplate, renderMail } from './render-mail.ts'
import type { RenderedMail, TemplateType, TemplateVariables } from './templates.ts'

type Message = Pick<OutboxMessage, 'templateType' | 'organizationId' | 'campaignId'>

/**
 * Renders a mail of the outbox from the campaign's template, else the organization's, else the platform's with the
 * organization's brand.
 */
export async function renderMessage(
  ctx: AnyContext,
  message: Message,
  variables: TemplateVariables[TemplateType],
): Promise<RenderedMail> {
  if ('letter' in variables && variables.letter) return variables.letter
  const { templateType, organizationId, campaignId } = message
  const own = organizationId === null ? null : await findTemplate(ctx, templateType, { organizationId, campaignId })
  if (own) return fillTemplate(own.version, variables)
  return renderMail(templateType as TemplateType, variables as never, await findBrand(ctx, organizationId))
}
