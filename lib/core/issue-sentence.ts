import type { z } from 'zod'
import { nearest } from './nearest.ts'

type Issue = z.core.$ZodRawIssue
/** The fields of a schema's definition that are read to name the values it accepts. */
type Definition = {
  type?: string
  format?: string
  checks?: readonly z.core.$ZodCheck[]
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  innerType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
  values?: readonly unknown[]
  entries?: Readonly<Record<string, unknown>>
}

export const REQUIRED = 'This field is required.'

/** Describes an issue of zod in a sentence for people. Pass it as `error` to a parse; a schema's own texts win. */
export function issueSentence(issue: Issue): string | undefined {
  if (isMissing(issue)) return REQUIRED
  switch (issue.code) {
    case 'invalid_type':
      return Number.isNaN(issue.input)
        ? `Expected ${wantedOf(issue)}.`
        : `Expected ${wantedOf(issue)}, got ${givenName(issue.input)}.`
    case 'invalid_value':
      return choice(issue.values, issue.input)
    case 'invalid_union':
      return issue.discriminator === undefined
        ? `Expected ${kindOf(issue.inst)}, got ${givenName(issue.input)}.`
        : choice((issue.options ?? []) as unknown[], discriminatorOf(issue))
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'invalid_format':
      return formatSentence(issue.format, issue.input, issue.pattern)
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'custom':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return undefined
  }
}

/**
 * The kind of a value, as a person would say it. A number that isn't whole is given itself: it is what people mistype.
 */
export function givenName(value: unknown): string {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : String(value)
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Uint8Array) return 'a file'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

type GivenIssue = { code?: string | undefined; input?: unknown; discriminator?: string | undefined }

const discriminatorOf = ({ input, discriminator = '' }: GivenIssue): unknown =>
  (input as Record<string, unknown>)[discriminator]

/** Whether nothing was given. Of an issue that zod has finished, only where its input was reported. */
export const isMissing = (issue: GivenIssue): boolean =>
  issue.discriminator === undefined
    ? issue.input === undefined && issue.code !== 'custom'
    : discriminatorOf(issue) === undefined

const wantedOf = ({ expected, inst }: Extract<Issue, { code: 'invalid_type' }>): string =>
  expected === 'int' ? 'a whole number' : kindOf(inst)

const FORMATS: Record<string, string> = {
  uuid: 'an id',
  datetime: 'a date and time',
  email: 'an email address',
  url: 'a URL',
  base64: 'base64',
  ipv6: 'an IPv6 address',
}

/** The values that a schema accepts: "a number", "text or null". */
function kindOf(schema: z.core.$ZodType | z.core.$ZodCheck | undefined): string {
  const def = (schema?._zod.def ?? {}) as Definition
  switch (def.type) {
    case 'string':
      return FORMATS[def.format ?? ''] ?? 'text'
    case 'number':
      return isWhole(def) ? 'a whole number' : 'a number'
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list'
    case 'object':
    case 'record':
      return 'an object'
    case 'literal':
      return either((def.values ?? []).map(String))
    case 'enum':
      return either(Object.values(def.entries ?? {}).map(String))
    case 'union':
      return either([...new Set((def.options ?? []).map(kindOf))])
    case 'custom':
      return 'a file'
    case 'pipe':
      return kindOf((def.in?._zod.def as Definition).type === 'transform' ? def.out : def.in)
    case undefined:
    default:
      return def.innerType ? kindOf(def.innerType) : String(def.type ?? 'another value')
  }
}

const isWhole = (def: Definition): boolean =>
  [def.format, ...(def.checks ?? []).map((check) => (check._zod.def as Definition).format)].includes('safeint')

/** "A, B or C". */
export function either(given: readonly string[]): string {
  const words = given.filter(Boolean)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function choice(values: readonly unknown[], given: unknown): string {
  const known = values.map(String)
  const near = typeof given === 'string' ? nearest(given, known) : undefined
  const instead = typeof given === 'string' ? '' : `, got ${givenName(given)}`
  const hint = near !== undefined && known.length > 1 ? ` The nearest is ${near}.` : ''
  return `Expected ${either(known)}${instead}.${hint}`
}

function formatSentence(format: string, given: unknown, pattern: string | undefined): string {
  if (format === 'uuid') return 'This is not an id, such as 0198c2f0-0000-7000-8000-000000000000.'
  if (format === 'datetime') return timeSentence(String(given))
  const kind = FORMATS[format]
  return kind ? `Expected ${kind}.` : `Expected text of the form ${pattern ?? format}.`
}

/** Says why a text isn't a date-time. `also`: what else is accepted in its place. */
export function timeSentence(given: string, also = ''): string {
  if (!also && /^\d{4}-\d\d-\d\d$/.test(given))
    return `The time of day and its zone are missing: write ${given}T00:00:00Z.`
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/.test(given))
    return `The time zone is missing: write ${given}Z for UTC, or an offset such as ${given}+01:00.`
  return `Expected ${also}a date and time with its zone, such as 2026-11-20T12:00:00Z.`
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  if (origin === 'string')
    return minimum === 1 ? 'This must not be empty.' : `This must have at least ${minimum} characters.`
  if (origin === 'array') return `This needs at least ${minimum} ${minimum === 1 ? 'entry' : 'entries'}.`
  return inclusive === false ? `This must be more than ${minimum}.` : `This must be at least ${minimum}.`
}

function tooBig({ origin, maximum, input, inclusive }: Extract<Issue, { code: 'too_big' }>): string {
  const { length } = input as { length?: number }
  if (origin === 'string') return `This must have at most ${maximum} characters; it has ${length}.`
  if (origin === 'array') return `This must have at most ${maximum} entries; it has ${length}.`
  return inclusive === false ? `This must be less than ${maximum}.` : `This must be at most ${maximum}.`
}
