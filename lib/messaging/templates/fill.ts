import mustache from 'mustache'
import { withoutStrayMarks } from '../../core/direction-marks.ts'
import type { Locale } from '../../core/locales.ts'
import { pluralOf } from './icu-to-mustache.ts'
import { parseMustache } from './parse-mustache.ts'

export type Values = Record<string, string | null>
/** The values of a template with lists. The section of a list is filled in once for each entry. */
type Filling = Record<string, string | null | readonly Values[]>

/** Characters of the templates whose parsed form is kept: those of some hundred mails. */
const MAX_KEPT_CHARACTERS = 2_000_000

/**
 * The parsed forms of templates that were used last: a campaign fills one template for all of its mails. Mustache's own
 * cache grows with every draft.
 */
function keptTemplates() {
  const parsed = new Map<string, unknown>()
  let characters = 0
  const forget = (template: string) => {
    if (parsed.delete(template)) characters -= template.length
  }
  return {
    get(template: string): unknown {
      return parsed.get(template)
    },
    /** Keeps the parsed form as the last to be forgotten. */
    set(template: string, tokens: unknown): void {
      forget(template)
      parsed.set(template, tokens)
      characters += template.length
      while (characters > MAX_KEPT_CHARACTERS) forget(parsed.keys().next().value!)
    },
  }
}

const kept = keptTemplates()
const writer = new mustache.Writer()
writer.parse = (template) => {
  const tokens = kept.get(template) ?? parseMustache(template)
  kept.set(template, tokens)
  return tokens
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => String(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)

const fill = (template: string, values: Filling, escape: (text: string) => string): string =>
  writer.render(template, values, {}, { escape })

/** A text as one line: line breaks and control characters become spaces. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

export const fillSubject = (template: string, values: Filling): string =>
  withoutStrayMarks(oneLine(fill(template, values, String)))
export const fillText = (template: string, values: Filling): string =>
  `${fill(template, values, String)
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
export const fillHtml = (template: string, values: Filling): string => fill(template, values, escapeHtml)

/**
 * Variables as single-line texts, so that none can add a line to a header. `locale`: of the template that they fill.
 */
export const valuesOf = (variables: object, locale: Locale): Filling => ({
  ...Object.fromEntries(
    Object.entries(variables).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? value.map((entry: object) => textsOf(entry)) : textOf(value),
    ]),
  ),
  ...('quantity' in variables &&
    typeof variables.quantity === 'string' &&
    pluralOf('quantity', variables.quantity, locale)),
})

const textOf = (value: unknown) => (typeof value === 'string' ? oneLine(value) : null)
const textsOf = (entry: object): Values =>
  Object.fromEntries(Object.entries(entry).map(([name, value]: [string, unknown]) => [name, textOf(value)]))
