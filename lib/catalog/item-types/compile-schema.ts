import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FieldError } from '../../core/errors.ts'
import { compileFault, faultSentence } from './fault-sentence.ts'
import { linearPattern, type Matcher } from './linear-pattern.ts'

// Checks by a schema, in the thread of requests or in one of its own (schema-thread.ts).

export type Schema = Record<string, unknown>
/** The faults of an item's attributes: the first ones, and how many there are. */
export type Faults = { fields: FieldError[]; count: number }

const MAX_FAULTS = 100

/** A pattern is matched in linear time where it can be. */
const matcherOf = Object.assign(
  (pattern: string, flags: string): Matcher => {
    const own = new RegExp(pattern, flags) // throws for what is no regular expression
    return linearPattern(pattern)?.matcher ?? own
  },
  { code: 'matcherOf' },
)

const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
  code: { regExp: matcherOf },
} as const

/**
 * Ajv's own `$async` is switched off: its rejected promise would count as valid here, and end the process as unhandled.
 */
export const compileSchema = (schema: Schema): ValidateFunction =>
  new Ajv2020({ ...options, meta: false, validateSchema: false }).compile({ ...schema, $async: false })

let cachedDraft: Ajv2020 | undefined
/**
 * Validates schemas against draft 2020-12. Creating it is slow, so it is cached, and created outside of a schema's time
 * limit.
 */
export function draftValidator(): Ajv2020 {
  if (cachedDraft) return cachedDraft
  cachedDraft = new Ajv2020(options)
  void cachedDraft.validateSchema({}) // compiles the draft; only an asynchronous draft would give a promise
  return cachedDraft
}

/** The faults of a schema by its draft, or of its references. */
export function schemaFaults(schema: Schema): FieldError[] {
  const draft = draftValidator()
  if (!draft.validateSchema(schema))
    return (draft.errors ?? []).slice(0, MAX_FAULTS).map((error) => fieldOf(error, 'schema'))
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    return [{ field: 'schema', code: 'schema_invalid', detail: compileFault(error as Error) }]
  }
}

/** The faults of attributes. `field` is where they are in the request. */
export function faultsBy(validate: ValidateFunction, attributes: unknown, field: string): Faults {
  if (validate(attributes)) return { fields: [], count: 0 }
  const errors = validate.errors ?? []
  return { fields: errors.slice(0, MAX_FAULTS).map((error) => fieldOf(error, field)), count: errors.length }
}

function fieldOf(error: ErrorObject, at: string): FieldError {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const missing = error.keyword === 'required' ? String(error.params.missingProperty) : null
  const { additionalProperty, unevaluatedProperty = additionalProperty } = error.params
  const extra = unevaluatedProperty === undefined ? null : String(unevaluatedProperty)
  const field = [at, ...path, ...((missing ?? extra) ? [missing ?? extra] : [])].join('.')
  if (missing !== null) return { field, code: 'required', detail: 'This attribute is required.' }
  if (extra !== null) return { field, code: 'unknown_attribute', detail: 'The item type has no such attribute.' }
  return { field, code: error.keyword, detail: faultSentence(error) }
}
