import { AppError, type FieldError } from '../../core/errors.ts'
import { lossesIn, tokensOf } from './json-tokens.ts'

/** Deeper than any body needs, and not so deep that functions which call themselves for each level fail. */
const MAX_DEPTH = 100
/** Fields of an object: more than any body needs, and so many that naming each unknown one is quick. */
const MAX_NAMES = 10_000
/** So many faults are named. */
const MAX_FIELDS = 100

/**
 * Parses a body, and refuses by name what can't be kept exactly as it was sent: PostgreSQL stores no NUL and no half of
 * a surrogate pair, and a field named `__proto__`, or one that is given again, would be lost on the way, and some
 * numbers would become others.
 */
export function parseExactJson(text: string, what = 'The body'): unknown {
  const value = parseJson(text, what)
  const { fields, names } = inexactIn(value)
  if (fields.length === 0) {
    const tokens = tokensOf(text)
    // Only where something may be lost is the text read again, to say what.
    if (tokens.names !== names || tokens.hasLongNumbers) fields.push(...lostIn(text))
  }
  const [first] = fields
  if (first) throw new AppError('invalid_request', [first.field, first.detail].filter(Boolean).join(': '), { fields })
  return value
}

function lostIn(text: string): FieldError[] {
  const { repeated, inexact } = lossesIn(text)
  const faultsAt = (paths: Set<string>, code: string, detail: string) =>
    [...paths].map((path) => ({ field: exactly(path), code, detail }))
  return [
    ...faultsAt(repeated, 'repeated', 'This field is given more than once.'),
    ...faultsAt(inexact, 'inexact', 'This number would be read as another one. Round it, or send it as text.'),
  ].slice(0, MAX_FIELDS)
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid_request', `${what} is not valid JSON.`)
  }
}

/** A value that holds others, and where it stands. */
type Holder = { value: object; name: string | number; parent: Holder | null; depth: number }

/** The values of a parsed body that can't be kept, and the number of names in its objects. */
function inexactIn(body: unknown): { fields: FieldError[]; names: number } {
  const fields: FieldError[] = []
  let names = 0
  const refuse = (parent: Holder | null, name: string | number, code: string, detail: string) =>
    fields.push({ field: pathOf(parent, name), code, detail })
  const holders: Holder[] = []
  const look = (value: unknown, name: string | number, parent: Holder | null) => {
    if (name === '__proto__') refuse(parent, name, 'unknown_field', 'There is no such field.')
    else if ((typeof name === 'string' && !isExact(name)) || (typeof value === 'string' && !isExact(value)))
      refuse(parent, name, 'invalid_format', 'A NUL or half a surrogate pair can’t be stored.')
    else if (typeof value === 'object' && value !== null)
      holders.push({ value, name, parent, depth: parent ? parent.depth + 1 : 1 })
  }
  look(body, '', null)
  for (let holder = holders.pop(); holder && fields.length < MAX_FIELDS; holder = holders.pop()) {
    if (holder.depth > MAX_DEPTH) {
      refuse(null, pathOf(holder, '').split('.')[0]!, 'too_deep', `At most ${MAX_DEPTH} levels may be nested.`)
      break
    }
    if (Array.isArray(holder.value)) {
      for (const [at, value] of holder.value.entries()) look(value, at, holder)
      continue
    }
    const own = Object.keys(holder.value)
    names += own.length
    if (own.length > MAX_NAMES) {
      refuse(holder.parent, holder.name, 'too_large', `An object has at most ${MAX_NAMES} fields.`)
      break
    }
    for (const name of own) look((holder.value as Record<string, unknown>)[name], name, holder)
  }
  return { fields: fields.slice(0, MAX_FIELDS), names }
}

const isExact = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** A path as it can be sent back. */
function pathOf(parent: Holder | null, name: string | number): string {
  const names = [`${name}`]
  for (let holder = parent; holder; holder = holder.parent) names.unshift(`${holder.name}`)
  return exactly(names.filter(Boolean).join('.'))
}

const exactly = (path: string): string => path.toWellFormed().replaceAll('\0', '\ufffd')
