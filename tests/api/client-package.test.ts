import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsSource } from '../../scripts/client/sources.ts'
import { typeText } from '../../scripts/client/type-text.ts'
import { EVENT_TYPES } from '../../lib/platform/api/events.ts'
import { operations } from '../../lib/platform/api/index.ts'
import { interfaceOf } from '../../lib/platform/api/openapi.ts'
import { makePool } from '../support/listings.ts'
import { frontDoor } from '../support/front-door.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
/** The Node that runs npm, which may be older than the one that Vitrine installs. */
const node = process.env.npm_node_execpath ?? process.execPath

/** An empty project with nothing but the packed client. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-client-'))
const [built, project] = [path.join(folder, 'built'), path.join(folder, 'project')]
const write = (name: string, text: string) => fs.writeFileSync(path.join(project, name), text)

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [path.join(root, 'scripts/build-client.ts'), '--to', built])
  fs.mkdirSync(project)
  write('package.json', JSON.stringify({ name: 'shop', private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(built, stdout.trim())], {
    cwd: project,
  })
}, 300_000)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** A module of the package with all that it imports. */
function closureOf(name: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(name)) return found
  const text = fs.readFileSync(path.join(built, 'dist', name), 'utf8')
  found.set(name, text)
  for (const [, next] of text.matchAll(/from '\.\/([^']+)'/g)) closureOf(next!, found)
  return found
}

test('the package has every operation, no dependency, and imports nothing but itself', () => {
  const { dependencies, peerDependencies } = JSON.parse(fs.readFileSync(path.join(built, 'package.json'), 'utf8'))
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
  for (const [name, endpoint] of operations)
    expect(fs.readFileSync(path.join(built, 'dist', `${interfaceOf(endpoint)}-api.js`), 'utf8')).toContain(
      `${name}: ['${[endpoint.method, endpoint.path, Object.keys(endpoint.query?.shape ?? {}).join(' ')].join("', '")}']`,
    )
  for (const entry of ['index.js', 'public.js', 'webhooks.js', 'sandbox.js'])
    for (const text of closureOf(entry).values()) expect(text).not.toMatch(/from '[^.]|process\.|Buffer|require\(/)
})

test('the public part is below 8 kB, compressed', () => {
  const modules = closureOf('public.js')
  expect([...modules.keys()]).not.toContain('admin-api.js')
  expect(gzipSync([...modules.values()].join('\n')).length).toBeLessThan(8 * 1024)
})

const PROGRAM = `
import { createClient, each, Problem, verifyWebhook, type AdminItem, type ErrorCode, type WebhookEvent } from '@vitrine/client'
import { createClient as createPublicClient } from '@vitrine/client/public'
import { sandboxOf, CARDS } from '@vitrine/client/sandbox'
import { verifyWebhook as verify } from '@vitrine/client/webhooks'

declare const process: { env: Record<string, string> }
const { ORIGIN = '', KEY = '', COLLECTION = '' } = process.env
const vitrine = createClient({ origin: ORIGIN, key: KEY })
const shop = createPublicClient({ origin: ORIGIN })

const items: AdminItem[] = []
for await (const item of each(vitrine.listItems, { query: { collection_id: COLLECTION, limit: 2 } })) items.push(item)
const created: AdminItem = await vitrine.createItem({
  body: { collection_id: COLLECTION, attributes: { title: 'A print', paper: 'laid' } },
})
let code: ErrorCode | 'unknown' | undefined
try {
  await shop.getPublicItem({ params: { item_id: 'nope' } })
} catch (failure) {
  if (failure instanceof Problem) code = failure.code
}
const { results } = await shop.listNetworks()
const csv = await (await vitrine.exportItems({ query: { collection_id: COLLECTION } })).text()
const refused: unknown = await verify('{}', {}, 'whsec_AAAA').catch((failure: unknown) => failure)
const handled = (event: WebhookEvent): unknown => (event.type === 'item.minted' ? event.data.item_id : event.type)
const same: boolean = verify === verifyWebhook
const pays: (data: { client_secret: string; publishable_key: string }) => Promise<{ status: string }> = (data) =>
  sandboxOf(ORIGIN).pay(data, CARDS.asksTheBank)

// What doesn't fit isn't compiled.
// @ts-expect-error
void (() => vitrine.getItem({}))
// @ts-expect-error
void (() => vitrine.createItem({ body: { collection_id: 5 } }))
// @ts-expect-error
void (() => shop.createItem({}))

console.log(JSON.stringify({
  items: items.length, attributes: created.attributes, code, networks: results.length,
  lines: csv.trim().split('\\n').length, refused: String(refused), handled: typeof handled, same, pays: typeof pays,
}))
`

/** What the README's examples have from elsewhere. */
const DECLARED = `
declare const process: { env: Record<string, string | undefined> }
declare const [item_id, listing_id, client_secret, publishable_key]: [string, string, string, string]
`
const readme = fs.readFileSync(path.join(root, 'packages/client/README.md'), 'utf8')

test('an empty project compiles against its types without skipLibCheck, and runs', async () => {
  installFakeChain()
  const mine = await makeOrganization()
  const { collectionId } = await makePool(mine, 5)
  const { url } = await frontDoor()
  write('shop.ts', PROGRAM)
  const [start, failures, ...others] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!)
  for (const [at, code] of [`${start}${failures}`, ...others].entries()) write(`readme-${at}.ts`, `${DECLARED}${code}`)
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        module: 'nodenext',
        target: 'es2022',
        types: [],
      },
      include: ['*.ts'],
    }),
  )
  const { stdout: said } = await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], {
    cwd: project,
  }).catch((failure: { stdout: string }) => failure)
  expect(said).toBe('')
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test' as const,
    ORIGIN: url,
    KEY: mine.key,
    COLLECTION: collectionId,
  }
  const { stdout } = await run(node, ['shop.js'], { cwd: project, env })
  expect(JSON.parse(stdout)).toEqual({
    items: 5,
    attributes: { title: 'A print', paper: 'laid' },
    code: 'not_found',
    networks: expect.any(Number),
    lines: 7,
    refused: 'Error: The headers of the signature are missing.',
    handled: 'function',
    same: true,
    pays: 'function',
  })
}, 300_000)

test('its command runs', async () => {
  const { stdout } = await run(node, [path.join(project, 'node_modules/.bin/vitrine'), '--help'])
  expect(stdout).toContain('vitrine listen --forward-to <url>')
})

test('the README names commands and operations that there are', () => {
  for (const [, type] of readme.matchAll(/vitrine trigger (\S+)/g)) expect(EVENT_TYPES).toContain(type)
  const named = [...readme.matchAll(/(?:vitrine|shop)\.(\w+)\(/g)].map(([, name]) => name!)
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect([...operations.keys()]).toContain(name)
})

test('events have the types of what the documents say of their data', () => {
  const data = { type: 'object', properties: { item_id: { type: 'string' } }, required: ['item_id'] }
  const schema = { type: 'object', properties: { data } }
  const post = { requestBody: { required: true, content: { 'application/json': { schema } } } }
  const text = eventsSource({ webhooks: { 'item.minted': { post } } })
  expect(text).toContain("'item.minted': {\nitem_id: string\n}\n'item.transferred': { [name: string]: unknown }")
})

test.each([
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }] }, '(Item | null)'],
  [{ enum: ['A', 1, null] }, '"A" | 1 | null'],
  [{ type: 'array', items: { enum: ['A', 'B'] } }, 'Array<"A" | "B">'],
  [{ type: 'array', prefixItems: [{ type: 'number' }, {}] }, '[number, unknown]'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, '{ [name: string]: number }'],
  [{ type: 'object', properties: { a: {}, 'b-c': { const: 1 } }, required: ['a'] }, '{\na: unknown\n"b-c"?: 1\n}'],
  [
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: {} },
    '({\na: string\n} & { [name: string]: unknown })',
  ],
  [{ allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }, '(A & B)'],
])('the schema %j becomes the type %s', (schema, text) => expect(typeText(schema)).toBe(text))
