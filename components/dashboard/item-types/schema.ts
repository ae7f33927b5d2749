/** The part of JSON Schema that the item form understands. Anything else is edited as JSON text. */

export type Schema = Record<string, unknown>
export const FIELD_KINDS = [
  'text',
  'long',
  'url',
  'date',
  'number',
  'integer',
  'boolean',
  'choice',
  'texts',
  'json',
] as const
export type FieldKind = (typeof FIELD_KINDS)[number]
export type SchemaField = {
  name: string
  label: string
  hint: string | null
  kind: FieldKind
  required: boolean
  /** The values of a choice. */
  choices: unknown[]
  min: number | null
  max: number | null
  maxLength: number | null
}

/** Attributes that every item has, with controls of their own. */
export const OWN = ['title', 'description', 'image_url'] as const

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const propertiesOf = (schema: Schema): Schema => (isObject(schema.properties) ? schema.properties : {})
export const requiredIn = (schema: Schema): string[] =>
  Array.isArray(schema.required) ? schema.required.map(String) : []

/** Whether the schema allows attributes that it doesn't name. */
export const allowsOthers = (schema: Schema): boolean =>
  schema.additionalProperties !== false && schema.unevaluatedProperties !== false

/** Whether the schema allows an attribute. */
export const allows = (schema: Schema, name: string): boolean =>
  allowsOthers(schema) || Object.hasOwn(propertiesOf(schema), name)

/** The schema's attributes as controls, without the three that every item has. */
export function fieldsOf(schema: Schema): SchemaField[] {
  const required = requiredIn(schema)
  return Object.entries(propertiesOf(schema))
    .filter(([name, property]) => !(OWN as readonly string[]).includes(name) && property !== false)
    .map(([name, property]) => fieldOf(schema, name, property, required.includes(name)))
}

function fieldOf(schema: Schema, name: string, given: unknown, required: boolean): SchemaField {
  const property = resolved(schema, given)
  const minimum = number(property.minimum) ?? number(property.exclusiveMinimum)
  const maximum = number(property.maximum) ?? number(property.exclusiveMaximum)
  return {
    name,
    label: text(property.title) ?? name,
    hint: text(property.description),
    kind: kindOf(property),
    required,
    choices: 'const' in property ? [property.const] : Array.isArray(property.enum) ? property.enum : [],
    min: minimum,
    max: maximum,
    maxLength: number(property.maxLength),
  }
}

/** Follows a `$ref` within the same schema; keywords beside the reference take precedence. */
function resolved(schema: Schema, given: unknown): Schema {
  let property = isObject(given) ? given : {}
  for (let hops = 0; hops < 8 && typeof property.$ref === 'string'; hops++) {
    const { $ref, ...own } = property
    const target = String($ref)
      .replace(/^#\/?/, '')
      .split('/')
      .filter(Boolean)
      .reduce<unknown>(
        (at, step) =>
          isObject(at) ? at[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined,
        schema,
      )
    property = { ...(isObject(target) ? target : {}), ...own }
  }
  return property
}

function kindOf(property: Schema): FieldKind {
  if ('const' in property || Array.isArray(property.enum)) return 'choice'
  const types = [property.type].flat().filter((type) => type !== 'null')
  const [type] = types
  if (types.length !== 1) return 'json'
  if (type === 'string') return textKindOf(property)
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  if (type === 'array' && isObject(property.items) && property.items.type === 'string' && !('enum' in property.items))
    return 'texts'
  return 'json'
}

function textKindOf({ format, maxLength }: Schema): FieldKind {
  if (format === 'date') return 'date'
  if (format === 'uri' || format === 'url') return 'url'
  return typeof maxLength === 'number' && maxLength > 200 ? 'long' : 'text'
}

/** An attribute's value as its control shows it. */
export function writtenAs(kind: FieldKind, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (kind === 'texts' && Array.isArray(value))
    return value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n')
  if (kind === 'choice' || kind === 'boolean') return JSON.stringify(value)
  if (typeof value === 'string') return kind === 'json' ? JSON.stringify(value) : value
  return kind === 'json' ? JSON.stringify(value, null, 2) : JSON.stringify(value)
}

/**
 * Parses the text of a control as the attribute's value. Text that can't be parsed stays text, so that the server's
 * validation reports it at its field.
 */
export function readAs(kind: string, typed: string): unknown {
  if (kind === 'texts') return typed.split('\n').filter((line) => line.trim() !== '')
  if (kind === 'number' || kind === 'integer') return isNumber(typed.trim()) ? Number(typed) : typed
  if (kind === 'date' || kind === 'url') return typed.trim()
  if (kind !== 'choice' && kind !== 'boolean' && kind !== 'json') return typed
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}

export const isNumber = (text: string): boolean => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)

/** Names that a form control can have; other attributes are rows with a name and a value. */
export const fitsControl = (name: string): boolean => /^[^.:$][^.:]*$/.test(name) && !name.includes('__proto__')
