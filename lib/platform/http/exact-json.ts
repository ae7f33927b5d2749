import { AppError, type FieldError } from '../../core/errors.ts'

/** Deeper than any body needs, and not so deep that functions which call themselves for each level fail. */
const MAX_DEPTH = 100
/** So many faults are named. */
const MAX_FIELDS = 100

/**
 * Parses a body, and refuses by name what can't be kept exactly as it was sent: PostgreSQL stores no NUL and no half of a surrogate pair, and
 * a field named `__proto__` would be lost on the way.
 */
export function parseExactJson(text: string): unknown {
  const value = parseJson(text)
  const fields = inexactIn(value)
  const [first] = fields
  if (first) throw new AppError('invalid_request', [first.field, first.detail].filter(Boolean).join(': '), { fields })
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.')
  }
}

/** A value that holds others, and where it stands. */
type Holder = { value: object; name: string; within: Holder | null; depth: number }

function inexactIn(body: unknown): FieldError[] {
  const fields: FieldError[] = []
  const refuse = (within: Holder | null, name: string, code: string, detail: string) =>
    fields.push({ field: pathOf(within, name), code, detail })
  const holders: Holder[] = []
  const look = (value: unknown, name: string, within: Holder | null) => {
    if (name === '__proto__') refuse(within, name, 'unknown_field', 'There is no such field.')
    else if (!isExact(name) || (typeof value === 'string' && !isExact(value)))
      refuse(within, name, 'invalid_format', 'A NUL or half a surrogate pair can’t be stored.')
    else if (typeof value === 'object' && value !== null)
      holders.push({ value, name, within, depth: within ? within.depth + 1 : 1 })
  }
  look(body, '', null)
  for (let holder = holders.pop(); holder && fields.length < MAX_FIELDS; holder = holders.pop()) {
    if (holder.depth > MAX_DEPTH) {
      refuse(null, pathOf(holder, '').split('.')[0]!, 'too_deep', `At most ${MAX_DEPTH} levels may be nested.`)
      break
    }
    for (const [name, value] of Object.entries(holder.value)) look(value, name, holder)
  }
  return fields.slice(0, MAX_FIELDS)
}

const isExact = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** A path as it can be sent back. */
function pathOf(within: Holder | null, name: string): string {
  const names = [name]
  for (let holder = within; holder; holder = holder.within) names.unshift(holder.name)
  return names.filter(Boolean).join('.').toWellFormed().replaceAll('\0', '\ufffd')
}
