import { globSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { readEnv } from '../../lib/core/env.ts'
import { admit, type FrontServerSettings } from '../../lib/platform/http/front-server.ts'
import { type Application, withHead } from '../../lib/platform/http/http-server.ts'
import { sendRaw } from '../support/send-raw.ts'
import { settings, startWebServer } from '../support/web-server.ts'

const root = path.resolve(import.meta.dirname, '../..')
const urlsOf = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => `/${path.dirname(file).replace(/^app\/?/, '')}`.replace(/\[[.\w]+\]/g, 'x'))
    .sort()
const PAGES = [...urlsOf('app/**/page.tsx'), '/docs/reference']
const PUBLIC_PAGES = ['/c/x', '/i/x', '/o/x']
const RECIPIENT_PAGES = ['/claim/x', '/claims', '/h/x', '/l/x', '/p/x', '/wallet']

const apart: FrontServerSettings = {
  ...settings,
  claimOrigin: 'https://gifts.vitrine.example',
  publicApiHost: 'api.vitrine.example',
}
const ask = (url: string, host = 'vitrine.example', headers: Record<string, string> = {}, method = 'GET') =>
  admit(apart, { method, url, socketAddress: '203.0.113.7', headers: { host, ...headers } })
const statusOf = (admission: ReturnType<typeof admit>) =>
  admission.kind === 'answer' ? admission.response.status : 'passed'

test('the pages of recipients and buyers are those this suite knows', () => {
  expect(PAGES).toEqual(expect.arrayContaining(RECIPIENT_PAGES))
  expect(PAGES.length).toBeGreaterThan(50)
})

describe('CLAIM_ORIGIN', () => {
  test('its host serves the recipients’ pages, what they call, and nothing else', () => {
    const host = 'gifts.vitrine.example'
    for (const url of [
      ...RECIPIENT_PAGES,
      '/public/v1/email-claims/x',
      '/media/a-full.webp',
      '/_next/static/a.js',
      '/embed.js',
      '/.well-known/webauthn',
    ])
      expect([url, statusOf(ask(url, host))]).toEqual([url, 'passed'])
    const others = PAGES.filter((url) => !RECIPIENT_PAGES.includes(url) && !PUBLIC_PAGES.includes(url))
    const tricks = [
      '//dashboard',
      '/claim/../dashboard',
      '/claim/%2e%2e/dashboard',
      '/claimed',
      '/public\\..\\dashboard',
      '/%64ashboard',
      '/claim/%2e./%64ashboard',
    ]
    for (const url of [
      ...others,
      ...tricks,
      '/v1/me',
      '/api/auth/session',
      '/webhooks/cards/stripe',
      '/openapi/admin.json',
    ])
      for (const name of [host, 'GIFTS.vitrine.example.:443'])
        for (const method of ['GET', 'POST']) expect([url, statusOf(ask(url, name, {}, method))]).toEqual([url, 404])
  })

  test('public pages, which the recipients’ pages lead to, redirect to ORIGIN', () => {
    expect(PAGES).toEqual(expect.arrayContaining(PUBLIC_PAGES))
    for (const url of [...PUBLIC_PAGES, '/c/x?cursor=a']) {
      const admission = ask(url, 'gifts.vitrine.example')
      if (admission.kind !== 'answer') throw new Error(`${url} is served there.`)
      const { status, headers } = admission.response
      expect([status, headers.get('location')]).toEqual([308, `https://vitrine.example${url}`])
    }
  })

  test('everywhere else the recipients’ pages redirect there, with their path and query', async () => {
    for (const host of ['vitrine.example', '203.0.113.1', 'unheard.example'])
      for (const url of ['/claim/tok_en-1?from=%6dail', '/wallet', '/l/x?embed=1', '/p/x'])
        for (const method of ['GET', 'POST']) {
          const admission = ask(url, host, {}, method)
          if (admission.kind !== 'answer') throw new Error(`${url} is served at ${host}.`)
          const { status, headers } = admission.response
          expect([status, headers.get('location')]).toEqual([308, `https://gifts.vitrine.example${url}`])
          expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store'])
        }
    for (const url of ['/dashboard', '/public/v1/networks', '/sign-in', '/claimed', '/logo'])
      expect([url, statusOf(ask(url))]).toEqual([url, 'passed'])
  })

  test('an escaped path is treated as the plain one', () => {
    const admission = ask('/%63laim/tok%5Fen?a=%63')
    expect(admission.kind === 'answer' && admission.response.headers.get('location')).toBe(
      'https://gifts.vitrine.example/claim/tok_en?a=%63',
    )
    expect(
      admit(settings, { method: 'GET', url: '/v1/items/a%2Fb%25', socketAddress: '::1', headers: {} }),
    ).toMatchObject({
      url: '/v1/items/a%2Fb%25',
    })
  })

  test('a secret path cannot choose where the redirect leads', () => {
    for (const url of [
      '//evil.example/claim/x',
      '/claim/x\r\nset-cookie: a=b',
      '/claim//evil.example',
      '/claim/@evil.example',
    ]) {
      const admission = ask(url)
      if (admission.kind !== 'answer') continue
      const location = admission.response.headers.get('location')
      if (location) expect(new URL(location).origin).toBe('https://gifts.vitrine.example')
    }
  })

  test('its pages load the stored pictures of ORIGIN, and connect to their own host only', () => {
    const admission = ask('/claim/x', 'gifts.vitrine.example')
    const policy = admission.kind === 'pass' ? admission.responseHeaders['content-security-policy']! : ''
    expect(policy).toContain("img-src 'self' data: blob: https://vitrine.example;")
    expect(policy).toContain("connect-src 'self';")
  })

  test('links in mails and in the API lead there', async () => {
    vi.resetModules()
    Object.assign(process.env, {
      ORIGIN: 'https://vitrine.example',
      CLAIM_ORIGIN: 'https://gifts.vitrine.example',
    })
    const { makeOrganization } = await import('../support/organization.ts')
    const { ports } = await import('../../lib/ports/ports.ts')
    const { claimTokenHash } = await import('../../lib/platform/auth/authenticate.ts')
    const { claimTokenOf, claimUrlOf } = await import('../../lib/giving/claim-token.ts')
    const { purchaseUrlOf, secretColumnsOf } = await import('../../lib/selling/purchases/purchase-secret.ts')
    const { callerOf } = await import('../support/call.ts')
    const { makeListing } = await import('../support/listings.ts')
    const { installFakeChain } = await import('../support/claims.ts')
    installFakeChain()
    const organization = await makeOrganization()
    const listing = await makeListing(organization, { units: 1n })
    const shown = await callerOf(organization.key).get(`/v1/listings/${listing.id}`)
    delete process.env.ORIGIN
    delete process.env.CLAIM_ORIGIN
    expect(shown.body.checkout_url).toBe(`https://gifts.vitrine.example/l/${listing.id}`)
    const at = { ports: ports() }
    const claim = { id: listing.id, generation: 1 }
    const purchase = { id: listing.id, secretGeneration: 0 }
    expect(claimUrlOf(at, { ...claim, tokens: [{ hash: claimTokenHash(claimTokenOf(claim)) }] })).toMatch(
      /^https:\/\/gifts\.vitrine\.example\/claim\//,
    )
    expect(purchaseUrlOf(at, { ...purchase, ...secretColumnsOf(purchase) })).toMatch(
      /^https:\/\/gifts\.vitrine\.example\/p\//,
    )
    expect(at.ports.addresses.origin).toBe('https://vitrine.example')
  })

  const ORIGIN = 'https://app.vitrine.example'
  test.each([
    ['a host beside the one of ORIGIN', { ORIGIN, CLAIM_ORIGIN: 'https://gifts.vitrine.example' }],
    [
      'a host that only ends alike',
      { ORIGIN, PASSKEY_RP_ID: 'vitrine.example', CLAIM_ORIGIN: 'https://evilvitrine.example' },
    ],
    [
      'a parent of the domain',
      { ORIGIN, PASSKEY_RP_ID: 'gifts.vitrine.example', CLAIM_ORIGIN: 'https://vitrine.example' },
    ],
    ['a path', { ORIGIN, CLAIM_ORIGIN: 'https://gifts.app.vitrine.example/claim' }],
    ['http beside https', { ORIGIN, CLAIM_ORIGIN: 'http://gifts.app.vitrine.example' }],
    ['the host of ORIGIN at another port', { ORIGIN, CLAIM_ORIGIN: 'https://app.vitrine.example:8443' }],
    ['no URL', { ORIGIN, CLAIM_ORIGIN: 'gifts.app.vitrine.example' }],
  ])('%s ends the start with its name', (_, given) => {
    expect(() => readEnv(given)).toThrow('CLAIM_ORIGIN')
  })

  test('a host of another domain is taken where the passkeys’ domain names it', () => {
    const moved = { ORIGIN, CLAIM_ORIGIN: 'https://gifts.new.example', PASSKEY_RP_ID: 'vitrine.example' }
    expect(() => readEnv({ ...moved, PASSKEY_ORIGINS: 'https://other.example' })).toThrow('PASSKEY_ORIGINS')
    expect(readEnv({ ...moved, PASSKEY_ORIGINS: 'https://gifts.new.example, https://b.example' })).toMatchObject({
      PASSKEY_ORIGINS: ['https://gifts.new.example', 'https://b.example'],
    })
    for (const wrong of ['http://new.example', 'https://new.example/', 'new.example'])
      expect(() => readEnv({ ORIGIN, PASSKEY_ORIGINS: wrong })).toThrow('PASSKEY_ORIGINS')
  })

  test('/.well-known/webauthn names the origins of other domains, where there are any', async () => {
    const ask = async (origins: string) => {
      vi.stubEnv('PASSKEY_ORIGINS', origins)
      vi.resetModules()
      const { GET } = await import('../../app/.well-known/webauthn/route.ts')
      return GET()
    }
    onTestFinished(() => {
      vi.unstubAllEnvs()
      vi.resetModules()
    })
    expect((await ask('')).status).toBe(404)
    const answer = await ask('https://gifts.new.example,https://b.example')
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual({ origins: ['https://gifts.new.example', 'https://b.example'] })
    // Browsers follow no redirect to it, so every host answers it itself.
    for (const host of ['vitrine.example', 'gifts.vitrine.example', 'old.example'])
      expect(
        statusOf(
          admit(apart, { method: 'GET', url: '/.well-known/webauthn', socketAddress: '::1', headers: { host } }),
        ),
      ).toBe('passed')
  })

  test('a host under the domain of recipients’ passkeys is taken', () => {
    const CLAIM_ORIGIN = 'https://gifts.vitrine.example'
    expect(readEnv({ ORIGIN, CLAIM_ORIGIN, PASSKEY_RP_ID: 'vitrine.example' })).toMatchObject({ CLAIM_ORIGIN })
    expect(readEnv({ ORIGIN, CLAIM_ORIGIN, PASSKEY_RP_ID: 'gifts.vitrine.example' })).toMatchObject({ CLAIM_ORIGIN })
    expect(readEnv({ ORIGIN, CLAIM_ORIGIN: ORIGIN })).toMatchObject({ CLAIM_ORIGIN: ORIGIN })
  })
})

describe('forms of other sites', () => {
  const acting: Application = async (request, response) => {
    for await (const _ of request);
    response.end('done')
  }
  const postFrom = async (url: string, headers: Record<string, string>) => {
    const server = await startWebServer(acting, { claimOrigin: apart.claimOrigin })
    const host = RECIPIENT_PAGES.includes(url) ? 'gifts.vitrine.example' : 'vitrine.example'
    const lines = Object.entries({ host, connection: 'close', 'content-length': '2', ...headers })
    const answer = await sendRaw(
      server.port,
      `POST ${url} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n{}`,
    )
    return Number(answer.slice(9, 12))
  }

  test.each([
    ['a foreign origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'a foreign origin that forges the host it came by',
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
    ],
    ['a sibling host', { origin: 'https://shop.vitrine.example', 'sec-fetch-site': 'same-site' }],
    ['the same host over http', { origin: 'http://vitrine.example' }],
    ['a hidden origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a hidden origin in an old browser', { origin: 'null' }],
    ['no origin, sent across sites', { 'sec-fetch-site': 'cross-site' }],
  ])('a server action from %s is refused on every page', async (_, headers) => {
    for (const url of ['/', '/dashboard/api-keys', '/sign-in', '/claim/x', '/docs/errors', '/media/nothing'])
      expect([url, await postFrom(url, { 'next-action': '40aa', ...headers } as Record<string, string>)]).toEqual([
        url,
        403,
      ])
  })

  test('a page’s own forms pass', async () => {
    for (const headers of [
      { origin: 'https://vitrine.example' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      {} as Record<string, string>,
    ])
      expect(await postFrom('/dashboard/api-keys', headers as Record<string, string>)).toBe(200)
  })

  test('a recipients’ page can’t act in the dashboard', async () => {
    expect(await postFrom('/dashboard/api-keys', { origin: 'https://gifts.vitrine.example' })).toBe(403)
  })

  test('what other sites may call stays open to them', async () => {
    for (const url of [
      '/public/v1/purchase-intents',
      '/webhooks/cards/stripe',
      '/sandbox/cards/v1/payment_intents',
      '/v1/items',
    ])
      expect([url, await postFrom(url, { origin: 'https://shop.example' })]).toEqual([url, 200])
  })
})

describe('cookies over https', () => {
  test('are under names that no sibling host can set', async () => {
    vi.resetModules()
    process.env.ORIGIN = 'https://vitrine.example'
    const { SIGN_IN_COOKIES } = await import('../../lib/platform/auth/cookies.ts')
    const { organizationCookie } = await import('../../lib/platform/auth/organization-cookie.ts')
    const { signInOptions } = await import('../../lib/platform/auth/next-auth.ts')
    delete process.env.ORIGIN
    const request = {
      askForLink: async () => undefined,
      followRole: async () => undefined,
      requestId: '',
      clientAddress: '',
      userAgent: null,
      replaces: undefined,
    }
    expect(signInOptions(request).cookies).toBe(SIGN_IN_COOKIES)
    for (const { name, options } of Object.values(SIGN_IN_COOKIES)) {
      expect(name).toMatch(/^__Host-next-auth\./)
      expect(options).toMatchObject({ path: '/', secure: true, httpOnly: true, sameSite: 'lax' })
      expect(options).not.toHaveProperty('domain')
    }
    expect(organizationCookie(newId())).toMatch(/^__Host-vitrine-organization=[^;]+; Path=\/;.*; Secure$/)
  })

  test('a session under a name that a sibling host could set is no session', async () => {
    vi.resetModules()
    process.env.ORIGIN = 'https://vitrine.example'
    const { call } = await import('../support/call.ts')
    const { makeOrganization } = await import('../support/organization.ts')
    const { makeSession } = await import('../support/sessions.ts')
    const { userId } = await makeOrganization()
    const sessionToken = await makeSession(userId)
    const statusWith = async (name: string) => {
      const headers = { cookie: `${name}=${sessionToken}`, origin: 'https://vitrine.example' }
      return (await call('GET', '/v1/me', { headers })).status
    }
    delete process.env.ORIGIN
    expect(await statusWith('__Host-next-auth.session-token')).toBe(200)
    expect(await statusWith('__Secure-next-auth.session-token')).toBe(401)
    expect(await statusWith('next-auth.session-token')).toBe(401)
  })
})

describe('headers', () => {
  test('every page, the docs and sign-in included, runs only our own scripts', () => {
    for (const url of PAGES) {
      const sandbox = url.startsWith('/dev/')
      const admission = admit(
        { ...settings, sandbox },
        {
          method: 'GET',
          url,
          socketAddress: '203.0.113.7',
          headers: { host: 'vitrine.example' },
        },
      )
      const policy = admission.kind === 'pass' ? admission.responseHeaders['content-security-policy']! : ''
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1]
      expect([url, scripts]).toEqual([url, expect.stringMatching(/^'self' 'nonce-[A-Za-z0-9+/]{22}=='$/)])
      expect(policy).toContain("default-src 'none'")
    }
  })

  test('the reference carries the nonce it was given, and no other inline script', async () => {
    const { GET } = await import('../../app/docs/reference/route.ts')
    const request = new Request('http://localhost/docs/reference', {
      headers: { 'content-security-policy': "script-src 'self' 'nonce-abcdef'" },
    })
    const html = await GET(request).text()
    const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(inline).toEqual([' nonce="abcdef"'])
  })

  test('over https pages and API answers demand https, and pages keep foreign openers away', async () => {
    for (const url of ['/', '/v1/me', '/claim/x', '/docs', '/docs/reference', 'http://[']) {
      const server = await startWebServer(withHead(async (_, response) => void response.end()))
      const answer = await sendRaw(
        server.port,
        `GET ${url} HTTP/1.1\r\nhost: vitrine.example\r\nconnection: close\r\n\r\n`,
      )
      expect(answer.toLowerCase(), url).toContain('strict-transport-security: max-age=31536000')
      expect(answer.toLowerCase(), url).toContain('cross-origin-opener-policy: same-origin-allow-popups')
    }
    const plain = admit(
      { ...settings, origin: 'http://localhost:3000' },
      { method: 'GET', url: '/', socketAddress: '::1', headers: {} },
    )
    expect(plain.kind === 'pass' && plain.responseHeaders).not.toHaveProperty('strict-transport-security')
  })
})
