import { expect, test } from 'vitest'
import { admit, type IncomingRequest, type FrontServerSettings } from '../../lib/platform/http/front-server.ts'
import { embeddedPageIn } from '../../lib/platform/http/frame-ancestors.ts'
import { firstUntrustedHop, parseTrustedProxies } from '../../lib/platform/http/trusted-proxies.ts'

const server: FrontServerSettings = {
  origin: 'https://vitrine.example',
  claimOrigin: '',
  publicApiHost: 'api.vitrine.example',
  adminApiHost: 'admin.vitrine.example',
  trustedProxies: parseTrustedProxies(['10.0.0.0/8', '::1']),
  sandbox: false,
  stripe: false,
  development: false,
}
const makeArrival = (url: string, rest: Partial<IncomingRequest> = {}): IncomingRequest => ({
  method: 'GET',
  url,
  socketAddress: '203.0.113.7',
  ...rest,
  headers: { host: 'vitrine.example', ...rest.headers },
})
const expectPass = (from: IncomingRequest, at: FrontServerSettings = server) => {
  const admission = admit(at, from)
  if (admission.kind !== 'pass') throw new Error('The front server answered the request itself.')
  return admission
}
const expectAnswer = async (from: IncomingRequest, at: FrontServerSettings = server) => {
  const admission = admit(at, from)
  if (admission.kind !== 'answer') throw new Error('The front server passed the request on.')
  const text = await admission.response.text()
  return { response: admission.response, body: text ? (JSON.parse(text) as Record<string, unknown>) : null }
}

const trusted = parseTrustedProxies(['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'])

test.each([
  ['a direct client', '203.0.113.7', undefined, '203.0.113.7'],
  ['a direct client that forges the header', '203.0.113.7', '1.2.3.4', '203.0.113.7'],
  ['behind one proxy', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['behind two proxies', '10.0.0.1', '203.0.113.7, 10.2.3.4', '203.0.113.7'],
  ['behind a proxy, with a forged hop before', '10.0.0.1', '1.2.3.4, 203.0.113.7', '203.0.113.7'],
  ['a proxy itself', '10.0.0.1', undefined, '10.0.0.1'],
  ['an invalid hop', '10.0.0.1', 'nonsense', '10.0.0.1'],
  ['an IPv4 address on an IPv6 socket', '::ffff:203.0.113.7', undefined, '203.0.113.7'],
  ['a proxy that adds ports', '127.0.0.1', '203.0.113.7:5123', '203.0.113.7'],
  ['IPv6 behind an IPv6 proxy', '2001:db8::1', '[2a00::7]:443', '2a00::7'],
  ['a closed socket', undefined, undefined, 'unknown'],
])('for $0 the client address is $3', (_what, socket, forwarded, expected) => {
  expect(firstUntrustedHop(socket, forwarded, trusted)).toBe(expected)
})

test('an invalid entry of TRUSTED_PROXIES is refused and named', () => {
  expect(() => parseTrustedProxies(['10.0.0.0/99'])).toThrow('10.0.0.0/99 is neither an address nor a range.')
})

test('forwarding headers sent by a client are replaced', () => {
  const { headers } = expectPass(
    makeArrival('/v1/me', {
      headers: { 'x-forwarded-for': '1.2.3.4', 'x-client-address': '1.2.3.4', 'x-forwarded-host': 'evil.example' },
    }),
  )
  expect(headers).toMatchObject({
    'x-client-address': '203.0.113.7',
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'vitrine.example',
    'x-forwarded-proto': 'https',
  })
})

test('the API hosts serve only their own interface', async () => {
  expect(expectPass(makeArrival('/v1/networks?a=1', { headers: { host: 'api.vitrine.example' } })).url).toBe(
    '/public/v1/networks?a=1',
  )
  expect(expectPass(makeArrival('/v1/me', { headers: { host: 'ADMIN.vitrine.example:443' } })).url).toBe('/v1/me')
  for (const host of ['api.vitrine.example', 'admin.vitrine.example'])
    for (const path of ['/dashboard', '/v1/../dashboard', '/public/v1/networks', '/', '/v1x']) {
      const { response, body } = await expectAnswer(makeArrival(path, { headers: { host } }))
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(body).toMatchObject({ status: 404, code: 'not_found', request_id: response.headers.get('request-id') })
    }
})

test('the host of claims serves only what recipients’ pages need, and no other host has these pages', async () => {
  const apart = { ...server, claimOrigin: 'https://claim.example' }
  const at = (host: string, path: string) => makeArrival(path, { headers: { host } })
  for (const path of ['/claim/abc', '/wallet', '/public/v1/networks', '/health', '/_next/x.js'])
    expect(expectPass(at('claim.example', path), apart).url).toBe(path)
  for (const path of ['/', '/dashboard', '/v1/me', '/walletx'])
    expect((await expectAnswer(at('claim.example', path), apart)).response.status).toBe(404)
  const { response } = await expectAnswer(at('vitrine.example', '/claim/abc?a=b'), apart)
  expect([response.status, response.headers.get('location')]).toEqual([308, 'https://claim.example/claim/abc?a=b'])
  expect(expectPass(at('vitrine.example', '/dashboard'), apart).url).toBe('/dashboard')
})

const policyOf = (path: string, at = server) =>
  expectPass(makeArrival(path), at).responseHeaders['content-security-policy']!

test('pages run only scripts with this response’s nonce and connect only to their own origin', () => {
  for (const path of ['/claim/abc', '/wallet', '/wallet?from=mail', '/', '/dashboard/items', '/v1x']) {
    const { headers, responseHeaders } = expectPass(makeArrival(path))
    const policy = responseHeaders['content-security-policy']!
    expect(headers['content-security-policy']).toBe(policy)
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/]{22}=='(;|$)/)
    expect(policy).toContain("connect-src 'self';")
  }
  expect(policyOf('/claim/abc')).not.toBe(policyOf('/claim/abc'))
})

test('claim, wallet and checkout pages load pictures from and send forms to their own origin only', () => {
  for (const path of ['/claim/abc', '/wallet', '/l/abc', '/p/abc?embed=1']) {
    expect(policyOf(path)).not.toMatch(/https?:/)
    expect(policyOf(path)).toContain("form-action 'self'")
  }
})

test('checkout pages may reach Stripe when it is configured, and no other page may', () => {
  const withStripe = { ...server, stripe: true }
  for (const path of ['/l/abc', '/p/abc']) {
    expect(policyOf(path, withStripe)).toMatch(/script-src 'self' 'nonce-[^']+' https:\/\/js\.stripe\.com/)
    expect(policyOf(path, withStripe)).toContain("connect-src 'self' https://api.stripe.com;")
    expect(policyOf(path, withStripe)).toContain('frame-src https://js.stripe.com')
    expect(policyOf(path)).not.toContain('stripe')
  }
  for (const path of ['/claim/abc', '/wallet', '/dashboard', '/pay'])
    expect(policyOf(path, withStripe)).not.toContain('stripe')
})

test('a checkout page may be framed by the origins its seller names; no other page may be framed', () => {
  const framers = ['https://shop.example', 'http://localhost:4000']
  const ancestorsOf = (path: string, allowed: string[]) => {
    const admission = admit(server, makeArrival(path), allowed)
    return (
      admission.kind === 'pass' &&
      /frame-ancestors ([^;]*)/.exec(admission.responseHeaders['content-security-policy']!)![1]
    )
  }
  expect(ancestorsOf('/l/abc?embed=1', framers)).toBe('https://shop.example http://localhost:4000')
  expect(ancestorsOf('/l/abc?embed=1', [])).toBe("'none'")
  for (const path of ['/claim/abc', '/dashboard', '/v1/me']) expect(ancestorsOf(path, framers)).toBe("'none'")
})

test('only a listing’s or purchase’s page with embed=1 looks up who may frame it', () => {
  const id = '0198c2f0-0000-7000-8000-00000000000a'
  expect(embeddedPageIn(`/l/${id}?embed=1`)).toMatchObject({ kind: 'listing', id })
  expect(embeddedPageIn(`/p/${id.toUpperCase()}?a=b&embed=1`)).toMatchObject({ kind: 'purchase', id })
  for (const url of [
    `/l/${id}`,
    `/l/${id}?embed=0`,
    `/l/${id}/more?embed=1`,
    '/l/abc?embed=1',
    `/claim/${id}?embed=1`,
    '/',
  ])
    expect(embeddedPageIn(url)).toBeNull()
})

test('responses that aren’t pages can’t be framed', () => {
  for (const path of ['/v1/me', '/public/v1/networks', '/openapi/public.json', '/_next/static/x.js']) {
    expect(policyOf(path)).toContain("frame-ancestors 'none'")
    expect(policyOf(path)).not.toContain('nonce')
  }
})

test('a sandbox opened by its IP address redirects browsers to its name, but not programs', async () => {
  const sandbox = { ...server, origin: 'http://localhost:3000', sandbox: true }
  const visit = makeArrival('/dashboard?x=1', { headers: { host: '127.0.0.1:3000', accept: 'text/html' } })
  const { response } = await expectAnswer(visit, sandbox)
  expect([response.status, response.headers.get('location')]).toEqual([307, 'http://localhost:3000/dashboard?x=1'])
  expect(
    expectPass(makeArrival('/v1/me', { headers: { host: '127.0.0.1:3000', accept: 'application/json' } }), sandbox).url,
  ).toBe('/v1/me')
  expect(expectPass(visit, { ...sandbox, sandbox: false }).url).toBe('/dashboard?x=1')
})

test.each([
  '/v1/items?limit=20&cursor=MTo-_x%2e%2F+a,b:c.d',
  '/dashboard?utm=50%off',
  '/dashboard//items',
  '/v1/items?',
  '/v1/./items/../items?a=../b',
  '/v1/items.json?a',
  '/v1/it%65ms/%2e%2e/x',
  `/v1/items?a='b"<>c`,
  '/v1/items?a?b=é',
  '/v1/items#a?b',
])('%s is passed on as its URL object has it', (url) => {
  const parsed = new URL(`http://vitrine${url}`)
  const plain = new URL(`http://vitrine${parsed.pathname.replace('%65', 'e')}`).pathname
  expect(expectPass(makeArrival(url)).url).toBe(plain + parsed.search)
})

test.each([
  '/v1/items/%zz',
  '/v1/items/%E0%A4%A',
  '/v1/items/%ED%A0%80',
  '/public/v1/items/%',
  '/v1/items?search=50%',
  '/dashboard/%ff',
  '/claim/%c3%28?a=b',
])('%s has a malformed escape: a problem, which pages of other origins may read', async (url) => {
  const { response, body } = await expectAnswer(makeArrival(url))
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  expect(body).toMatchObject({ code: 'invalid_request', request_id: response.headers.get('request-id') })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test.each([
  ['/v1/', '/v1'],
  ['/v1/items/', '/v1/items'],
  ['/v1/items/.', '/v1/items'],
  ['/v1/email-claims//resend', '/v1/email-claims/resend'],
  ['/public/v1//items/?a=b//', '/public/v1/items'],
  ['//v1/items', '/v1/items'],
  ['/v1/items%2f/', '/v1/items%2f'],
  ['/V1/items', '/v1/items'],
  ['/v2/items?a=b', '/v1/items'],
  ['/Public/v1/items', '/public/v1/items'],
  ['/public/v2/items', '/public/v1/items'],
  ['/public/items', '/public/v1/items'],
])('%s is answered with 404, which names %s and which pages of other origins may read', async (url, right) => {
  for (const method of ['GET', 'DELETE']) {
    const { response, body } = await expectAnswer(makeArrival(url, { method }))
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect(body).toMatchObject({ code: 'not_found', detail: `There is no such path. Its right form is ${right}.` })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('request-id')).toBeTruthy()
  }
  // A browser sends no request whose preflight was refused.
  expect(expectPass(makeArrival(url, { method: 'OPTIONS' })).url.split('?')[0]).toBe(right)
})

test.each(['/claim/abc/', '/l/abc/', '/p/abc/', '/wallet/', '/dashboard/', '/publications', '/v1x'])(
  '%s isn’t an API’s and is left to the pages, which redirect a slash at the end',
  (url) => {
    expect(expectPass(makeArrival(url)).url).toBe(url)
  },
)

test('the API hosts name the right path as they serve it', async () => {
  const { body } = await expectAnswer(makeArrival('/v2/items/', { headers: { host: 'api.vitrine.example' } }))
  expect(body!.detail).toBe('There is no such path. Its right form is /v1/items.')
})

test('a path that only ends like an API’s is none of its', () => {
  expect(expectPass(makeArrival('//evil.example/v1/')).url).toBe('//evil.example/v1/')
})

test('a method that nothing takes is refused everywhere', async () => {
  for (const method of ['TRACE', 'PROPFIND'])
    for (const url of ['/v1/items', '/dashboard']) {
      const { response, body } = await expectAnswer(makeArrival(url, { method }))
      expect([response.status, body!.code]).toEqual([405, 'method_not_allowed'])
      expect(response.headers.get('allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    }
})

test('an unparsable URL is answered with 404', async () => {
  expect((await expectAnswer(makeArrival('http://['))).response.status).toBe(404)
})
