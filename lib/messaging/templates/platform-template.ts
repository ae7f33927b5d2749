import { createHash } from 'node:crypto'
import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import type { Owner } from '../../platform/threads/limited-thread.ts'
import type { TemplateBlock } from '../../platform/api/email-templates.ts'
import { compileInThread } from './compile-in-thread.ts'
import { type Brand, NO_BRAND } from './layout.ts'
import { type MailWords, mailWords } from './mail-words.ts'
import type { TemplateType } from './mail-variables.ts'
import { type BlockTemplate, templateOfBlocks } from './template-of-blocks.ts'
import { templateOf } from './templates.ts'

export type PlatformTemplate = BlockTemplate & { subject: string }

/** The blocks of the platform's template of a mail. */
export function platformBlocks(type: TemplateType, locale?: Locale, words?: MailWords): TemplateBlock[] {
  const { heading, lead, picture, code, button, notes } = templateOf(type, locale, words)
  return [
    { type: 'BRAND' },
    ...(picture ? [{ type: 'PICTURE', image_url: null, alt: '{{item_title}}' } as const] : []),
    { type: 'HEADING', text: heading },
    ...lead.map((text) => ({ type: 'TEXT', text, small: false }) as const),
    ...(code ? [{ type: 'CODE', text: code } as const] : []),
    ...(button ? [{ type: 'BUTTON', ...button } as const] : []),
    ...notes.map((text) => ({ type: 'TEXT', text, small: true }) as const),
    { type: 'FOOTER' },
  ]
}

/** The platform's template of a mail, with an organization's brand where the mail is the organization's own. */
export function platformTemplate(
  type: TemplateType,
  brand: Brand = NO_BRAND,
  locale: Locale = DEFAULT_LOCALE,
  words: MailWords = mailWords(locale),
): PlatformTemplate {
  const { subject, preheader } = templateOf(type, locale, words)
  return {
    subject,
    ...templateOfBlocks(
      type,
      { subject, preheader, blocks: platformBlocks(type, locale, words) },
      { brand, origin: '', locale, words },
    ),
  }
}

const MAX_COMPILED = 500
const compiled = new Map<string, Promise<string>>()

/** The compiled template of a type and brand. */
export const platformHtml = (type: TemplateType, brand?: Brand, locale?: Locale, words?: MailWords): Promise<string> =>
  compiledOnce(type, platformTemplate(type, brand, locale, words).body)

/** Compiles what was checked before; what was used last is the last to be forgotten. */
export function compiledOnce(type: TemplateType, body: string): Promise<string> {
  const key = createHash('sha256').update(body).digest('base64url')
  const known = compiled.get(key) ?? compile(type, body)
  compiled.delete(key)
  compiled.set(key, known)
  // The next mail tries again.
  known.catch(() => compiled.get(key) === known && compiled.delete(key))
  if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value!)
  return known
}

/** Mails that are about to be sent have turns of their own. */
const MAILS: Owner = { organizationId: 'mails', actor: { type: 'system' } }

async function compile(type: TemplateType, body: string): Promise<string> {
  const { html, problems } = await compileInThread(MAILS, { format: 'MJML', body, urls: null })
  if (problems.length > 0)
    throw new Error(`The template ${type} is not valid: ${problems.map(({ detail }) => detail).join(' ')}`)
  return html
}
