import { AppError } from '../../core/errors.ts'
import { withLineFeeds } from '../../core/line-feeds.ts'
import { parseExactJson } from './exact-json.ts'

/** More nesting than any form of ours has. Functions that call themselves for each level fail of too much. */
const MAX_DEPTH = 20

/** Whether what an action was given is a form: whoever calls it by hand may give anything. */
export const isForm = (given: unknown): given is FormData => given instanceof FormData

/**
 * Converts a form to the body of an endpoint. `a.b` nests; an empty field is left out. A suffix names a control's type
 * where it isn't text: `:number`, `:flag` (a checkbox), `:list` (all values), `:lines` (one entry a line), `:null`
 * (empty clears), `:long` (text as it was typed, with its blanks; empty clears), `:json`, `:moment` (a moment in the
 * browser's time zone; without scripts `:utc`).
 */
export function formBody(form: FormData): Record<string, unknown> {
  if (!isForm(form)) throw notOurs()
  const body: Record<string, unknown> = {}
  for (const [key, entries] of Map.groupBy(form, ([name]) => name)) {
    if (key.startsWith('$') || key.includes('__proto__')) continue // React's own fields, and prototype pollution
    const [name = '', kind = 'text'] = key.split(':')
    if (kind === 'utc' && form.has(`${name}:moment`)) continue
    const path = name.split('.', MAX_DEPTH + 1)
    if (path.length > MAX_DEPTH)
      throw new AppError('invalid_request', 'The name of a field of this form is nested too deep.')
    const value = valueOf(
      kind,
      entries.map(([, entry]) => (typeof entry === 'string' ? entry : '')),
    )
    if (value !== undefined) put(body, path, value)
  }
  return body
}

export const notOurs = () => new AppError('invalid_request', 'This is not a form of this page. Open the page again.')

function valueOf(kind: string, typed: string[]): unknown {
  if (kind === 'long') return withLineFeeds(typed.at(-1) ?? '') || null
  const entries = typed.map((entry) => entry.trim())
  const last = entries.at(-1) ?? ''
  switch (kind) {
    case 'flag':
      return last === 'on' || last === 'true'
    case 'list':
      return entries.filter(Boolean)
    case 'lines':
      return last.split(/[\s,;]+/).filter(Boolean)
    case 'null':
    case 'moment':
      return last === '' ? null : last
    case 'utc':
      return last === '' ? null : `${last}Z`
    case 'number':
      return last === '' ? undefined : Number.isFinite(Number(last)) ? Number(last) : last
    case 'json':
      return last === '' ? undefined : parseExactJson(last, 'This')
    default:
      return last === '' ? undefined : last
  }
}

function put(body: Record<string, unknown>, path: string[], value: unknown): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    body[name] = value
    return
  }
  if (!Object.hasOwn(body, name)) body[name] = {}
  put(body[name] as Record<string, unknown>, rest, value)
}
