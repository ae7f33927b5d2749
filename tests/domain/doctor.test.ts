import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { readEnv } from '../../lib/core/env.ts'
import { systemClient } from '../../lib/db/client.ts'
import type { Check, Finding, ResolveTxt, Subject } from '../../scripts/doctor/check.ts'
import { clock } from '../../scripts/doctor/checks/clock.ts'
import { contracts } from '../../scripts/doctor/checks/contracts.ts'
import { database } from '../../scripts/doctor/checks/database.ts'
import { logins } from '../../scripts/doctor/checks/logins.ts'
import { mailServer } from '../../scripts/doctor/checks/mail-server.ts'
import { migrations } from '../../scripts/doctor/checks/migrations.ts'
import { nodeFinding } from '../../scripts/doctor/checks/machine.ts'
import { nodes } from '../../scripts/doctor/checks/nodes.ts'
import { operators } from '../../scripts/doctor/checks/operators.ts'
import { origin } from '../../scripts/doctor/checks/origin.ts'
import { passkeys } from '../../scripts/doctor/checks/passkeys.ts'
import { senderDomain } from '../../scripts/doctor/checks/sender-domain.ts'
import { services } from '../../scripts/doctor/checks/services.ts'
import { settings as settingsCheck } from '../../scripts/doctor/checks/settings.ts'
import { storage } from '../../scripts/doctor/checks/storage.ts'
import { stripe } from '../../scripts/doctor/checks/stripe.ts'
import { quoting } from '../../scripts/doctor/quote.ts'
import { remedyFor } from '../../scripts/doctor/remedy.ts'
import { isInOrder } from '../../scripts/doctor/report.ts'
import { CHECKS, runChecks } from '../../scripts/doctor/run-checks.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { startFakeNode } from '../support/fake-node.ts'
import { SMTP_PASSWORD, SMTP_USER, startSmtpServer } from '../support/mail-servers.ts'
import { listen, startObjectServer } from '../support/object-server.ts'

type Given = Partial<Omit<Subject, 'settings' | 'quote'>> & { settings?: Record<string, string> }

/** Settings that name nothing but this test file's database. `settings` replaces or adds some. */
function makeSubject({ settings = {}, ...rest }: Given = {}): Subject {
  const read = readEnv({
    DATABASE_URL: process.env.DATABASE_URL,
    SERVER_KEY: 'a1'.repeat(32),
    OPERATOR_EMAIL: 'ops@gallery.io',
    ...settings,
  })
  return {
    settings: read,
    mailTo: null,
    dkimSelector: null,
    resolveTxt: dns({}),
    now,
    timeoutMs: 10_000,
    quote: quoting(read),
    ...rest,
  }
}

/** A DNS with these TXT records. */
const dns =
  (records: Record<string, string[]>): ResolveTxt =>
  (name) =>
    records[name]
      ? Promise.resolve(records[name])
      : Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))

/** What a check finds, as verdict and text in one line each. */
async function find(check: Check, given: Given = {}): Promise<string[]> {
  const lineOf = ({ verdict, subject, detail, remedy }: Finding) =>
    [verdict, `${subject}:`, detail, ...(remedy ? ['→', remedy] : [])].join(' ')
  return (await check.run(makeSubject(given))).map(lineOf)
}

/** A server that takes connections and never says anything. */
async function startSilentServer(): Promise<number> {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function makeFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-doctor-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  return folder
}

const SEPOLIA = 11_155_111

/** A node of Sepolia whose latest block has this age; `final` is its answer about the final block. */
const startSepoliaNode = (
  ageSeconds: number,
  final: { result: unknown } | { error: { code: number; message: string } },
) =>
  startFakeNode(
    (method, [at]) =>
      method === 'eth_getBlockByNumber'
        ? at === 'finalized'
          ? final
          : {
              result: {
                number: '0x10',
                timestamp: `0x${(Math.floor(now().getTime() / 1000) - ageSeconds).toString(16)}`,
              },
            }
        : method === 'eth_getCode'
          ? { result: '0x' }
          : { result: '0x0' },
    { chainId: `0x${SEPOLIA.toString(16)}` },
  )
const FINAL = { result: { number: '0x8', timestamp: '0x1' } }

let local: TestChain
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
const smtpUrl = (password = SMTP_PASSWORD) =>
  `smtp://${SMTP_USER}:${encodeURIComponent(password)}@127.0.0.1:${smtp.port}`

beforeAll(async () => {
  local = await startChain()
  smtp = await startSmtpServer({ tls: 'none', host: '127.0.0.1' })
})

test('where everything is right, the checks find nothing wrong', async () => {
  const web = await listen((_request, response) => response.end('{"live":true}'))
  const folder = makeFolder()
  const settings = {
    ...local.env,
    SMTP_URL: smtpUrl(),
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

describe('nodes', () => {
  test('one of another chain is wrong, also beside a right one', async () => {
    const other = await startFakeNode(() => ({ result: { number: '0x1', timestamp: '0x1' } }), { chainId: '0x5' })
    const found = await find(nodes, { settings: { RPC_URLS: `31337=${local.rpcUrl},${other.url}` } })
    expect(found).toEqual([
      expect.stringMatching(/^ok /),
      expect.stringMatching(/^wrong .*of the chain 5, not of 31337/),
    ])
  })

  test('one that never answers is wrong alone, and a warning beside one that answers', async () => {
    const hung = `http://127.0.0.1:${await startSilentServer()}`
    expect(await find(nodes, { settings: { RPC_URLS: `31337=${hung}` }, timeoutMs: 100 })).toEqual([
      expect.stringMatching(/^wrong .*does not answer/),
    ])
    expect(await find(nodes, { settings: { RPC_URLS: `31337=${hung},${local.rpcUrl}` }, timeoutMs: 2_000 })).toEqual([
      expect.stringMatching(/^warning .*does not answer/),
      expect.stringMatching(/^ok /),
    ])
  })

  test('one that knows no final block is wrong, unless the network is final by depth', async () => {
    const none = await startSepoliaNode(10, { result: null })
    const refuses = await startSepoliaNode(10, { error: { code: -32602, message: 'unknown block tag' } })
    for (const { url } of [none, refuses])
      expect(await find(nodes, { settings: { RPC_URLS: `${SEPOLIA}=${url}` } })).toEqual([
        expect.stringMatching(/^ok /),
        expect.stringMatching(/^wrong .*FINAL_BY_DEPTH/),
      ])
    const byDepth = { RPC_URLS: `${SEPOLIA}=${none.url}`, FINAL_BY_DEPTH: String(SEPOLIA) }
    expect(await find(nodes, { settings: byDepth })).toEqual([expect.stringMatching(/^ok /)])
  })

  test.each([
    [10, 'ok'],
    [900, 'warning'],
    [7200, 'wrong'],
  ])('a latest block %d s old is %s', async (ageSeconds, verdict) => {
    const { url } = await startSepoliaNode(ageSeconds, FINAL)
    const [age] = await find(nodes, { settings: { RPC_URLS: `${SEPOLIA}=${url}` } })
    expect(age).toMatch(new RegExp(`^${verdict} `))
  })

  test('a contract without code is wrong, and a network without contracts a warning', async () => {
    const { url } = await startSepoliaNode(10, FINAL)
    const address = local.contracts.factory
    const settings = { RPC_URLS: `${SEPOLIA}=${url}`, CONTRACTS: `${SEPOLIA}=${address},${address},${address}` }
    expect(await find(contracts, { settings })).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(`^wrong .*no contract at ${address}`)),
    )
    expect(await find(contracts, { settings: { RPC_URLS: settings.RPC_URLS } })).toEqual([
      expect.stringMatching(/^warning .*deploy-contracts/),
    ])
  })

  test('an operator without coins is wrong, one below the floor a warning', async () => {
    const { url } = await startSepoliaNode(10, FINAL)
    const settings = { OPERATOR_KEYS: local.operatorKey, RPC_URLS: `${SEPOLIA}=${url};31337=${local.rpcUrl}` }
    const high = { ...settings, OPERATOR_FLOOR_GWEI: '20000000000000' }
    expect(await find(operators, { settings })).toEqual([
      expect.stringMatching(`^wrong ${local.operator.address} on Sepolia`),
      expect.stringMatching(/^ok /),
    ])
    expect((await find(operators, { settings: high }))[1]).toMatch(/^warning .*OPERATOR_FLOOR_GWEI/)
  })

  test('a key in a node’s URL is never shown', async () => {
    const key = 'k3y0f0urn0dethatn0b0dysees'
    const settings = {
      RPC_URLS: `${SEPOLIA}=http://user:${key}@127.0.0.1:1/v3/${key}?k=${key}`,
      OPERATOR_KEYS: local.operatorKey,
    }
    const found = [
      ...(await find(nodes, { settings })),
      ...(await find(operators, { settings })),
      ...(await find(contracts, { settings })),
    ]
    expect(found.length).toBeGreaterThan(2)
    expect(found.join('\n')).not.toContain(key)
  })
})

describe('services', () => {
  const startAnswering = (body: string) => listen((_, response) => void response.end(body))

  test('an address of any setting where nothing answers is wrong, and one that answers is right', async () => {
    const url = await startAnswering('')
    const look = (at: string) =>
      find(services, {
        settings: {
          OPERATOR_WEBHOOK_URL: at,
          OPERATOR_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
          PINNING_KUBO_URL: at,
          PINNING_PINATA_URL: at,
          PINNING_PINATA_JWT: 'jwt',
          IPFS_GATEWAY: at,
          MAILGUN_API_BASE: at,
        },
      })
    expect(await look(url)).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/^ok /)))
    expect(await look(`http://127.0.0.1:${await freePort()}`)).toEqual(
      Array.from({ length: 5 }, () => expect.stringMatching(/^wrong .*→ Nothing listens there/)),
    )
  })

  test('a sign-in provider that calls itself otherwise is wrong', async () => {
    const look = async (body: string) =>
      (await find(services, { settings: { OIDC_ISSUER: await startAnswering(body) } }))[0]
    expect(await look('{"issuer":"https://login.gallery.io"}')).toMatch(/^wrong OIDC_ISSUER: .*login\.gallery\.io/)
    expect(await look('<p>Hello</p>')).toMatch(/^wrong OIDC_ISSUER: .*can’t be read/)
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

describe('the mail server', () => {
  test('one that refuses the login is wrong, and the password it repeats is not shown', async () => {
    const [found] = await find(mailServer, { settings: { SMTP_URL: smtpUrl('not the password') } })
    expect(found).toMatch(/^wrong .*refuses the login: .*5\.7\.8/)
    expect(found).not.toContain('not the password')
  })

  test('one that says nothing, and one whose certificate is not valid, are wrong', async () => {
    const silent = await startSilentServer()
    const selfSigned = await startSmtpServer({ tls: 'start', host: '127.0.0.1' })
    for (const url of [`smtp://127.0.0.1:${silent}`, `smtps://127.0.0.1:${selfSigned.port}`, 'smtp://127.0.0.1:1'])
      expect(await find(mailServer, { settings: { SMTP_URL: url }, timeoutMs: 500 }), url).toEqual([
        expect.stringMatching(/^wrong /),
      ])
    expect((await find(mailServer))[0]).toMatch(/^wrong .*SMTP_URL/)
  })

  test('a test mail is sent to the address that was given, and only then', async () => {
    await find(mailServer, { settings: { SMTP_URL: smtpUrl() } })
    expect(smtp.inbox).toEqual([])
    const settings = { SMTP_URL: smtpUrl(), MAIL_FROM: 'Shop <hello@shop.gallery.io>' }
    const found = await find(mailServer, { settings, mailTo: 'ada@example.com' })
    expect(found.map((line) => line.split(' ')[0])).toEqual(['ok', 'ok'])
    expect(smtp.inbox).toMatchObject([{ from: 'Shop <hello@shop.gallery.io>', to: ['ada@example.com'] }])
    smtp.state.refusal = { at: 'rcpt', code: 550, text: '5.7.1 Not as this sender.' }
    const refused = await find(mailServer, { settings, mailTo: 'ada@example.com' })
    smtp.state.refusal = null
    expect(refused[1]).toMatch(/^wrong .*Not as this sender/)
  })
})

describe('the sender’s domain', () => {
  const settings = { MAIL_FROM: 'Shop <hello@gallery.io>' }
  const look = (resolveTxt: ResolveTxt, dkimSelector: string | null = 'k1') =>
    find(senderDomain, { settings, resolveTxt, dkimSelector })

  test('records that are missing are named, with what to add', async () => {
    expect(await look(dns({}))).toEqual([
      expect.stringMatching(/^warning SPF: Not found.*v=spf1/),
      expect.stringMatching(/^wrong DKIM: Not found at k1\._domainkey\.gallery\.io/),
      expect.stringMatching(/^warning DMARC: Not found.*_dmarc\.gallery\.io/),
    ])
    expect((await look(dns({}), null))[1]).toMatch(/^warning DKIM: .*--dkim-selector/)
  })

  test('two SPF records, a revoked DKIM key and records of something else don’t count', async () => {
    const [spf, dkim, dmarc] = await look(
      dns({
        'gallery.io': ['v=spf1 -all', 'v=spf1 include:a -all'],
        'k1._domainkey.gallery.io': ['v=DKIM1; p='],
        '_dmarc.gallery.io': ['v=spf1 -all'],
      }),
    )
    expect([spf, dkim, dmarc]).toEqual([
      expect.stringMatching(/^wrong SPF: .*2 SPF records/),
      expect.stringMatching(/^wrong DKIM: .*revoked/),
      expect.stringMatching(/^warning DMARC/),
    ])
  })

  test('a DNS that fails is a warning, and never “not found”', async () => {
    const found = await look(() =>
      Promise.reject(Object.assign(new Error('queryTxt ESERVFAIL'), { code: 'ESERVFAIL' })),
    )
    for (const line of found) expect(line).toMatch(/^warning .*did not answer: queryTxt ESERVFAIL/)
  })

  test('a sender that nobody accepts mail from is wrong', async () => {
    for (const MAIL_FROM of ['Vitrine <hello@vitrine.localhost>', 'a@example.com', 'nobody'])
      expect((await find(senderDomain, { settings: { MAIL_FROM } }))[0], MAIL_FROM).toMatch(/^wrong MAIL_FROM/)
  })
})

describe('Stripe', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_51SecretOfTheShop',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  }

  /** A Stripe that has these webhook endpoints. */
  const startStripe = (endpoints: object[], status = 200) =>
    listen((request, response) =>
      response
        .writeHead(request.url?.startsWith('/v1/webhook_endpoints') ? status : 404, {
          'content-type': 'application/json',
        })
        .end(
          JSON.stringify(
            status === 200
              ? { object: 'list', data: endpoints, has_more: false, url: '/v1/webhook_endpoints' }
              : {
                  error: {
                    type: 'invalid_request_error',
                    message: `Invalid API Key provided: ${keys.STRIPE_SECRET_KEY}`,
                  },
                },
          ),
        ),
    )
  const endpoint = (more: object = {}) => ({
    id: 'we_1',
    object: 'webhook_endpoint',
    url: 'https://gallery.io/webhooks/cards/stripe',
    status: 'enabled',
    enabled_events: ['*'],
    ...more,
  })
  const look = async (endpoints: object[], more: Record<string, string> = {}, status = 200) =>
    find(stripe, {
      settings: {
        ...keys,
        ORIGIN: 'https://gallery.io',
        STRIPE_API_BASE: await startStripe(endpoints, status),
        ...more,
      },
    })

  test('keys of one mode and a webhook with all events are right', async () => {
    expect(await look([endpoint({ url: 'https://elsewhere.io' }), endpoint()])).toEqual([expect.stringMatching(/^ok /)])
  })

  test('a webhook that is missing, disabled or lacks events is wrong', async () => {
    expect(await look([endpoint({ url: 'https://gallery.io/other' })])).toEqual([
      expect.stringMatching(/^wrong .*no webhook/),
    ])
    expect(await look([endpoint({ status: 'disabled' })])).toEqual([expect.stringMatching(/^wrong .*disabled/)])
    expect(await look([endpoint({ enabled_events: ['payment_intent.succeeded'] })])).toEqual([
      expect.stringMatching(/^wrong .*lacks .*charge\.dispute\.created/),
    ])
  })

  test('keys of two modes, and a missing signing secret, are wrong', async () => {
    expect(await look([endpoint()], { STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: '' })).toEqual([
      expect.stringMatching(/^wrong STRIPE_PUBLISHABLE_KEY: The secret key is a TEST key/),
      expect.stringMatching(/^wrong STRIPE_WEBHOOK_SECRET/),
      expect.stringMatching(/^ok /),
    ])
  })

  test('a key that Stripe refuses is wrong, and not shown', async () => {
    const found = await look([], {}, 401)
    expect(found).toEqual([expect.stringMatching(/^wrong STRIPE_SECRET_KEY: .*Invalid API Key/)])
    expect(found.join()).not.toContain('SecretOfTheShop')
  })
})

describe('storage', () => {
  test('a folder that can’t be written is wrong', async () => {
    const file = path.join(makeFolder(), 'file')
    fs.writeFileSync(file, '')
    expect(await find(storage, { settings: { MEDIA_DIR: file } })).toEqual([expect.stringMatching(/^wrong MEDIA_DIR/)])
  })

  test('a bucket that keeps what it gets is right, one that loses it or is down is wrong', async () => {
    const server = await startObjectServer('pictures')
    const settings = {
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: server.url,
      S3_ACCESS_KEY_ID: 'AKIA',
      S3_SECRET_ACCESS_KEY: 'hidden',
    }
    expect(await find(storage, { settings })).toEqual([expect.stringMatching(/^ok /)])
    expect(server.objects.size).toBe(0)
    server.objects.set = () => server.objects
    expect(await find(storage, { settings })).toEqual([expect.stringMatching(/^wrong .*not what is read/)])
    server.down = true
    expect(await find(storage, { settings })).toEqual([expect.stringMatching(/^wrong S3_BUCKET/)])
  })
})

describe('addresses', () => {
  const look = (ORIGIN: string, timeoutMs = 10_000) => find(origin, { settings: { ORIGIN }, timeoutMs })

  test('a redirect to another host, and what is not our web process, are wrong', async () => {
    const redirect = await listen((_request, response) =>
      response.writeHead(301, { location: 'https://www.gallery.io/health/live' }).end(),
    )
    expect(await look(redirect)).toContainEqual(
      expect.stringMatching(/^wrong ORIGIN: It redirects to www\.gallery\.io/),
    )
    for (const body of ['Welcome to nginx!', '{"live":false}', 'null', 'x'.repeat(100_000)]) {
      const other = await listen((_request, response) => response.end(body))
      expect(await look(other)).toContainEqual(expect.stringMatching(/^wrong ORIGIN: Something else/))
    }
  })

  test('an address where nothing answers, or nothing in time, is wrong', async () => {
    for (const port of [1, await startSilentServer()])
      expect(await look(`http://127.0.0.1:${port}`, 300)).toContainEqual(
        expect.stringMatching(/^wrong ORIGIN: Nothing answers/),
      )
  })

  test('plain http at a public name is wrong, and a path is too', async () => {
    expect(await look('http://gallery.invalid/shop/')).toEqual([
      expect.stringMatching(/^wrong ORIGIN: .*scheme and a host only.*http:\/\/gallery\.invalid$/),
      expect.stringMatching(/^wrong ORIGIN: Without https/),
      expect.stringMatching(/^wrong ORIGIN: Nothing answers/),
    ])
  })

  test.each([
    ['https://shop.gallery.io', '', '', 'warning'],
    ['https://shop.gallery.io', '', 'gallery.io', 'ok'],
    ['https://shop.gallery.io', '', 'ery.io', 'wrong'],
    ['https://shop.gallery.io', '', 'other.io', 'wrong'],
    ['https://shop.gallery.io', 'https://gifts.gallery.io', 'gallery.io', 'ok'],
    ['https://192.0.2.1', '', '', 'wrong'],
  ])('passkeys at %s %s for the domain “%s”: %s', async (ORIGIN, CLAIM_ORIGIN, PASSKEY_RP_ID, verdict) => {
    const [found] = await find(passkeys, { settings: { ORIGIN, CLAIM_ORIGIN, PASSKEY_RP_ID } })
    expect(found).toMatch(new RegExp(`^${verdict} `))
  })

  test('pages of another domain need to be named by the passkeys’ own one', async () => {
    const moved = { ORIGIN: 'https://new.io', CLAIM_ORIGIN: '', PASSKEY_RP_ID: 'gallery.io' }
    const found = async (PASSKEY_ORIGINS: string) => find(passkeys, { settings: { ...moved, PASSKEY_ORIGINS } })
    expect(await found('https://other.io')).toEqual([
      expect.stringMatching(/^wrong .*nobody can make or open a wallet/),
    ])
    expect(await found('https://new.io')).toEqual([expect.stringMatching(/^ok .*gallery\.io\/\.well-known\/webauthn/)])
  })
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
