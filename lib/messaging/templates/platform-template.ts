import { createHash } from 'node:crypto'
import { compileMjml } from './compile-mjml.ts'
import { type Brand, layoutOf, NO_BRAND } from './layout.ts'
import type { TemplateType } from './mail-variables.ts'
import { TEMPLATES } from './templates.ts'

export type PlatformTemplate = { subject: string; text: string; format: 'MJML'; body: string }

/** The platform's template of a mail, with an organization's brand where the mail is the organization's own. */
export function platformTemplate(type: TemplateType, given: Brand = NO_BRAND): PlatformTemplate {
  const words = TEMPLATES[type]
  const { heading, lead, code, button, notes } = words
  const parts = [
    heading,
    ...lead,
    ...(code ? [`    ${code}`] : []),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...notes,
  ]
  const byOrganization = !BY_PLATFORM.has(type)
  const brand = byOrganization ? given : NO_BRAND
  const sender = byOrganization ? '{{organization_name}}' : 'Vitrine'
  const below = [
    byOrganization ? `${sender}{{#organization_domain}} · {{organization_domain}}{{/organization_domain}}` : sender,
    ...(brand.footer ? [brand.footer] : []),
    ...(brand.contactEmail ? [brand.contactEmail] : []),
    ...(words.isRefusable ? ['{{#unsubscribe_url}}Unsubscribe: {{unsubscribe_url}}{{/unsubscribe_url}}'] : []),
  ]
  return {
    subject: words.subject,
    text: `${parts.join('\n\n')}\n\n--\n${below.join('\n')}\n`,
    format: 'MJML',
    body: layoutOf({ ...words, sender, byOrganization, brand }).trim(),
  }
}

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

const MAX_COMPILED = 500
const compiled = new Map<string, Promise<string>>()

/** The compiled template, cached per type and brand (least recently used first out). */
export function platformHtml(type: TemplateType, brand: Brand = NO_BRAND): Promise<string> {
  const key = `${type} ${createHash('sha256').update(JSON.stringify(brand)).digest('base64url')}`
  const known = compiled.get(key) ?? compile(type, brand)
  compiled.delete(key)
  compiled.set(key, known)
  if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value!)
  return known
}

async function compile(type: TemplateType, brand: Brand): Promise<string> {
  const { html, problems } = await compileMjml(platformTemplate(type, brand).body)
  if (problems.length > 0)
    throw new Error(`The template ${type} is not valid: ${problems.map(({ detail }) => detail).join(' ')}`)
  return html
}
