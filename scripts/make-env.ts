// npm run make-env -- --origin https://gifts.example.com [--to <folder>]: writes the settings of a new installation
// with secrets of its own. vitrine.env is for web, worker and commands; .env has what compose.yaml itself needs, the
// database owner's password among it.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { writeNewFile } from './write-new-file.ts'

/** Browsers trust pages of this machine without https. */
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const { origin, to } = parseArgs({
  options: { origin: { type: 'string' }, to: { type: 'string', default: '.' } },
}).values
const site = siteOf(origin)

const operatorKey = `0x${randomBytes(32).toString('hex')}` as const
const password = () => randomBytes(24).toString('base64url')
const settings = {
  ORIGIN: site.origin,
  DATABASE_URL: `postgres://vitrine_run:${password()}@postgres:5432/vitrine`,
  SERVER_KEY: randomBytes(32).toString('hex'),
  VOUCHER_KEY: randomBytes(32).toString('hex'),
  NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
  OPERATOR_KEYS: operatorKey,
  HEALTH_KEY: password(),
  RPC_URLS: '',
  CONTRACTS: '',
  SMTP_URL: '',
  MAIL_FROM: `Vitrine <hello@${site.hostname}>`,
  OPERATOR_EMAIL: '',
  BACKUP_PUBLIC_KEY: '',
}
const ofCompose = { SITE: site.origin, POSTGRES_PASSWORD: password() }

const files = { 'vitrine.env': settings, '.env': ofCompose }
// Never over a file that is there: its secrets may be in use.
for (const name of Object.keys(files))
  if (fs.existsSync(path.join(to, name))) fail(`${path.join(to, name)} is there already. Nothing was changed.`)
fs.mkdirSync(to, { recursive: true })
for (const [name, values] of Object.entries(files)) write(name, values)
console.log(
  `vitrine.env and .env are in ${path.resolve(to)}. Keep a copy of vitrine.env apart from the backups: without SERVER_KEY open claims are lost.`,
)
console.log(
  `Set RPC_URLS, SMTP_URL and MAIL_FROM in vitrine.env (.env.example describes every setting), and send coins for gas to ${privateKeyToAddress(operatorKey)}.`,
)

/**
 * Where it will be reached. Ends the program for anything but a scheme and a host, and without https for other
 * machines.
 */
function siteOf(given: string | undefined): URL {
  const example = 'npm run make-env -- --origin https://gifts.example.com'
  if (given === undefined) fail(`Say where it will be reached: ${example}`)
  if (!URL.canParse(given) || !/^https?:\/\//i.test(given))
    fail(`${given} is not a URL. It begins with https://: ${example}`)
  const url = new URL(given)
  if (url.protocol === 'http:' && !LOCAL.test(url.hostname))
    fail(`${given}: wallets, passkeys and card payments need https. Give https://${url.host}; a proxy may end TLS.`)
  if (url.origin !== given) fail(`${given} has more than a scheme and a host. Give ${url.origin}`)
  return url
}

function write(name: string, values: Record<string, string>): void {
  const lines = Object.entries(values).map(([key, value]) => `${key}=${quoted(value)}\n`)
  writeNewFile(path.join(to, name), lines.join(''))
}

/** As a shell, Docker Compose, systemd and Node read it alike. */
function quoted(value: string): string {
  return /^[\w./:@%+,=-]*$/.test(value) ? value : `'${value}'`
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
