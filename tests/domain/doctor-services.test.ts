import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ResolveTxt } from '../../scripts/doctor/check.ts'
import { mailServer } from '../../scripts/doctor/checks/mail-server.ts'
import { origin } from '../../scripts/doctor/checks/origin.ts'
import { passkeys } from '../../scripts/doctor/checks/passkeys.ts'
import { senderDomain } from '../../scripts/doctor/checks/sender-domain.ts'
import { services } from '../../scripts/doctor/checks/services.ts'
import { storage } from '../../scripts/doctor/checks/storage.ts'
import { stripe } from '../../scripts/doctor/checks/stripe.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { dns, find, makeFolder, smtpUrl, startSilentServer } from '../support/doctor.ts'
import { startSmtpServer } from '../support/mail-servers.ts'
import { bucketSettings, listen, startObjectServer } from '../support/object-server.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>

beforeAll(async () => {
  smtp = await startSmtpServer({ tls: 'none', host: '127.0.0.1' })
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

describe('the mail server', () => {
  test('one that refuses the login is wrong, and the password it repeats is not shown', async () => {
    const [found] = await find(mailServer, { settings: { SMTP_URL: smtpUrl(smtp, 'not the password') } })
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
    await find(mailServer, { settings: { SMTP_URL: smtpUrl(smtp) } })
    expect(smtp.inbox).toEqual([])
    const settings = { SMTP_URL: smtpUrl(smtp), MAIL_FROM: 'Shop <hello@shop.gallery.io>' }
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
    const settings = bucketSettings(server)
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
  ])('passkeys at %s %s for the domain “%s” are %s', async (ORIGIN, CLAIM_ORIGIN, PASSKEY_RP_ID, verdict) => {
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
