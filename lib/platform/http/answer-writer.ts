import { z } from 'zod'
import { oncePerProcess } from '../../core/once-per-process.ts'

/** Gives a value in the form that its JSON has. Throws MISMATCH where the schema has another kind of value. */
type Write = (value: unknown) => unknown
type Def = { type: string; checks?: { _zod: { def: { check: string; tx?: (value: unknown) => unknown } } }[] }

const MISMATCH = new Error('The value does not fit its schema.')

const writers = oncePerProcess('writers of answers', () => new WeakMap<z.ZodType, Write>())

/**
 * The JSON of an answer, the same as by `z.encode` (docs/decisions/0064). Fields that the schema doesn't name are left
 * out. Each value must be of the kind that the schema says; its format isn't checked, since the value is our own. What
 * doesn't fit goes through `z.encode`, whose error says why.
 * @throws z.core.$ZodError
 */
export function answerText(schema: z.ZodType, value: unknown): string {
  let write = writers.get(schema)
  if (!write) writers.set(schema, (write = writerOf(schema)))
  try {
    return JSON.stringify(write(value))
  } catch (error) {
    if (error !== MISMATCH) throw error
    return JSON.stringify(z.encode(schema, value))
  }
}

function writerOf(schema: z.core.$ZodType): Write {
  const def = schema._zod.def as Def
  const write = plainWriterOf(schema, def)
  const changes = (def.checks ?? []).flatMap(({ _zod: { def: check } }) =>
    check.check === 'overwrite' && check.tx ? [check.tx] : [],
  )
  if (changes.length === 0) return write
  return (value) => changes.reduce((changed, change) => change(changed), write(value))
}

/** Kinds of schemas that aren't here are left to zod: unions, strict objects, schemas that contain themselves. */
function plainWriterOf(schema: z.core.$ZodType, def: Def): Write {
  switch (def.type) {
    case 'string':
    case 'boolean':
      return (value) => (typeof value === def.type ? value : mismatch())
    case 'number':
      return (value) => (Number.isFinite(value) ? value : mismatch())
    case 'unknown':
      return (value) => value
    case 'enum':
    case 'literal': {
      const { values } = schema._zod
      return (value) => (values?.has(value as z.core.util.Primitive) ? value : mismatch())
    }
    case 'nullable': {
      const write = writerOf((def as z.core.$ZodNullableDef).innerType)
      return (value) => (value === null ? null : write(value))
    }
    case 'optional': {
      const write = writerOf((def as z.core.$ZodOptionalDef).innerType)
      return (value) => (value === undefined ? undefined : write(value))
    }
    case 'array': {
      const write = writerOf((def as z.core.$ZodArrayDef).element)
      return (value) => (Array.isArray(value) ? value.map(write) : mismatch())
    }
    case 'record':
      return recordWriter(def as z.core.$ZodRecordDef) ?? zodWriter(schema)
    case 'object':
      return objectWriter(def as z.core.$ZodObjectDef) ?? zodWriter(schema)
    case 'pipe':
      return codecWriter(def as z.core.$ZodCodecDef) ?? zodWriter(schema)
    default:
      return zodWriter(schema)
  }
}

function objectWriter({ shape, catchall }: z.core.$ZodObjectDef): Write | null {
  if (catchall) return null
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, write: writerOf(schema) }))
  const [only] = fields
  if (only && fields.length === 1) return holderWriter(only.name, only.write)
  return (value) => {
    if (!isObject(value)) return mismatch()
    let changed: Record<string, unknown> | null = null
    for (let at = 0; at < fields.length; at++) {
      const { name, write } = fields[at]!
      const written = write(value[name])
      if (changed === null && written !== value[name]) changed = firstOf(fields, value, at)
      if (changed !== null) changed[name] = written
    }
    return changed ?? (hasOnly(fields, value) ? value : firstOf(fields, value, fields.length))
  }
}

type Field = { name: string; write: Write }

/** Whether an object has these fields only, in this order. It needn't be copied then where none of them changes. */
function hasOnly(fields: readonly Field[], value: Record<string, unknown>): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  let at = 0
  const skipAbsent = () => {
    while (at < fields.length && value[fields[at]!.name] === undefined) at++
  }
  for (const name in value) {
    if (fields[at]?.name !== name) skipAbsent()
    if (fields[at++]?.name !== name) return false
  }
  skipAbsent()
  return at === fields.length
}

/** An object with the first fields as they are. */
function firstOf(fields: readonly Field[], value: Record<string, unknown>, count: number): Record<string, unknown> {
  const first: Record<string, unknown> = {}
  for (let at = 0; at < count; at++) first[fields[at]!.name] = value[fields[at]!.name]
  return first
}

/** Of objects with one field, such as the values of attributes. Most have no other one and needn't be copied. */
const holderWriter =
  (field: string, write: Write): Write =>
  (value) => {
    if (!isObject(value)) return mismatch()
    const written = write(value[field])
    if (written !== value[field] || !Object.hasOwn(value, field)) return { [field]: written }
    for (const name in value) if (name !== field) return { [field]: written }
    return value
  }

/** Records whose names are any text. */
function recordWriter({ keyType, valueType }: z.core.$ZodRecordDef): Write | null {
  const { type, checks } = keyType._zod.def as Def
  if (type !== 'string' || checks?.length) return null
  const write = writerOf(valueType)
  return (value) => {
    if (!isObject(value)) return mismatch()
    return Object.keys(value).every((name) => name !== '__proto__' && write(value[name]) === value[name])
      ? value
      : recordOf(value, write)
  }
}

function recordOf(value: Record<string, unknown>, write: Write): Record<string, unknown> {
  const written: Record<string, unknown> = {}
  for (const name of Object.keys(value)) if (name !== '__proto__') written[name] = write(value[name])
  return written
}

/** Codecs to text or numbers: those of `lib/core/wire.ts`. */
function codecWriter({ out, reverseTransform }: z.core.$ZodCodecDef): Write | null {
  const { type } = out._zod.def as Def
  const fits = FORMS[type]
  if (!fits) return null
  return (value) => {
    if (!fits(value)) return mismatch()
    const issues: z.core.$ZodRawIssue[] = []
    const written: unknown = reverseTransform(value, { value, issues })
    return issues.length > 0 || written instanceof Promise ? mismatch() : written
  }
}

const FORMS: Record<string, (value: unknown) => boolean> = {
  bigint: (value) => typeof value === 'bigint',
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
}

const zodWriter =
  (schema: z.core.$ZodType): Write =>
  (value) => {
    const result = z.safeEncode(schema, value)
    return result.success ? result.data : mismatch()
  }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mismatch(): never {
  throw MISMATCH
}
