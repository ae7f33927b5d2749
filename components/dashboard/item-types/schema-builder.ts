import { allowsOthers, type FieldKind, isNumber, OWN, propertiesOf, requiredIn, type Schema } from './schema'

/** One attribute of an item type in the builder; every value is the text that was typed. */
export type Row = {
  key: number
  name: string
  label: string
  hint: string
  kind: FieldKind
  required: boolean
  min: string
  max: string
  maxLength: string
  /** One a line. */
  choices: string
  /** The attribute's own schema where the builder can't show all of it: preserved unchanged. */
  raw: unknown
}

/** The kinds to choose from. */
export const KINDS = ['text', 'long', 'number', 'integer', 'boolean', 'choice', 'date', 'url', 'texts'] as const

const LONG_TEXT_MAX_LENGTH = 5000

export const emptyRow = (key: number): Row => ({
  key,
  name: '',
  label: '',
  hint: '',
  kind: 'text',
  required: false,
  min: '',
  max: '',
  maxLength: '',
  choices: '',
  raw: undefined,
})

/** The schema's attributes as rows, without the three that every item has. */
export function rowsOf(schema: Schema): Row[] {
  const required = requiredIn(schema)
  return Object.entries(propertiesOf(schema))
    .filter(([name]) => !isOwn(name))
    .map(([name, property], key) => ({
      ...(plainRow(property) ?? { ...emptyRow(key), kind: 'json', raw: property }),
      key,
      name,
      required: required.includes(name),
    }))
}

/** The schema with its attributes replaced by these rows; all other keywords are preserved. */
export function withRows(schema: Schema, rows: readonly Row[], open: boolean): Schema {
  const { properties: _p, required: _r, additionalProperties, unevaluatedProperties, ...rest } = schema
  const before = propertiesOf(schema)
  const named = rows.filter(({ name }) => name.trim() !== '')
  const own = OWN.filter((name) => Object.hasOwn(before, name) || !open).map(
    (name) => [name, before[name] ?? { type: 'string' }] as const,
  )
  const required = [
    ...requiredIn(schema).filter(isOwn),
    ...named.filter((row) => row.required).map(({ name }) => name.trim()),
  ]
  const others = open ? (allowsOthers({ additionalProperties }) ? additionalProperties : undefined) : false
  return {
    ...rest,
    type: rest.type ?? 'object',
    properties: Object.fromEntries([...own, ...named.map((row) => [row.name.trim(), propertyOf(row)] as const)]),
    ...(required.length > 0 && { required }),
    ...(others !== undefined && { additionalProperties: others }),
    ...(unevaluatedProperties !== undefined && (unevaluatedProperties !== false || !open) && { unevaluatedProperties }),
  }
}

export type RowPart = 'name' | 'min' | 'max' | 'maxLength'
export type RowProblem = 'nameless' | 'twice' | 'own' | 'number'

/** The problems of rows that a schema can't express, by `key.part`. A row that nothing was typed in is left out. */
export function problemsOf(rows: readonly Row[]): Map<string, RowProblem> {
  const problems = new Map<string, RowProblem>()
  const names = new Set<string>()
  for (const row of rows) {
    const name = row.name.trim()
    if (name === '' && !isUntouched(row)) problems.set(`${row.key}.name`, 'nameless')
    else if (names.has(name)) problems.set(`${row.key}.name`, 'twice')
    else if (isOwn(name)) problems.set(`${row.key}.name`, 'own')
    if (name !== '') names.add(name)
    const numbers: RowPart[] =
      row.kind === 'number' || row.kind === 'integer'
        ? ['min', 'max']
        : row.kind === 'text' || row.kind === 'long'
          ? ['maxLength']
          : []
    for (const part of numbers)
      if (row[part].trim() !== '' && !isNumber(row[part].trim())) problems.set(`${row.key}.${part}`, 'number')
  }
  return problems
}

const isUntouched = (row: Row): boolean => JSON.stringify(row) === JSON.stringify(emptyRow(row.key))

function propertyOf({ kind, label, hint, min, max, maxLength, choices, raw }: Row): unknown {
  if (kind === 'json') return raw
  const words = { ...textKeyword('title', label), ...textKeyword('description', hint) }
  switch (kind) {
    case 'number':
    case 'integer':
      return { ...words, type: kind, ...bound('minimum', min), ...bound('maximum', max) }
    case 'boolean':
      return { ...words, type: 'boolean' }
    case 'choice':
      return { ...words, enum: linesOf(choices) }
    case 'texts':
      return { ...words, type: 'array', items: { type: 'string' } }
    case 'date':
    case 'url':
      return { ...words, type: 'string', format: kind === 'url' ? 'uri' : 'date' }
    case 'long':
      return { ...words, type: 'string', ...bound('maxLength', maxLength || String(LONG_TEXT_MAX_LENGTH)) }
    case 'text':
      return { ...words, type: 'string', ...bound('maxLength', maxLength) }
  }
}

const textKeyword = (name: string, typed: string): Schema => (typed.trim() === '' ? {} : { [name]: typed.trim() })
const bound = (name: string, typed: string): Schema => (isNumber(typed.trim()) ? { [name]: Number(typed) } : {})
const linesOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]
const isOwn = (name: string): boolean => (OWN as readonly string[]).includes(name)
const written = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

/** A row that expresses a property completely; null when something would be lost. */
function plainRow(value: unknown): Row | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const property = value as Schema
  const choices =
    Array.isArray(property.enum) && property.enum.every((entry) => typeof entry === 'string') ? property.enum : []
  const row: Row = {
    ...emptyRow(0),
    kind: kindOf(property),
    label: typeof property.title === 'string' ? property.title : '',
    hint: typeof property.description === 'string' ? property.description : '',
    min: written(property.minimum),
    max: written(property.maximum),
    maxLength: written(property.maxLength),
    choices: choices.join('\n'),
  }
  return sameJson(propertyOf(row), property) ? row : null
}

function kindOf({ type, enum: choices, format, maxLength }: Schema): FieldKind {
  if (choices !== undefined) return 'choice'
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  if (type === 'array') return 'texts'
  if (format === 'date') return 'date'
  if (format === 'uri') return 'url'
  return typeof maxLength === 'number' && maxLength > 200 ? 'long' : 'text'
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value
const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** Parses a schema; null when the text isn't one. */
export function readSchema(text: string): Schema | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : null
  } catch {
    return null
  }
}

export const writeSchema = (schema: Schema): string => JSON.stringify(schema, null, 2)
