import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'

const root = path.resolve(import.meta.dirname, '../..')
const API = path.join(root, 'lib/platform/api')
const RUNTIME = path.join(import.meta.dirname, 'runtime.py')
/** Where the methods go: before the first line after the class. */
const END_OF_CLASS = '\n\ndef _refusal(error):'

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

/** The text of packages/python/vitrine.py. */
export async function pythonClient(): Promise<string> {
  const runtime = fs.readFileSync(RUNTIME, 'utf8')
  const names = await namesOfEndpoints()
  const methods = endpoints
    .map((endpoint) => ({ endpoint, name: snakeCase(names.get(endpoint)!) }))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ endpoint, name }) => methodOf(endpoint, name))
  return runtime.replace(END_OF_CLASS, () => `\n${methods.join('\n')}\n${END_OF_CLASS.slice(1)}`)
}

/** An operation is called as the value that defines it is. */
async function namesOfEndpoints(): Promise<Map<Endpoint, string>> {
  const known = new Set<unknown>(endpoints)
  const names = new Map<Endpoint, string>()
  for (const file of fs.globSync('*.ts', { cwd: API }).sort()) {
    const exported = (await import(path.join(API, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) if (known.has(value)) names.set(value as Endpoint, name)
  }
  return names
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
