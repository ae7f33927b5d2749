import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { operations } from '../../lib/platform/api/index.ts'

const TEMPLATE = path.resolve(import.meta.dirname, '../../packages/python/template.py')
/** Where the methods of the class go, and where the version. */
const OPERATIONS = '    # @operations@\n'
const VERSION = '@version@'

const KEYWORDS = new Set([
  'from',
  'import',
  'class',
  'global',
  'in',
  'is',
  'not',
  'or',
  'and',
  'pass',
  'return',
  'with',
])
const LINE = 110

/** The client for Python of a version, as one file: the template with a method for each operation. */
export function pythonSource(version: string): string {
  const methods = [...operations]
    .map(([name, endpoint]) => ({ endpoint, name: snakeCase(name) }))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ endpoint, name }) => methodOf(endpoint, name))
  return fs
    .readFileSync(TEMPLATE, 'utf8')
    .replace(VERSION, () => version)
    .replace(OPERATIONS, () => `${methods.join('\n').replace(/^\n/, '')}\n`)
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const identifier = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name)

function methodOf(endpoint: Endpoint, name: string): string {
  const params = Object.keys(endpoint.params?.shape ?? {})
  const query = Object.entries(endpoint.query?.shape ?? {})
  const needed = query.filter(([, type]) => !type.safeParse(undefined).success).map(([key]) => key)
  const free = query.map(([key]) => key).filter((key) => !needed.includes(key))
  const hasBody = endpoint.body !== undefined
  const mayBeEmpty = hasBody && endpoint.body!.safeParse({}).success
  const keywords = [
    ...[...params, ...needed].map(identifier),
    ...free.map((key) => `${identifier(key)}=None`),
    ...(endpoint.method === 'POST' ? ['idempotency_key=None'] : []),
    'extra_query=None',
  ]
  const signature = ['self', ...(hasBody ? [mayBeEmpty ? 'body=None' : 'body'] : []), '*', ...keywords]
  const dict = (keys: string[]) => `{${keys.map((key) => `"${key}": ${identifier(key)}`).join(', ')}}`
  const sent = [
    `"${endpoint.method}"`,
    `"${endpoint.path}"`,
    dict(params),
    dict(query.map(([key]) => key)),
    ...(hasBody ? [mayBeEmpty ? '{} if body is None else body' : 'body'] : endpoint.method === 'POST' ? ['None'] : []),
    ...(endpoint.method === 'POST' ? ['idempotency_key'] : []),
    'extra_query=extra_query',
  ]
  return [
    '',
    wrapped(`    def ${name}(`, signature, '):'),
    ...docstring(endpoint),
    wrapped('        return self._call(', sent, ')'),
  ].join('\n')
}

/** On one line where it fits, else one argument a line. */
function wrapped(before: string, parts: string[], after: string): string {
  const line = `${before}${parts.join(', ')}${after}`
  if (line.length <= LINE) return line
  const indent = ' '.repeat(before.length - before.trimStart().length)
  return `${before}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${after}`
}

function docstring(endpoint: Endpoint): string[] {
  const permission = endpoint.permission ? ` Needs the permission ${endpoint.permission}.` : ''
  const lines = [`${endpoint.summary}.`, '', `${endpoint.method} ${endpoint.path}.${permission}`]
  for (const paragraph of (endpoint.description ?? '').split('\n').filter(Boolean)) lines.push('', ...fold(paragraph))
  const fields = fieldsOf(endpoint.body)
  if (fields.length > 0) lines.push('', ...fold(`Body: ${fields.join(', ')}.`))
  lines[0] = `"""${lines[0]!}`
  return [...lines, '"""'].map((line) => (line ? `        ${line.replaceAll('\\', '\\\\')}` : ''))
}

/** The names of a body's fields, those that must be there marked. */
function fieldsOf(body: z.ZodType | undefined): string[] {
  const shape = (body as { shape?: Record<string, z.ZodType> } | undefined)?.shape
  return Object.entries(shape ?? {}).map(([name, type]) =>
    type.safeParse(undefined).success ? name : `${name} (required)`,
  )
}

function fold(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > LINE - 8) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
