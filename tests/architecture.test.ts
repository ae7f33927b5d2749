import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../lib/platform/api/index.ts'

const root = resolve(import.meta.dirname, '..')

/**
 * The rooms of lib, lowest first. A file imports from its own room and from those before it; ARCHITECTURE.md says what
 * each is for.
 */
const ROOMS = [
  'core',
  'db',
  'ports',
  'platform',
  'records',
  'organizations',
  'messaging',
  'members',
  'stock',
  'orders',
  'catalog',
  'offers',
  'onchain',
  'giving',
  'selling',
  'data',
  'web',
  'worker',
]

/** Upward only into these: the callbacks by which a room tells a higher one what happened. */
const isCallback = (file: string) => /^on-[a-z-]+\.ts$/.test(basename(file))

/** What each adapter of a port is known by above its room: the port's types. Adapters are picked in ports.ts. */
const PORT_TYPES = [
  'lib/ports/ports.ts',
  'lib/ports/bot-check/bot-check.ts',
  'lib/ports/cards/cards.ts',
  'lib/ports/chain/chain.ts',
  'lib/ports/chain/keys.ts',
  'lib/ports/egress/egress.ts',
  'lib/ports/mail/mail.ts',
  'lib/ports/storage/storage.ts',
]

const FOLDERS = ['app', 'components', 'lib', 'packages', 'scripts']
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.startsWith('client/build/'))
    .map((name) => `${folder}/${name}`),
).sort()
const known = new Set(sources)

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const placeOf = (file: string) =>
  file
    .split('/')
    .slice(0, file.startsWith('lib/') ? 2 : 1)
    .join('/')
const rankOf = (file: string) => ROOMS.indexOf(file.split('/')[1] ?? '')

/** Every file that a file imports, types included, by its path from the root. */
function importsOf(file: string): string[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...statements].flatMap(([, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? ''
    if (!/^(\.|@\/)/.test(specifier)) return []
    const path = specifier.startsWith('@/')
      ? specifier.slice(2)
      : relative(root, resolve(root, dirname(file), specifier))
    return [['', '.ts', '.tsx', '/index.ts'].map((end) => path + end).find((each) => known.has(each)) ?? path]
  })
}
const imports = new Map(sources.map((file) => [file, importsOf(file)]))
const edges = [...imports].flatMap(([file, targets]) => targets.map((target) => ({ file, target })))
const shown = ({ file, target }: { file: string; target: string }) => `${file} → ${target}`

test('every file of lib is in a room', () => {
  expect(sources.filter((file) => file.startsWith('lib/') && rankOf(file) < 0)).toEqual([])
})

test('rooms of lib import from themselves and from those below; upward only callbacks', () => {
  const upward = edges.filter(
    ({ file, target }) =>
      file.startsWith('lib/') && target.startsWith('lib/') && rankOf(target) > rankOf(file) && !isCallback(target),
  )
  expect(upward.map(shown)).toEqual([])
})

test('lib imports nothing from app, components or scripts', () => {
  const strays = edges.filter(
    ({ file, target }) => file.startsWith('lib/') && !/^(lib|generated|messages)\//.test(target),
  )
  expect(strays.map(shown)).toEqual([])
})

test('the client imports from itself only, but for types that its build writes out', () => {
  const strays = edges.filter(
    ({ file, target }) =>
      file.startsWith('packages/client/') &&
      file !== 'packages/client/src/api.ts' &&
      !target.startsWith('packages/client/'),
  )
  expect(strays.map(shown)).toEqual([])
})

test('components import from lib only core and what the API promises', () => {
  const strays = edges.filter(
    ({ file, target }) =>
      file.startsWith('components/') && !/^(components|lib\/core|lib\/platform\/api|packages\/client)\//.test(target),
  )
  expect(strays.map(shown)).toEqual([])
})

test('pages and routes reach no database, no adapter and no worker', () => {
  const strays = edges.filter(
    ({ file, target }) =>
      file.startsWith('app/') &&
      (/^(lib\/(db|worker)|generated|scripts)\//.test(target) ||
        (target.startsWith('lib/ports/') && !/^lib\/ports\/(sandbox-cards\/|mail\/inbox\.ts)/.test(target))),
  )
  expect(strays.map(shown)).toEqual([])
})

test('adapters of a port are known to the ports alone', () => {
  const strays = edges.filter(
    ({ file, target }) =>
      file.startsWith('lib/') &&
      target.startsWith('lib/ports/') &&
      !file.startsWith('lib/ports/') &&
      !PORT_TYPES.includes(target) &&
      // The worker runs the sandbox's card provider, and the demo account there is verified without a person.
      !(file.startsWith('lib/worker/') && target.startsWith('lib/ports/sandbox-cards/')) &&
      file !== 'lib/selling/payments/connect-sandbox.ts',
  )
  expect(strays.map(shown)).toEqual([])
})

test('no file imports itself by way of others', () => {
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'done' || !imports.has(file)) return
    if (state.get(file) === 'open') return void circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    state.set(file, 'open')
    for (const next of imports.get(file)!) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of imports.keys()) visit(file, [])
  expect(circles).toEqual([])
})

test('only stock writes holds, and custody', () => {
  const writes =
    /\bhold\.(create|update|upsert|delete)|(INTO|UPDATE|DELETE FROM) holds\b|SET kept_by\b|\bdata: \{[^}]*custodian/
  expect(sources.filter((file) => !file.startsWith('lib/stock/') && writes.test(textOf(file)))).toEqual([])
})

test('only openTransaction makes a transaction row', () => {
  const writes = /\bdb\.transaction\.(create|upsert)|INTO transactions\b/
  expect(sources.filter((file) => writes.test(textOf(file)))).toEqual(['lib/orders/open-transaction.ts'])
})

test('a context is copied in one file only', () => {
  const copies = /\{\s*\.\.\.(ctx|tx|worker|context|anyone|organizationContext\(|systemContext\()(?![\w.])/
  const copiers = sources.filter((file) => copies.test(textOf(file)))
  expect(copiers.filter((file) => file !== 'lib/platform/auth/context.ts')).toEqual([])
})

test('every route serves a listed endpoint, and every endpoint is served', async () => {
  const served: string[] = []
  const routes = sources.filter(
    (name) => /^app\/(public\/)?v1\/.*\/route\.ts$/.test(name) && !name.includes('[...path]'),
  )
  for (const file of routes) {
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
  const all = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort()
  expect(served.sort()).toEqual(all)
  const { handlers } = await import('../scripts/route-table.ts')
  expect(handlers.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).sort()).toEqual(all)
})

test('every file of actions that write can refuse them in maintenance', () => {
  const refusing = ['lib/platform/http/action.ts', 'lib/platform/http/maintenance.ts', 'app/public/post-from-page.ts']
  const strays = sources.filter(
    (file) => /^'use server'/m.test(textOf(file)) && !imports.get(file)!.some((target) => refusing.includes(target)),
  )
  expect(strays).toEqual(['app/dashboard/actions.ts']) // signing out, and the cookie that chooses an organization
})

/** State of a module that each of Next's bundles and our own server may well have apart. */
const APART = [
  'lib/catalog/item-types/compile-schema.ts', // the compiled draft
  'lib/catalog/item-types/schema-thread.ts', // of the thread's
  'lib/catalog/item-types/validate-attributes.ts', // compiled schemas
  'lib/core/clock.ts', // moved by tests only
  'lib/core/contracts/token-logs.ts', // never changes
  'lib/core/group-commit.ts', // its work throws errors of classes that each bundle has apart
  'lib/core/server-keys.ts', // read from the settings
  'lib/data/backup/frames.ts', // never changes
  'lib/db/published-scope.ts', // made of the shared clients
  'lib/messaging/templates/platform-template.ts', // compiled templates
  'lib/onchain/indexer/logs-bloom.ts', // derived from topics
  'lib/onchain/indexer/moves-of.ts', // derived from logs
  'lib/onchain/indexer/rescan-final.ts', // of the worker's
  'lib/onchain/indexer/watch-nodes.ts', // of the worker's
  'lib/onchain/transactions/data-fee.ts', // what a chain's contracts are
  'lib/platform/http/query-of.ts', // derived from endpoints
  'lib/platform/http/serve.ts', // handlers of each bundle
  'lib/ports/chain/networks.ts', // never changes
  'lib/ports/mail/guarded-smtp.ts', // connections of the worker's
  'lib/ports/ports.ts', // adapters throw errors of classes that each bundle has apart
  'lib/selling/purchases/reserve-alone.ts', // which of a few queues is next
  'lib/worker/stuck-loops.ts', // of the worker's
]

test('what must exist once in a process is made by oncePerProcess', () => {
  const state =
    /^(?:export )?(?:let |const \w+(?:: (?!Readonly)[^=]+)? = (?:new (?:Weak)?(?:Map|Set)<|limitConcurrency\())/m
  const strays = sources.filter((file) => file.startsWith('lib/') && state.test(textOf(file)))
  expect(strays.filter((file) => !APART.includes(file))).toEqual([])
  const shared = sources.filter(
    (file) => /^(app|components|lib)\//.test(file) && /\bglobalThis as\b/.test(textOf(file)),
  )
  expect(shared).toEqual(['lib/core/once-per-process.ts'])
})

test('settings are read in one place', () => {
  // The second shows programs to copy, which read settings of their own.
  const READERS = ['lib/core/env.ts', 'components/dashboard/webhooks/webhook-snippets.ts']
  const readers = sources.filter(
    (file) => /^(app|components|lib)\//.test(file) && !READERS.includes(file) && /process\.env\b/.test(textOf(file)),
  )
  expect(readers).toEqual([])
})

test('the unconfined database is within reach of four rooms and the scripts only', () => {
  const allowed = ['lib/db', 'lib/platform', 'lib/worker', 'scripts']
  const unconfined = /\b(systemClient|appClient|publicClient|systemScope|systemContext|new PrismaClient)\b/
  const strays = sources.filter((file) => !allowed.includes(placeOf(file)) && unconfined.test(textOf(file)))
  expect(strays).toEqual([])
})

test('only the worker and scripts have a context that sees all organizations', () => {
  const makers = sources.filter(
    (file) => /^(app|components|lib(?!\/worker\/))\b/.test(file) && /\bsystemContext\(/.test(textOf(file)),
  )
  expect(makers).toEqual([])
})

test('every other way to rows of all organizations is known, and what it reaches', () => {
  const openers = sources.filter(
    (file) => /^(app|components|lib)\//.test(file) && /\b(systemScope|modelsScope|personScope)\(/.test(textOf(file)),
  )
  expect(openers).toEqual([
    'lib/db/narrow-scopes.ts',
    'lib/db/scope.ts',
    'lib/db/server-facts.ts', // facts of PostgreSQL
    'lib/platform/auth/authenticate.ts', // the worker's; the token of a claim; the row of a member who joins
    'lib/platform/auth/find-key.ts', // the hash of a key
    'lib/platform/auth/find-session.ts', // the hash of a session
    'lib/platform/auth/handover-context.ts', // the hash of a code
    'lib/platform/auth/narrow-contexts.ts',
    'lib/platform/http/is-database-up.ts', // no row
    'lib/ports/sandbox-cards/store.ts', // the sandbox provider's own tables
  ])
  const narrow = textOf('lib/platform/auth/narrow-contexts.ts').matchAll(
    /(\w+) = \([^=]*=>\s*modelsContext\((\[.*?\])/g,
  )
  expect(Object.fromEntries([...narrow].map(([, name, models]) => [name, models!.match(/\w+/g)]))).toEqual({
    walletCopiesContext: ['walletCopy'],
    cardEventContext: ['cardEvent'],
    sandboxClockContext: ['sandboxClock'],
    maintenanceContext: ['maintenance'],
    setUpContext: ['setupLink', 'organization', 'user', 'member', 'verificationToken'],
    signUpContext: ['signUp', 'organization', 'user', 'member', 'alarm'],
  })
})

test('no file of lib, app or components has more than 320 lines', () => {
  const long = sources
    .filter((file) => /^(lib|app|components)\//.test(file) && file !== 'lib/core/contracts/abi.ts')
    .filter((file) => textOf(file).split('\n').length - 1 > 320)
  expect(long).toEqual([])
})
