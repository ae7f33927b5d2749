import mustache from 'mustache'

export type Values = Record<string, string | null>

/** Keeps nothing: templates are written by many, and every draft is another. */
const writer = new mustache.Writer()
;(writer as { templateCache?: unknown }).templateCache = undefined

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => String(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)

const fill = (template: string, values: Values, escape: (text: string) => string): string =>
  writer.render(template, values, {}, { escape })

/** One line, whatever a variable brings. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

export const fillSubject = (template: string, values: Values): string => oneLine(fill(template, values, String))
export const fillText = (template: string, values: Values): string =>
  `${fill(template, values, String)
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
export const fillHtml = (template: string, values: Values): string => fill(template, values, escapeHtml)

/** What a variable holds is text: it never becomes a second line of a header. */
export const valuesOf = (variables: object): Values =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? oneLine(value) : null,
    ]),
  )
