import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_HELP } from '../../lib/core/error-help/error-help.ts'
import { type ErrorCode, ERRORS } from '../../lib/core/errors.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { openapi } from '../../lib/platform/api/openapi.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** All descriptions of both documents, and what the page about errors says. */
const described: string[] = []
const gather = (node: unknown): void => {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node))
    if ((key === 'description' || key === 'summary') && typeof value === 'string') described.push(value)
    else if (key !== 'example' && key !== 'examples') gather(value)
}
for (const which of ['public', 'admin'] as const) gather(openapi(endpoints, which, 'https://vitrine.example'))
for (const { cause, remedy } of Object.values(ERROR_HELP)) described.push(cause, remedy)

const guides = ['docs', 'docs/guides'].flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => fs.readFileSync(path.join(root, folder, file), 'utf8')),
)

const patternOf = (route: string): string => route.replace(/\{\w+\}/g, '{}')
const routes = new Set(endpoints.map(({ method, path: route }) => `${method} ${patternOf(route)}`))

test('every operation that a description or guide names by method and path exists', () => {
  const named = [...described, ...guides].flatMap((text) =>
    [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/(?:public\/)?v1\/[\w{}/.-]*[\w}])/g)].map(
      ([, method, route]) => `${method} ${patternOf(route!)}`,
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((one) => !routes.has(one))).toEqual([])
})

test('guides name each error code with its own status', () => {
  const named = [...described, ...guides].flatMap((text) =>
    [...text.matchAll(/\b([45]\d\d) `(\w+)`/g)].map(([, status, code]) => [Number(status), code!] as const),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([status, code]) => ERRORS[code as ErrorCode]?.[0] !== status)).toEqual([])
})

const HEADERS = ['webhook-id', 'webhook-signature', 'webhook-timestamp']

test('descriptions name operations by method and path, and by nothing that only we know', () => {
  const fields = new Set(
    JSON.stringify(['public', 'admin'].map((which) => openapi(endpoints, which as 'public', ''))).match(/"\w+":/g),
  )
  const ends = endpoints.filter(({ method }) => method !== 'GET').map(({ path: route }) => route.split('/').at(-1)!)
  const names = new Set([...endpoints.map(({ id }) => id), ...ends].filter((name) => !fields.has(`"${name}":`)))
  const quoted = described.flatMap((text) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!))
  const isKebab = (name: string) => /^[a-z]+(?:-[a-z]+)+$/.test(name) && !HEADERS.includes(name)
  expect(quoted.filter((name) => names.has(name) || isKebab(name))).toEqual([])
})
