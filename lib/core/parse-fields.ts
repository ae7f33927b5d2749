import type { z } from 'zod'
import type { FieldError } from './errors.ts'
import { issueSentence, isMissing, REQUIRED } from './issue-sentence.ts'
import { nearest } from './nearest.ts'
import { sentenceOf } from './sentence.ts'

/** Fields that exist but can't be given: the schemas that have them, and the sentence for each. */
export type KnownFields = { schemas: readonly z.core.$ZodType[]; detail: string }
type Parsed<T> = { data: T; fields?: undefined } | { data?: undefined; fields: FieldError[] }

/** So many wrong fields are named: a body may have a hundred thousand. */
export const MOST_NAMED = 100

/**
 * Parses a value. Each failure, of the first hundred, names its field and says in a sentence what is expected there.
 */
export function parseFields<S extends z.ZodType>(schema: S, value: unknown, known?: KnownFields): Parsed<z.output<S>> {
  const result = schema.safeParse(value, { error: sentenceWithNames, reportInput: true })
  if (result.success) return { data: result.data }
  const issues = withoutFollowUps(result.error.issues).slice(0, MOST_NAMED)
  return { fields: issues.flatMap((issue) => fieldErrorsOf(issue, known)).slice(0, MOST_NAMED) }
}

/** Without what else is reported of a value whose type is wrong, such as its length. */
function withoutFollowUps(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')))
  return issues.filter(({ code, path }) => code === 'invalid_type' || !mistyped.has(path.join('.')))
}

/** Leaves the names that an object knows on the issue, where zod drops the schema. */
function sentenceWithNames(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') Object.assign(issue, { known: namesOf(issue.inst as z.core.$ZodType) })
  return issueSentence(issue)
}

function fieldErrorsOf(issue: z.core.$ZodIssue, known: KnownFields | undefined): FieldError[] {
  const at = issue.path.join('.')
  if (isMissing(issue)) return [{ field: at, code: 'required', detail: REQUIRED }]
  if (issue.code !== 'unrecognized_keys') return [{ field: at, code: issue.code, detail: sentenceOf(issue.message) }]
  const names = (issue as { known?: string[] }).known ?? []
  const fixed = known?.schemas.flatMap((schema) => namesOf(schemaAt(schema, issue.path))) ?? []
  return issue.keys.slice(0, MOST_NAMED).map((name) => ({
    field: at ? `${at}.${name}` : name,
    ...(fixed.includes(name)
      ? { code: 'read_only', detail: known!.detail }
      : { code: 'unknown_field', detail: unknownField(name, names) }),
  }))
}

function unknownField(name: string, names: readonly string[]): string {
  const near = nearest(name, names)
  return `There is no such field.${near === undefined ? '' : ` The nearest is ${near}.`}`
}

/** The names that an object or a record takes; none where they are open. */
function namesOf(schema: z.core.$ZodType | undefined): string[] {
  const def = bare(schema)?._zod.def as { shape?: object; keyType?: z.core.$ZodType } | undefined
  return def?.shape ? Object.keys(def.shape) : [...(def?.keyType?._zod.values ?? [])].map(String)
}

/** The part of an object's schema at a path. */
const schemaAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined =>
  path.reduce<z.core.$ZodType | undefined>((part, name) => {
    const { shape } = (bare(part)?._zod.def ?? {}) as { shape?: Record<PropertyKey, z.core.$ZodType> }
    return shape?.[name]
  }, schema)

/** Without what makes a schema optional or nullable. */
function bare(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  const { innerType } = (schema?._zod.def ?? {}) as { innerType?: z.core.$ZodType }
  return innerType ? bare(innerType) : schema
}
