import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { envSchema } from '../../lib/core/env-schema.ts'
import { readEnv } from '../../lib/core/env.ts'
import { SECRET_SETTINGS, withSecretFiles } from '../../lib/core/secret-settings.ts'
import { readServerKeys, voucherKeyFrom } from '../../lib/core/server-keys.ts'
import { startProblems } from '../../lib/ports/start-problems.ts'

const KEY = '3f9a0c71d5b84e26a9f1c0e7b2d4586930a1f7c2e8b64d059371ae2cf0854b6d'
const OTHER_KEY = 'c2e8b64d059371ae2cf0854b6d3f9a0c71d5b84e26a9f1c0e7b2d4586930a1f7'
const base = { DATABASE_URL: 'postgresql://vitrine@127.0.0.1/vitrine', SERVER_KEY: KEY }
const problemsOf = (settings: Record<string, string>) => startProblems(readEnv({ ...base, ...settings }))

/** Anvil's first account, whose key every developer has. */
const ANVIL_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

function makeFile(content: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-secret-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'secret')
  fs.writeFileSync(file, content)
  return file
}

test('settings with random secrets start', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ NEXTAUTH_SECRET: 'n'.repeat(31) + 'm', VOUCHER_KEY: OTHER_KEY, HEALTH_KEY: OTHER_KEY })).toEqual(
    [],
  )
})

test.each(['DATABASE_URL', 'SERVER_KEY'])('without %s nothing starts, and the message names it', (name) => {
  const problems = problemsOf({ [name]: '' })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`${name} is not set`)
})

test.each([
  ['SERVER_KEY', 'too short', 'abcdef'],
  ['SERVER_KEY', 'not hex', 'z'.repeat(64)],
  ['SERVER_KEY', 'one digit', '0'.repeat(64)],
  ['SERVER_KEY', 'one digit in two cases', 'aA'.repeat(32)],
  ['SERVER_KEY', 'a sample', '0123456789abcdef'.repeat(4)],
  ['SERVER_KEY', 'a good key before a weak one', `${KEY},${'1'.repeat(64)}`],
  ['SERVER_KEY', 'a good key and nothing', `${KEY},`],
  ['VOUCHER_KEY', 'too short', KEY.slice(1)],
  ['VOUCHER_KEY', 'one digit', 'f'.repeat(64)],
  ['VOUCHER_KEY', 'one digit, as rotate-key writes it', `derived:${'f'.repeat(64)}`],
  ['NEXTAUTH_SECRET', 'too short', 'n'.repeat(30) + 'm'],
  ['NEXTAUTH_SECRET', 'one character', 'x'.repeat(40)],
  ['HEALTH_KEY', 'too short', 'open sesame'],
])('%s that is %s ends the start, and is not shown', (name, _what, value) => {
  const problems = problemsOf({ [name]: value })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(name)
  expect(problems.join()).not.toContain(value)
})

test('two good keys in SERVER_KEY start where VOUCHER_KEY says what voucher signers are derived from', () => {
  const SERVER_KEY = `${OTHER_KEY}, ${KEY}`
  expect(problemsOf({ SERVER_KEY })).toEqual([expect.stringContaining('--voucher-key-file')])
  // As npm run rotate-key writes it, and while signers are being replaced.
  const derived = `derived:${voucherKeyFrom(readServerKeys(KEY)[0]!).toString('hex')}`
  for (const VOUCHER_KEY of [OTHER_KEY, derived, `${OTHER_KEY}, ${derived}`])
    expect(problemsOf({ SERVER_KEY, VOUCHER_KEY })).toEqual([])
})

test('a key that is listed twice ends the start', () => {
  const problems = problemsOf({ SERVER_KEY: `${KEY},${KEY.toUpperCase()}`, VOUCHER_KEY: OTHER_KEY })
  expect(problems).toEqual(['SERVER_KEY lists a key twice.'])
})

test('a key that a document shows can’t be the server’s', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const documents = [
    'README.md',
    '.env.example',
    ...fs.readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`),
  ]
  const shown = documents
    .filter((name) => /\.(md|example)$/.test(name))
    .flatMap((name) => fs.readFileSync(path.join(root, name), 'utf8').match(/\b[A-Z_]+KEY=[0-9a-f]{64}\b/gi) ?? [])
  for (const line of shown) expect(problemsOf({ SERVER_KEY: line.split('=')[1]! }), line).not.toEqual([])
})

test('an operator whose key is public ends the start on a real network, and no other', () => {
  const anywhere = { OPERATOR_KEYS: `0x${OTHER_KEY},${ANVIL_KEY}` }
  expect(problemsOf({ ...anywhere, RPC_URLS: '31337=http://127.0.0.1:1;11155111=http://127.0.0.1:2' })).toEqual([])
  const problems = problemsOf({ ...anywhere, RPC_URLS: '11155111=http://127.0.0.1:1;137=http://127.0.0.1:2' })
  expect(problems).toEqual([expect.stringContaining('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')])
  expect(problems.join()).not.toContain(ANVIL_KEY.slice(2, 20))
})

test('networks, contracts and operators that can’t be read are named together', () => {
  const problems = problemsOf({ RPC_URLS: '1=nonsense', OPERATOR_KEYS: 'abc' })
  expect(problems).toEqual([expect.stringContaining('RPC_URLS'), expect.stringContaining('OPERATOR_KEYS')])
})

test('a secret is read from the file that <NAME>_FILE names, without its last line break', () => {
  expect(readEnv({ SERVER_KEY_FILE: makeFile(`${KEY}\n`) }).SERVER_KEY).toBe(KEY)
  expect(readEnv({ SMTP_URL_FILE: makeFile('smtp://a:b@mail.example\r\n') }).SMTP_URL).toBe('smtp://a:b@mail.example')
  expect(readEnv({ NEXTAUTH_SECRET_FILE: makeFile(' kept \n\n') }).NEXTAUTH_SECRET).toBe(' kept \n')
})

test('a setting and its file together end the start', () => {
  const both = { SERVER_KEY: KEY, SERVER_KEY_FILE: makeFile(KEY) }
  expect(() => readEnv(both)).toThrow('SERVER_KEY and SERVER_KEY_FILE are both set')
  expect(readEnv({ ...both, SERVER_KEY: '' }).SERVER_KEY).toBe(KEY)
})

test('files that are missing, unreadable or empty end the start, all of them named and none shown', () => {
  const settings = {
    SERVER_KEY_FILE: path.join(os.tmpdir(), 'vitrine-no-such-file'),
    STRIPE_SECRET_KEY_FILE: makeFile('\n'),
    SMTP_URL_FILE: os.tmpdir(), // a folder
    OIDC_CLIENT_SECRET_FILE: makeFile('hidden'),
    OIDC_CLIENT_SECRET: 'also hidden',
  }
  expect(() => readEnv(settings)).toThrow(
    /SMTP_URL_FILE: The file can’t be read \(EISDIR\)[^]*STRIPE_SECRET_KEY_FILE: The file is empty/,
  )
  expect(() => readEnv(settings)).toThrow('SERVER_KEY_FILE: There is no such file')
  expect(() => readEnv(settings)).not.toThrow('hidden')
})

test('a process that gets these settings never sees the names of the files', () => {
  expect(withSecretFiles({ A: '1', SERVER_KEY_FILE: '/key' }, () => KEY)).toEqual({ A: '1', SERVER_KEY: KEY })
})

test('every setting that sounds secret can be in a file', () => {
  const NOT_SECRET = ['BACKUP_PUBLIC_KEY', 'STRIPE_PUBLISHABLE_KEY', 'PINNING_PINATA_URL', 'PUBLIC_API_HOST']
  const secret = Object.keys(envSchema.shape).filter(
    (name) => /(KEYS?|SECRET|JWT|PASSWORD|TOKEN|_URLS?|ACCESS_KEY)$/.test(name) && !NOT_SECRET.includes(name),
  )
  expect(secret.filter((name) => !SECRET_SETTINGS.includes(name))).toEqual([])
})
