import type { Locale } from '../../core/locales.ts'
import type { TemplateBlock } from '../../platform/api/email-templates.ts'
import { type Brand, layoutOf, NO_BRAND } from './layout.ts'
import { mustacheOf } from './icu-to-mustache.ts'
import type { MailWords } from './mail-words.ts'
import type { TemplateType } from './mail-variables.ts'
import { templateOf } from './templates.ts'

/** A template that was made of blocks: what is filled in and sent. */
export type BlockTemplate = { text: string; format: 'MJML'; body: string }
/** `preheader`: what mailboxes show after the subject; unless given, the first text. */
type Content = { subject: string; preheader?: string; blocks: readonly TemplateBlock[] }

/**
 * `locale`: of the words around the blocks. `refusedWords`: keys of the organization's own words that weren't possible.
 */
export type Surroundings = { brand: Brand; origin: string; locale: Locale; words: MailWords; refusedWords?: string[] }

/** Mails that the platform itself writes. */
const BY_PLATFORM: ReadonlySet<TemplateType> = new Set([
  'SIGN_IN',
  'LINKS',
  'MEMBER_INVITE',
  'WEBHOOK_DISABLED',
  'ALARM',
  'PROTECTED_CHANGE',
  'PASSKEY_CHANGE',
  'SUSPENSION',
])

/**
 * A mail's text and MJML from its blocks, with an organization's brand where the mail is the organization's own.
 * `origin`: of uploaded pictures.
 */
export function templateOfBlocks(
  type: TemplateType,
  { subject, preheader, blocks }: Content,
  given: Surroundings,
): BlockTemplate {
  const byOrganization = !BY_PLATFORM.has(type)
  const brand = byOrganization ? given.brand : NO_BRAND
  const sender = byOrganization ? '{{organization_name}}' : 'Vitrine'
  const isRefusable = templateOf(type).isRefusable === true
  const words = given.words.layout
  const above = blocks.flatMap((block) => linesOf(block, given))
  const below = blocks.some((block) => block.type === 'FOOTER')
    ? `--\n${footerOf({ sender, byOrganization, brand, isRefusable, locale: given.locale, words }).join('\n')}\n`
    : ''
  return {
    text: [...above, below].join('\n\n'),
    format: 'MJML',
    body: layoutOf(
      {
        title: blocks.find((block) => block.type === 'HEADING')?.text ?? subject,
        preheader: preheader ?? blocks.find((block) => block.type === 'TEXT')?.text ?? subject,
        blocks,
        isRefusable,
        sender,
        byOrganization,
        brand,
        locale: given.locale,
        words,
      },
      given.origin,
    ),
  }
}

/** The lines of a block in plain text. */
function linesOf(block: TemplateBlock, { locale, words }: Surroundings): string[] {
  switch (block.type) {
    case 'HEADING':
    case 'TEXT':
      return [block.text]
    case 'CODE':
      return [`    ${block.text}`]
    case 'BUTTON':
      return [`${mustacheOf(words.layout.labelled, locale).replace('{{label}}', () => block.label)}\n${block.url}`]
    case 'BRAND':
    case 'PICTURE':
    case 'FOOTER':
      return []
  }
}

function footerOf({
  sender,
  byOrganization,
  brand,
  isRefusable,
  locale,
  words,
}: {
  sender: string
  byOrganization: boolean
  brand: Brand
  isRefusable: boolean
  locale: Locale
  words: MailWords['layout']
}): string[] {
  return [
    byOrganization ? `${sender}{{#organization_domain}} · {{organization_domain}}{{/organization_domain}}` : sender,
    ...(brand.footer ? [brand.footer] : []),
    ...(brand.contactEmail ? [brand.contactEmail] : []),
    ...(isRefusable ? [`{{#unsubscribe_url}}${mustacheOf(words.unsubscribeText, locale)}{{/unsubscribe_url}}`] : []),
  ]
}

/** A version as it is sent today: blocks have the brand of today, not the one of when they were saved. */
export const liveVersion = <V extends { subject: string; text: string; body: string; blocks: TemplateBlock[] | null }>(
  type: TemplateType,
  version: V,
  given: Surroundings,
): V =>
  version.blocks ? { ...version, ...templateOfBlocks(type, { ...version, blocks: version.blocks }, given) } : version
