import { createContext, runInContext } from 'node:vm'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FieldError } from '../../core/errors.ts'
import { AppError } from '../../core/errors.ts'
import { compileFault, faultSentence } from './fault-sentence.ts'

export type Schema = Record<string, unknown>
/** The schema that attributes are validated against; null is the built-in type. `version` changes with the schema. */
export type TypeSchema = { id: string; version: number; schema: Schema } | null

/** The built-in type: a title and any plain values. */
const DEFAULT_SCHEMA: Schema = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, description: { type: 'string' }, image_url: { type: 'string' } },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
}

const MAX_SCHEMA_BYTES = 64 * 1024
const MAX_SCHEMA_DEPTH = 24
const VALIDATION_TIMEOUT_MS = 1_000
const MAX_COMPILED = 200

const vmContext = createContext({ work: undefined as unknown })

/**
 * Runs `work` with a time limit; null when it was exceeded. A user's schema can take for ever, by a regular expression
 * or by its references.
 */
function withTimeLimit<T>(work: () => T): { done: T } | null {
  let done: T | undefined
  vmContext.work = () => {
    done = work()
  }
  try {
    runInContext('work()', vmContext, { timeout: VALIDATION_TIMEOUT_MS })
    return { done: done as T }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null
    throw error
  } finally {
    vmContext.work = undefined
  }
}

const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
} as const
/** Ajv's own `$async` is switched off: its rejected promise would count as valid here, and end the process as unhandled. */
const compile = (schema: Schema): ValidateFunction =>
  new Ajv2020({ ...options, meta: false, validateSchema: false }).compile({ ...schema, $async: false })

let cachedDraft: Ajv2020 | undefined
/** Validates schemas against draft 2020-12. Creating it is slow, so it is cached, and created outside of a schema's time limit. */
function draftValidator(): Ajv2020 {
  if (cachedDraft) return cachedDraft
  cachedDraft = new Ajv2020(options)
  void cachedDraft.validateSchema({}) // compiles the draft; only an asynchronous draft would give a promise
  return cachedDraft
}

/** Throws `schema_invalid`, with the fields, for anything but a self-contained schema of draft 2020-12. */
export function assertSchemaValid(schema: Schema): void {
  if (JSON.stringify(schema).length > MAX_SCHEMA_BYTES)
    throw schemaInvalid([{ field: 'schema', code: 'too_large', detail: 'A schema has at most 64 KiB.' }])
  const faults = faultsOf(schema, 'schema', 0)
  if (faults.length > 0) throw schemaInvalid(faults)
  const ajv = draftValidator()
  const outcome = withTimeLimit(() => {
    if (!ajv.validateSchema(schema)) return (ajv.errors ?? []).map((error) => fieldOf(error, 'schema'))
    try {
      compile(schema)
      return []
    } catch (error) {
      return [{ field: 'schema', code: 'schema_invalid', detail: compileFault(error as Error) }]
    }
  })
  if (outcome === null)
    throw schemaInvalid([{ field: 'schema', code: 'too_complex', detail: 'This schema takes too long to check.' }])
  if (outcome.done.length > 0) throw schemaInvalid(outcome.done)
}

const schemaInvalid = (fields: FieldError[]) =>
  new AppError('schema_invalid', `${fields[0]!.field}: ${fields[0]!.detail}`, { fields })

function faultsOf(value: unknown, at: string, depth: number): FieldError[] {
  if (typeof value !== 'object' || value === null) return []
  if (depth > MAX_SCHEMA_DEPTH)
    return [{ field: at, code: 'too_deep', detail: `A schema is at most ${MAX_SCHEMA_DEPTH} levels deep.` }]
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = `${at}.${name}`
    const reference = name === '$ref' || name === '$dynamicRef'
    if (reference && typeof inner === 'string' && !inner.startsWith('#'))
      return [{ field, code: 'reference', detail: 'A reference may only point within the schema: it begins with #.' }]
    if (name === '$id' && typeof inner === 'string')
      return [{ field, code: 'reference', detail: 'A schema has no $id here: references begin with #.' }]
    if (name === '$schema' && typeof inner === 'string' && !/\/draft\/2020-12\/schema#?$/.test(inner))
      return [{ field, code: 'draft', detail: 'Write the schema in draft 2020-12.' }]
    return faultsOf(inner, field, depth + 1)
  })
}

const compiled = new Map<string, ValidateFunction>()

function validatorOf(typeSchema: TypeSchema): ValidateFunction {
  const key = typeSchema ? `${typeSchema.id} ${typeSchema.version}` : 'default'
  const cached = compiled.get(key)
  if (cached) return cached
  const validate = compile(typeSchema?.schema ?? DEFAULT_SCHEMA)
  if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value!)
  compiled.set(key, validate)
  return validate
}

/** Throws `attributes_invalid` with up to 100 faults of all items. `field` is where the attributes are in the request. */
export function assertAttributesValid(
  items: readonly { typeSchema: TypeSchema; attributes: Record<string, unknown>; field: string }[],
): void {
  const validateAll = () =>
    items.flatMap(({ typeSchema, attributes, field }) => {
      const validate = validatorOf(typeSchema)
      return validate(attributes) ? [] : (validate.errors ?? []).map((error) => fieldOf(error, field))
    })
  // The built-in type is known to be fast, so it has no time limit that a busy machine could exceed.
  const outcome = items.every((item) => item.typeSchema === null) ? { done: validateAll() } : withTimeLimit(validateAll)
  const fields = outcome?.done ?? [
    {
      field: items[0]?.field ?? 'attributes',
      code: 'too_complex',
      detail: 'The item type’s schema takes too long to check these attributes.',
    },
  ]
  if (fields.length === 0) return
  const more = fields.length > 1 ? ` In all, ${fields.length} attributes are wrong.` : ''
  throw new AppError('attributes_invalid', `${fields[0]!.field}: ${fields[0]!.detail}${more}`, {
    fields: fields.slice(0, 100),
  })
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
