import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import { fillHtml, fillSubject, fillText, valuesOf } from './fill.ts'
import type { Brand } from './layout.ts'
import type { MailWords } from './mail-words.ts'
import { platformHtml, platformTemplate } from './platform-template.ts'
import type { RenderedMail, TemplateType, TemplateVariables } from './mail-variables.ts'

/** A template that is ready to be filled, and the language that it is written in. */
export type MailTemplate = RenderedMail & { locale: Locale }

/** A mail from the platform's template. Variables are text: they never become markup or a second line of a header. */
export async function renderMail<T extends TemplateType>(
  type: T,
  variables: TemplateVariables[T],
  brand?: Brand,
  locale?: Locale,
): Promise<RenderedMail> {
  return fillTemplate(await compiledTemplate(type, brand, locale), variables)
}

/** The platform's template of a mail with an organization's brand, ready to be filled. */
export async function compiledTemplate(
  type: TemplateType,
  brand?: Brand,
  locale: Locale = DEFAULT_LOCALE,
  words?: MailWords,
): Promise<MailTemplate> {
  const { subject, text } = platformTemplate(type, brand, locale, words)
  return { subject, text, html: await platformHtml(type, brand, locale, words), locale }
}

/** Fills a template's subject, text and HTML with variables. */
export function fillTemplate({ subject, text, html, locale }: MailTemplate, variables: object): RenderedMail {
  const values = valuesOf(variables, locale)
  return { subject: fillSubject(subject, values), text: fillText(text, values), html: fillHtml(html, values) }
}
