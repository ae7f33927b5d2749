import type { OutboxMessage } from '../../../generated/prisma/client.ts'
import { type Locale, localeOf } from '../../core/locales.ts'
import type { AnyContext } from '../../platform/auth/context.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Seller } from '../../organizations/find-seller.ts'
import { surroundingsOf } from './find-brand.ts'
import { findTemplate } from './find-template.ts'
import { compiledOnce } from './platform-template.ts'
import { compiledTemplate, fillTemplate, type MailTemplate } from './render-mail.ts'
import type { RenderedMail, TemplateType, TemplateVariables } from './mail-variables.ts'
import { liveVersion, type Surroundings } from './template-of-blocks.ts'

/**
 * The values that are known only when a mail is sent. `seller`: null for a mail of the installation; `unsubscribeUrl`:
 * null where somebody waits for it.
 */
type Sending = { seller: Seller | null; unsubscribeUrl: string | null }

export type MessageKind = Pick<OutboxMessage, 'templateType' | 'organizationId' | 'campaignId' | 'locale'>

/**
 * The template of outbox mails of a kind: the campaign's, else the organization's, else the platform's with the
 * organization's brand.
 */
export async function findMessageTemplate(
  ctx: AnyContext,
  { templateType, organizationId, campaignId, locale: wanted }: MessageKind,
  seller: Seller | null,
): Promise<MailTemplate> {
  const own =
    organizationId === null
      ? null
      : await findTemplate(ctx, templateType, { organizationId, campaignId, locale: localeOf(wanted) })
  const type = templateType as TemplateType
  if (!own) {
    const { brand, locale, words } = await usedSurroundings(ctx, seller, localeOf(wanted))
    return compiledTemplate(type, brand, locale, words)
  }
  const surroundings = await usedSurroundings(ctx, seller, own.template.locale)
  const { locale } = surroundings
  if (!own.version.blocks) return { ...own.version, locale }
  const { subject, text, body } = liveVersion(type, own.version, surroundings)
  return { subject, text, html: await compiledOnce(type, body), locale }
}

/**
 * The look and words around a mail's own words. Raises an alarm where saved words of the organization can't be used.
 */
async function usedSurroundings(ctx: AnyContext, seller: Seller | null, locale: Locale | null): Promise<Surroundings> {
  const surroundings = surroundingsOf(ctx, seller, locale)
  const { refusedWords = [] } = surroundings
  if (seller && refusedWords.length > 0)
    await raiseAlarm(
      ctx,
      'email_words_refused',
      seller.id,
      `Saved words that replace built-in ones (${surroundings.locale}) can’t be used: ` +
        `${refusedWords.slice(0, 10).join(', ')}. Mails have the built-in words.`,
    )
  return surroundings
}

/** A mail of the outbox in its template, or the letter that it brings along. */
export const renderMessage = (
  template: MailTemplate,
  variables: TemplateVariables[TemplateType],
  { seller, unsubscribeUrl }: Sending,
): RenderedMail =>
  'letter' in variables && variables.letter
    ? variables.letter
    : fillTemplate(template, {
        ...variables,
        organization_domain: seller?.domain ?? null,
        unsubscribe_url: unsubscribeUrl,
      })
