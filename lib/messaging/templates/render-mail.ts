import { fillHtml, fillSubject, fillText, valuesOf } from './fill.ts'
import type { Brand } from './layout.ts'
import { platformHtml, platformTemplate } from './platform-template.ts'
import type { RenderedMail, TemplateType, TemplateVariables } from './mail-variables.ts'

/** A mail from the platform's template. Variables are text: they never become markup or a second line of a header. */
export async function renderMail<T extends TemplateType>(
  type: T,
  variables: TemplateVariables[T],
  brand?: Brand,
): Promise<RenderedMail> {
  return fillTemplate(await compiledTemplate(type, brand), variables)
}

/** The platform's template of a mail with an organization's brand, ready to be filled. */
export async function compiledTemplate(type: TemplateType, brand?: Brand): Promise<RenderedMail> {
  const { subject, text } = platformTemplate(type, brand)
  return { subject, text, html: await platformHtml(type, brand) }
}

/** Fills a template's subject, text and HTML with variables. */
export function fillTemplate({ subject, text, html }: RenderedMail, variables: object): RenderedMail {
  const values = valuesOf(variables)
  return { subject: fillSubject(subject, values), text: fillText(text, values), html: fillHtml(html, values) }
}
