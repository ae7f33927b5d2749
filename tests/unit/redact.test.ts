import fs from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { redact, redactOutput, SECRET_PARAMETERS, SECRET_PATHS } from '../../lib/core/redact.ts'
import { log } from '../../lib/core/log.ts'
import { endpoints } from '../../lib/platform/api/index.ts'

const root = path.resolve(import.meta.dirname, '../..')
const SECRET = 'tSeKq-0_Zr'.repeat(5).slice(0, 43)

/** All paths with parameters: of pages and route files, and of endpoints. */
const files = fs
  .readdirSync(path.join(root, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\/(page\.tsx|route\.ts)$/.test(file))
const paths = [
  ...files.map((file) => `/${path.dirname(file).replace(/\[([^\]]*)\]/g, '{$1}')}`),
  ...endpoints.map((endpoint) => endpoint.path),
]
const parameters = [...new Set(paths.flatMap((each) => [...each.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)))]

/** Parameters that are no secret, besides ids. A new one is judged here. */
const OPEN = ['adapter', 'address', 'capability', 'eth_address', 'name', 'slug', 'template_type', 'type']
const isOpen = (name: string) => /(?:_id|Id)$/.test(name) || OPEN.includes(name)

test('every path with a secret is redacted: the list is that of the routes', () => {
  const secret = parameters.filter((name) => !isOpen(name))
  const withSecret = paths.flatMap((each) => {
    const found = new RegExp(`^(.*?)/\\{(${secret.join('|')})\\}`).exec(each)
    return found ? [`${found[1]!.replace('/public/v1', '')}/{${found[2]}}`] : []
  })
  expect([...new Set(withSecret)].sort()).toEqual([...SECRET_PATHS].sort())
  for (const each of paths.filter((one) => secret.some((name) => one.includes(`{${name}}`)))) {
    const url = each.replace(new RegExp(`\\{(${secret.join('|')})\\}`), SECRET)
    expect(redact(`Error: no { page: '${url}' }`), url).toBe(redact(`Error: no { page: '${url}' }`).replace(SECRET, ''))
  }
})

test('every query parameter with a secret or a mailbox is redacted', () => {
  const asked = endpoints.flatMap(({ query }) => Object.keys((query as { shape?: object } | undefined)?.shape ?? {}))
  const read = files.flatMap((file) =>
    [...fs.readFileSync(path.join(root, 'app', file), 'utf8').matchAll(/searchParams.*?\{([^}]*)\}/gs)].flatMap(
      ([, names]) => [...names!.matchAll(/(\w+)\??:/g)].map(([, name]) => name!),
    ),
  )
  const secret = [...new Set([...asked, ...read])].filter((name) =>
    /secret|token$|proof|^e?mail|signature|^code$/.test(name),
  )
  expect(secret.length).toBeGreaterThan(3)
  for (const name of secret) expect(SECRET_PARAMETERS).toContain(name)
  for (const name of SECRET_PARAMETERS)
    for (const url of [`/x?a=1&${name}=${SECRET}&b=2`, `/sign-in?callbackUrl=%2Fx%3F${name}%3D${SECRET}`])
      expect(redact(`GET ${url} failed`)).not.toContain(SECRET)
  expect(redact(`/x?a=1&secret=${SECRET}&b=2`)).toBe('/x?a=1&secret=[redacted]&b=2')
})

test('mailboxes, keys and stored values are redacted wherever they stand, and a line of JSON stays one', () => {
  for (const secret of ['zoë@müller.example', 'a.b+c%40shop.example', `vt_test_abcd1234_${SECRET}abcdef`])
    for (const line of [
      secret,
      `to ${secret}, said`,
      `/items?q=${secret}&x=1`,
      `Key (email, x)=(${secret}, 1) already exists.`,
    ]) {
      expect(redact(line)).not.toContain(secret)
      const json = JSON.stringify({ msg: `no\n${line}\t"${line}"\u0001${line}`, n: 1 })
      expect(JSON.parse(redact(json))).toMatchObject({ n: 1 })
      expect(redact(json)).not.toContain(secret)
    }
  const row = 'Failing row contains (0190, Mia Moon, (1,2), null).'
  expect(redact(row)).toBe('Failing row contains ([redacted]).')
  for (const kept of ['next@16.4.6/dist/server.js:12', '/v1/items?limit=5', 'app/claim/read-claim.ts:12:3'])
    expect(redact(kept)).toBe(kept)
})

test('the secrets of the settings are redacted: of a URL its password and its key', async () => {
  vi.resetModules()
  const key = 'b2'.repeat(32)
  vi.stubEnv('SERVER_KEY', `${'a1'.repeat(32)},${key}`)
  vi.stubEnv('RPC_URLS', '1=https://node.example/v3/0123456789abcdef01,https://user:pass-word@other.example')
  const { redact: fresh } = await import('../../lib/core/redact.ts')
  vi.unstubAllEnvs()
  expect(fresh(`HTTP request failed. URL: https://node.example/v3/0123456789abcdef01 ${key} (pass-word)`)).toBe(
    'HTTP request failed. URL: https://node.example/v3/[redacted] [redacted] ([redacted])',
  )
})

test('what a library prints and what we log are redacted', () => {
  const [out, lines] = [process.stdout.write, [] as string[]]
  const err = process.stderr.write
  const keep = ((chunk: string) => lines.push(chunk) > 0) as typeof process.stdout.write
  process.stdout.write = process.stderr.write = keep
  try {
    redactOutput()
    process.stdout.write(`${SECRET.length} /claim/${SECRET}\n`)
    process.stderr.write(`⨯ Error { page: '/mails/${SECRET}' }\n`)
  } finally {
    process.stdout.write = out
    process.stderr.write = err
  }
  expect(lines).toEqual(['43 /claim/[redacted]\n', "⨯ Error { page: '/mails/[redacted]' }\n"])
  expect(log[Symbol.for('pino.hooks') as never]).toMatchObject({ streamWrite: redact })
})
