import mjml2html from 'mjml'
import mustache from 'mustache'
import { layoutOf } from './layout.ts'
import { type RenderedMail, TEMPLATES, type TemplateType, type TemplateVariables } from './templates.ts'

/** A mail ready to be sent. What a variable holds is text: it never becomes markup, nor a second line of a header. */
export async function renderMail<T extends TemplateType>(type: T, variables: TemplateVariables[T]): Promise<RenderedMail> {
  const values = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : null]))
  return {
    subject: fill(TEMPLATES[type].subject, values, String),
    text: fill(textOf(type), values, String).replace(/\n{3,}/g, '\n\n').trim() + '\n',
    html: fill(await htmlOf(type), values, escapeHtml),
  }
}

type Values = Record<string, string | null>

const fill = (template: string, values: Values, escape: (text: string) => string) => mustache.render(template, values, {}, { escape })

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => String(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)

function textOf(type: TemplateType): string {
  const { heading, lead, code, button, notes } = TEMPLATES[type]
  const parts = [heading, ...lead, ...(code ? [`    ${code}`] : []), ...(button ? [`${button.label}:\n${button.url}`] : []), ...notes]
  return `${parts.join('\n\n')}\n\n--\n${senderOf(type)}\n`
}

const senderOf = (type: TemplateType) => (type === 'SIGN_IN' ? 'Vitrine' : '{{organization_name}}')

const compiled = new Map<TemplateType, Promise<string>>()

/** Compiled once a process. */
function htmlOf(type: TemplateType): Promise<string> {
  const known = compiled.get(type) ?? compile(type)
  compiled.set(type, known)
  return known
}

async function compile(type: TemplateType): Promise<string> {
  const source = layoutOf({ ...TEMPLATES[type], sender: senderOf(type) })
  const { html, errors } = await mjml2html(source, { validationLevel: 'strict', fonts: {}, keepComments: false })
  if (errors.length > 0) throw new Error(`The template ${type} is not valid: ${errors.map((error) => error.formattedMessage).join(' ')}`)
  return html
}
