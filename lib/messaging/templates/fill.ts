import mustache from 'mustache'

export type Values = Record<string, string | null>
/** The same with lists, whose section is filled in once for each entry. */
type Filling = Record<string, string | null | readonly Values[]>

/** Without Mustache's cache, which would grow with every draft. */
const writer = new mustache.Writer()
;(writer as { templateCache?: unknown }).templateCache = undefined

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => String(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)

const fill = (template: string, values: Filling, escape: (text: string) => string): string =>
  writer.render(template, values, {}, { escape })

/** A text as one line: line breaks and control characters become spaces. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

export const fillSubject = (template: string, values: Filling): string => oneLine(fill(template, values, String))
export const fillText = (template: string, values: Filling): string =>
  `${fill(template, values, String)
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
export const fillHtml = (template: string, values: Filling): string => fill(template, values, escapeHtml)

/** Variables as single-line texts, so that none can add a line to a header. */
export const valuesOf = (variables: object): Filling =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? value.map((entry: object) => textsOf(entry)) : textOf(value),
    ]),
  )

const textOf = (value: unknown) => (typeof value === 'string' ? oneLine(value) : null)
const textsOf = (entry: object): Values =>
  Object.fromEntries(Object.entries(entry).map(([name, value]: [string, unknown]) => [name, textOf(value)]))
