import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../lib/platform/api/index.ts'

const root = resolve(import.meta.dirname, '..')

const NOUNS = [
  'analytics',
  'api-keys',
  'audit',
  'campaigns',
  'claims',
  'collections',
  'email-integrations',
  'exports',
  'history',
  'imports',
  'item-types',
  'items',
  'listings',
  'media',
  'members',
  'mints',
  'networks',
  'organizations',
  'outbox',
  'payments',
  'purchases',
  'snapshots',
  'stock',
  'templates',
  'transactions',
  'vouchers',
  'webhooks',
].map((noun) => `lib/${noun}`)

/** What the ports promise, and what is pure about our contracts: no adapter among them. */
const PORT_TYPES = [
  'lib/cards/cards.ts',
  'lib/chain/chain.ts',
  'lib/chain/keys.ts',
  'lib/humanity/humanity.ts',
  'lib/mail/mail.ts',
  'lib/storage/storage.ts',
  'lib/egress/egress.ts',
]
const CONTRACT_WORDS = ['abi', 'capabilities', 'contracts', 'revert-reason', 'token-logs', 'vouchers'].map(
  (name) => `lib/chain/${name}.ts`,
)

/** Each room and what it may import (design: one table of rooms). Everything not listed is forbidden. */
const ROOMS: Record<string, string[]> = {
  app: [
    'components',
    'lib/core',
    'lib/api',
    'lib/auth',
    'lib/http',
    'lib/mail/inbox.ts',
    'lib/sandbox-cards',
    ...NOUNS,
  ],
  components: ['lib/core', 'lib/api', ...CONTRACT_WORDS],
  'lib/core': [],
  'lib/api': ['lib/core'],
  'lib/db': ['lib/core', 'generated'],
  'lib/auth': ['lib/core', 'lib/api', 'lib/db', 'lib/ports.ts'],
  'lib/http': ['lib/core', 'lib/api', 'lib/auth', 'lib/db', 'lib/chain/chain.ts', 'generated'],
  'lib/jobs': ['lib/core', 'lib/auth', 'lib/db'],
  'lib/cards': ['lib/core'],
  'lib/sandbox-cards': ['lib/core', 'lib/db/scope.ts', 'generated'],
  'lib/chain': ['lib/core'],
  'lib/egress': ['lib/core'],
  'lib/humanity': ['lib/core'],
  'lib/mail': ['lib/core', 'lib/egress'],
  'lib/storage': ['lib/core', 'lib/egress'],
  'lib/ports.ts': [
    'lib/core',
    'lib/cards',
    'lib/sandbox-cards',
    'lib/chain',
    'lib/egress',
    'lib/humanity',
    'lib/mail',
    'lib/storage',
  ],
  'lib/worker': ['lib', 'generated'],
  ...Object.fromEntries(
    NOUNS.map((noun) => [
      noun,
      [
        'lib/core',
        'lib/api',
        'lib/auth',
        'lib/jobs',
        'lib/db/errors.ts',
        'lib/ports.ts',
        'generated',
        ...PORT_TYPES,
        ...CONTRACT_WORDS,
        ...NOUNS,
      ],
    ]),
  ),
  prisma: ['lib'],
  scripts: ['lib', 'scripts', 'generated'],
}
// The demo organization's account at the built-in provider is verified without a person.
ROOMS['lib/payments']!.push('lib/sandbox-cards/accounts.ts', 'lib/sandbox-cards/store.ts')
const NEVER: Record<string, string[]> = { 'lib/worker': ['lib/http'] }

const bare = (file: string) => file.replace(/\.tsx?$/, '')
const within = (file: string, place: string) => bare(file) === bare(place) || file.startsWith(`${place}/`)
const roomOf = (file: string) => Object.keys(ROOMS).find((room) => within(file, room))

const FOLDERS = ['app', 'components', 'lib', 'scripts']
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`),
).sort()

type Import = { target: string; type: boolean }
const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = [
    ...text.matchAll(
      /^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
    ),
  ]
  return statements.flatMap(([, type, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? ''
    if (!/^(\.|@\/)/.test(specifier)) return []
    const target = specifier.startsWith('@/')
      ? specifier.slice(2)
      : relative(root, resolve(root, dirname(file), specifier))
    return [{ target, type: Boolean(type) }]
  })
}

test('every file is in a room', () => {
  expect(sources.filter((file) => !roomOf(file))).toEqual([])
})

test('rooms import only the rooms they may', () => {
  const trespasses = sources.flatMap((file) => {
    const room = roomOf(file)
    if (!room) return []
    return importsOf(file)
      .filter(({ type }) => !type)
      .filter(
        ({ target }) =>
          !within(target, room) &&
          (!ROOMS[room]!.some((allowed) => within(target, allowed)) ||
            (NEVER[room] ?? []).some((never) => within(target, never))),
      )
      .map(({ target }) => `${file} → ${target}`)
  })
  expect(trespasses).toEqual([])
})

test('no file of lib imports itself by way of others', () => {
  const graph = new Map(
    sources
      .filter((file) => file.startsWith('lib/'))
      .map((file) => [
        file,
        importsOf(file)
          .filter(({ type }) => !type)
          .map(({ target }) => target),
      ]),
  )
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'done' || !graph.has(file)) return
    if (state.get(file) === 'open') return void circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    state.set(file, 'open')
    for (const next of graph.get(file)!) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of graph.keys()) visit(file, [])
  expect(circles).toEqual([])
})

test('every route serves a listed endpoint, and every endpoint is served', async () => {
  const served: string[] = []
  for (const file of sources.filter(
    (name) => /^app\/(public\/)?v1\/.*\/route\.ts$/.test(name) && !name.includes('[...path]'),
  )) {
    const module = (await import(join(root, file))) as Record<string, { endpoint?: { method: string; path: string } }>
    const path =
      '/' +
      dirname(file)
        .replace(/^app\//, '')
        .replace(/\[([^\]]+)\]/g, '{$1}')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const endpoint = module[method]?.endpoint
      if (!endpoint) continue
      expect(endpoint, `${file} ${method}`).toMatchObject({ method, path })
      served.push(`${method} ${path}`)
    }
  }
  expect(served.sort()).toEqual(endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort())
})

test('settings are read in one place', () => {
  const readers = sources.filter(
    (file) =>
      /^(app|components|lib)\//.test(file) &&
      file !== 'lib/core/env.ts' &&
      /process\.env\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(readers).toEqual([])
})

test('the database without walls is within reach of four rooms only', () => {
  const allowed = ['lib/db', 'lib/auth', 'lib/http', 'lib/worker', 'lib/jobs', 'scripts']
  const trespassers = sources.filter(
    (file) =>
      !allowed.some((room) => within(file, room)) &&
      /\b(systemClient|appClient|publicClient|systemScope|workerContext|new PrismaClient)\b/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  )
  expect(trespassers).toEqual([])
})
