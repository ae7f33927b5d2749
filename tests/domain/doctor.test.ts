import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import type { Check, Finding } from '../../scripts/doctor/check.ts'
import { clock } from '../../scripts/doctor/checks/clock.ts'
import { contracts } from '../../scripts/doctor/checks/contracts.ts'
import { database } from '../../scripts/doctor/checks/database.ts'
import { logins } from '../../scripts/doctor/checks/logins.ts'
import { mailServer } from '../../scripts/doctor/checks/mail-server.ts'
import { migrations } from '../../scripts/doctor/checks/migrations.ts'
import { nodeFinding } from '../../scripts/doctor/checks/machine.ts'
import { nodes } from '../../scripts/doctor/checks/nodes.ts'
import { operators } from '../../scripts/doctor/checks/operators.ts'
import { passkeys } from '../../scripts/doctor/checks/passkeys.ts'
import { senderDomain } from '../../scripts/doctor/checks/sender-domain.ts'
import { settings as settingsCheck } from '../../scripts/doctor/checks/settings.ts'
import { storage } from '../../scripts/doctor/checks/storage.ts'
import { remedyFor } from '../../scripts/doctor/remedy.ts'
import { isInOrder } from '../../scripts/doctor/report.ts'
import { CHECKS, runChecks } from '../../scripts/doctor/run-checks.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { dns, find, makeFolder, makeSubject, smtpUrl, startSilentServer } from '../support/doctor.ts'
import { startSmtpServer } from '../support/mail-servers.ts'
import { listen } from '../support/object-server.ts'

let local: TestChain

beforeAll(async () => {
  local = await startChain()
})

test('where everything is right, the checks find nothing wrong', async () => {
  const web = await listen((_request, response) => response.end('{"live":true}'))
  const folder = makeFolder()
  const settings = {
    ...local.env,
    SMTP_URL: smtpUrl(await startSmtpServer({ tls: 'none', host: '127.0.0.1' })),
    MAIL_FROM: 'Shop <hello@shop.gallery.io>',
    MEDIA_DIR: folder,
    ORIGIN: web.replace('127.0.0.1', 'localhost'),
  }
  const resolveTxt = dns({
    'shop.gallery.io': ['google-site-verification=1', 'v=spf1 include:mail.example -all'],
    'k1._domainkey.shop.gallery.io': ['v=DKIM1; k=rsa; p=MIGf'],
    '_dmarc.gallery.io': ['v=DMARC1; p=reject'],
  })
  const subject = makeSubject({ settings, resolveTxt, dkimSelector: 'k1' })
  const checks = CHECKS.filter((check) => check !== logins && check !== migrations)
  const report = await runChecks(subject, 30_000, checks)
  expect(report.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'wrong')).toEqual([])
  for (const check of [database, nodes, contracts, operators, mailServer, senderDomain, storage, clock])
    expect(report.find(({ check: name }) => name === check.name)!.findings, check.name).toSatisfy(
      (findings: Finding[]) => findings.length > 0 && findings.every(({ verdict }) => verdict === 'ok'),
    )
  expect(fs.readdirSync(folder)).toEqual([])
})

test('a check that fails or never ends is a finding, and the others are there', async () => {
  const checks: Check[] = [
    { name: 'hangs', run: () => new Promise(() => undefined) },
    { name: 'fails', run: () => Promise.reject(new Error('broken')) },
    passkeys,
  ]
  const report = await runChecks(makeSubject(), 50, checks)
  expect(report.map(({ check, findings }) => [check, findings[0]?.verdict])).toEqual([
    ['hangs', 'wrong'],
    ['fails', 'wrong'],
    ['passkeys', 'warning'],
  ])
})

test('warnings leave a report in order unless it is strict', () => {
  const report = (verdict: Finding['verdict']) => [
    { check: 'one', findings: [{ verdict, subject: '', detail: '', remedy: null }] },
  ]
  expect((['ok', 'warning', 'wrong'] as const).map((each) => isInOrder(report(each), false))).toEqual([
    true,
    true,
    false,
  ])
  expect((['ok', 'warning', 'wrong'] as const).map((each) => isInOrder(report(each), true))).toEqual([
    true,
    false,
    false,
  ])
})

test('weak keys and settings that can’t be read are named', async () => {
  const found = await find(settingsCheck, {
    settings: { SERVER_KEY: '1'.repeat(64), PAYMENT_TOKENS: 'nonsense', TRUSTED_PROXIES: 'anybody' },
  })
  for (const name of ['SERVER_KEY', 'PAYMENT_TOKENS', 'TRUSTED_PROXIES'])
    expect(found).toContainEqual(expect.stringMatching(`^wrong .*${name}`))
})

describe('the database', () => {
  const ownerUrl = process.env.MIGRATE_DATABASE_URL ?? process.env.DATABASE_URL!
  const withOwner = { settings: { MIGRATE_DATABASE_URL: ownerUrl } }

  async function asOwner(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  test('a replica that is another database, doesn’t answer or lets nobody in is wrong', async () => {
    const url = process.env.DATABASE_URL!
    const look = async (replica: string) => (await find(database, { settings: { DATABASE_READ_URL: replica } }))[1]
    expect(await look(url)).toMatch(/^ok DATABASE_READ_URL: It is the primary itself/)
    expect(await look('postgresql://shop:secret@127.0.0.1:1/vitrine')).toMatch(
      /^wrong DATABASE_READ_URL: .*→ Nothing listens there/,
    )
    const silent = `postgresql://shop:secret@127.0.0.1:${await startSilentServer()}/vitrine`
    const late = await find(database, { settings: { DATABASE_READ_URL: silent }, timeoutMs: 200 })
    expect(late[1]).toMatch(/^wrong DATABASE_READ_URL: /)
  })

  test('a login that owns a table is wrong', async () => {
    const [user] = await systemClient().$queryRaw<{ login: string }[]>(Prisma.sql`SELECT session_user::text AS login`)
    await asOwner('CREATE TABLE left_over (id int)', `ALTER TABLE left_over OWNER TO "${user!.login}"`)
    const found = await find(logins)
    await asOwner('DROP TABLE left_over')
    expect(found).toContainEqual(expect.stringMatching(`^wrong logins: .*${user!.login}`))
  })

  test('migrations that are missing, changed or of a newer version are named', async () => {
    for (const given of [withOwner, {}]) expect(await find(migrations, given)).toEqual([expect.stringMatching(/^ok /)])
    const first = `migration_name = (SELECT min(migration_name) FROM _prisma_migrations)`
    await asOwner(`UPDATE _prisma_migrations SET checksum = reverse(checksum) WHERE ${first}`)
    for (const given of [withOwner, {}])
      expect(await find(migrations, given)).toEqual([expect.stringMatching(/^wrong migrations: .* was changed/)])
    await asOwner(
      `UPDATE _prisma_migrations SET checksum = reverse(checksum) WHERE ${first}`,
      `UPDATE _prisma_migrations SET migration_name = '9' || migration_name WHERE ${first}`,
    )
    expect(await find(migrations, withOwner)).toEqual([
      expect.stringMatching(/^wrong migrations: 1 are missing.*npm run migrate/),
      expect.stringMatching(/^wrong migrations: The database has 9.*newer version/),
    ])
    await asOwner(
      `UPDATE _prisma_migrations SET migration_name = substr(migration_name, 2) WHERE migration_name LIKE '9%'`,
    )
  })

  test('a login that owns nothing can’t tell of migrations, and says which one can', async () => {
    const login = `doctor_${randomBytes(6).toString('hex')}`
    const url = Object.assign(new URL(ownerUrl), { username: login, password: 'of-the-login' })
    await asOwner(
      `CREATE ROLE ${login} LOGIN PASSWORD 'of-the-login'`,
      `GRANT CONNECT ON DATABASE ${url.pathname.slice(1)} TO ${login}`,
    )
    const found = await find(migrations, { settings: { MIGRATE_DATABASE_URL: url.toString() } })
    await asOwner(`REVOKE CONNECT ON DATABASE ${url.pathname.slice(1)} FROM ${login}`, `DROP ROLE ${login}`)
    expect(found).toEqual([expect.stringMatching(/^warning .*does not own the tables/)])
  })
})

test.each([
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'renewed'],
  ['ESOCKET', "Hostname/IP does not match certificate's altnames", 'another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'NODE_EXTRA_CA_CERTS'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND mail.gallery.io', 'spelling'],
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'Nothing listens'],
  ['28P01', 'password authentication failed', 'user and password'],
  ['ETIMEDOUT', 'Connection timeout', 'Firewalls'],
  ['EUNKNOWN', 'something else', 'Look there.'],
])('the remedy of %s fits its cause', (code, message, words) => {
  const inner = Object.assign(new Error(message), { code })
  expect(remedyFor(inner, 'Look there.')).toContain(words)
  expect(remedyFor(new TypeError('fetch failed', { cause: new AggregateError([inner]) }), 'Look there.')).toContain(
    words,
  )
})

describe('the clock', () => {
  test('one that is two minutes ahead of the database is wrong', async () => {
    onTestFinished(resetClock)
    expect(await find(clock)).toEqual([expect.stringMatching(/^ok /)])
    moveClock(120_000)
    expect(await find(clock)).toEqual([expect.stringMatching(/^wrong .*1[12]\d s ahead of the database/)])
  })

  test('a node whose own clock is wrong changes nothing', async () => {
    const liar = await listen((_request, response) =>
      response.writeHead(200, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end(),
    )
    const right = await listen((_request, response) => response.end())
    const settings = { RPC_URLS: `31337=${liar},${right}` }
    expect(await find(clock, { settings })).toEqual([expect.stringMatching(/^ok /)])
  })
})

test.each([
  ['18.20.0', 'wrong'],
  ['20.18.9', 'wrong'],
  ['22.1.0', 'warning'],
  ['24.0.0', 'ok'],
])('Node %s is %s', (version, verdict) => expect(nodeFinding(version).verdict).toBe(verdict))

describe('npm run doctor', () => {
  const root = path.resolve(import.meta.dirname, '../..')

  /** Runs the command with these settings alone. */
  async function run(settings: Record<string, string>, ...args: string[]) {
    const child = spawn(process.execPath, [path.join(root, 'scripts/doctor.ts'), ...args], {
      cwd: makeFolder(),
      env: {
        NODE_ENV: 'test',
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...settings,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
    const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
    return { code, output }
  }

  test('ends with status 1 where nothing answers, says so of each service, and shows no secret', async () => {
    const silent = await startSilentServer()
    const secrets = {
      SERVER_KEY: '3f9a0c71d5b84e26a9f1c0e7b2d4586930a1f7c2e8b64d059371ae2cf0854b6d',
      OPERATOR_KEYS: local.operatorKey,
      STRIPE_SECRET_KEY: 'sk_test_51SecretOfTheShop',
      S3_SECRET_ACCESS_KEY: 'secret-of-the-bucket',
    }
    const password = 'secretofthedatabase'
    const { code, output } = await run(
      {
        ...secrets,
        DATABASE_URL: `postgresql://shop:${password}@127.0.0.1:1/vitrine`,
        MIGRATE_DATABASE_URL: `postgresql://owner:${password}@127.0.0.1:${silent}/vitrine`,
        RPC_URLS: `31337=http://127.0.0.1:${silent}/v3/${password}`,
        SMTP_URL: `smtp://shop:${password}@127.0.0.1:${silent}`,
        STRIPE_API_BASE: 'http://127.0.0.1:1',
        ORIGIN: `http://127.0.0.1:${silent}`,
        S3_BUCKET: 'pictures',
        S3_ACCESS_KEY_ID: 'AKIA',
        S3_ENDPOINT: 'http://127.0.0.1:1',
        MAIL_FROM: 'hello@example.com',
      },
      ...['--json', '--timeout', '1'],
    )
    expect(code).toBe(1)
    const findings = JSON.parse(output) as (Finding & { check: string })[]
    for (const name of ['database', 'migrations', 'nodes', 'mail server', 'Stripe', 'storage', 'addresses'])
      expect(
        findings.filter(({ check }) => check === name).map(({ verdict }) => verdict),
        name,
      ).toContain('wrong')
    for (const secret of [...Object.values(secrets), password]) expect(output).not.toContain(secret)
  })

  test('names settings that are not valid, and shows none of their values', async () => {
    const { code, output } = await run({ MAX_FEE_GWEI: 'plenty', SERVER_KEY_FILE: '/nowhere/key' })
    expect(code).toBe(1)
    expect(output).toMatch(/WRONG .*settings/)
    expect(output).toContain('SERVER_KEY_FILE')
  })
})
