import { expect, test } from 'vitest'
import { admit, type Arrival, type FrontDoor } from '../../lib/platform/http/front-door.ts'
import { embeddedPageIn } from '../../lib/platform/http/framers.ts'
import { firstUntrustedHop, parseTrustedProxies } from '../../lib/platform/http/trusted-proxies.ts'

const door: FrontDoor = {
  origin: 'https://vitrine.example',
  publicApiHost: 'api.vitrine.example',
  adminApiHost: 'admin.vitrine.example',
  trustedProxies: parseTrustedProxies(['10.0.0.0/8', '::1']),
  sandbox: false,
  stripe: false,
  development: false,
}
const arrival = (url: string, rest: Partial<Arrival> = {}): Arrival => ({
  method: 'GET',
  url,
  socketAddress: '203.0.113.7',
  ...rest,
  headers: { host: 'vitrine.example', ...rest.headers },
})
const passed = (from: Arrival, at: FrontDoor = door) => {
  const admission = admit(at, from)
  if (admission.kind !== 'pass') throw new Error('It was answered at the door.')
  return admission
}
const answered = async (from: Arrival, at: FrontDoor = door) => {
  const admission = admit(at, from)
  if (admission.kind !== 'answer') throw new Error('It was let through.')
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
  ['a hop that is no address', '10.0.0.1', 'nonsense', '10.0.0.1'],
  ['an address of IPv4 on an IPv6 socket', '::ffff:203.0.113.7', undefined, '203.0.113.7'],
  ['a proxy that adds ports', '127.0.0.1', '203.0.113.7:5123', '203.0.113.7'],
  ['IPv6 behind an IPv6 proxy', '2001:db8::1', '[2a00::7]:443', '2a00::7'],
  ['a socket that is gone', undefined, undefined, 'unknown'],
])('the client of %s is known', (_what, socket, forwarded, expected) => {
  expect(firstUntrustedHop(socket, forwarded, trusted)).toBe(expected)
})

test('a bad entry of TRUSTED_PROXIES is refused by name', () => {
  expect(() => parseTrustedProxies(['10.0.0.0/99'])).toThrow('10.0.0.0/99 is neither an address nor a range.')
})

test('what a client says about itself is replaced', () => {
  const { headers } = passed(
    arrival('/v1/me', {
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

test('the hosts of their own serve their interface, and nothing else', async () => {
  expect(passed(arrival('/v1/networks?a=1', { headers: { host: 'api.vitrine.example' } })).url).toBe(
    '/public/v1/networks?a=1',
  )
  expect(passed(arrival('/v1/me', { headers: { host: 'ADMIN.vitrine.example:443' } })).url).toBe('/v1/me')
  for (const host of ['api.vitrine.example', 'admin.vitrine.example'])
    for (const path of ['/dashboard', '/v1/../dashboard', '/public/v1/networks', '/', '/v1x']) {
      const { response, body } = await answered(arrival(path, { headers: { host } }))
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(body).toMatchObject({ status: 404, code: 'not_found', request_id: response.headers.get('request-id') })
    }
})

const policyOf = (path: string, at = door) => passed(arrival(path), at).responseHeaders['content-security-policy']!

test('pages run scripts of this very answer only, and talk to nobody else', () => {
  for (const path of ['/claim/abc', '/wallet', '/wallet?from=mail', '/', '/dashboard/items', '/v1x']) {
    const { headers, responseHeaders } = passed(arrival(path))
    const policy = responseHeaders['content-security-policy']!
    expect(headers['content-security-policy']).toBe(policy)
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/]{22}=='(;|$)/)
    expect(policy).toContain("connect-src 'self';")
  }
  expect(policyOf('/claim/abc')).not.toBe(policyOf('/claim/abc'))
})

test('where keys are made and money is paid, pictures and forms are our own as well', () => {
  for (const path of ['/claim/abc', '/wallet', '/l/abc', '/p/abc?embed=1']) {
    expect(policyOf(path)).not.toMatch(/https?:/)
    expect(policyOf(path)).toContain("form-action 'self'")
  }
})

test('checkout pages reach Stripe where cards are taken through it, and no other page does', () => {
  const withStripe = { ...door, stripe: true }
  for (const path of ['/l/abc', '/p/abc']) {
    expect(policyOf(path, withStripe)).toMatch(/script-src 'self' 'nonce-[^']+' https:\/\/js\.stripe\.com/)
    expect(policyOf(path, withStripe)).toContain("connect-src 'self' https://api.stripe.com;")
    expect(policyOf(path, withStripe)).toContain('frame-src https://js.stripe.com')
    expect(policyOf(path)).not.toContain('stripe')
  }
  for (const path of ['/claim/abc', '/wallet', '/dashboard', '/pay'])
    expect(policyOf(path, withStripe)).not.toContain('stripe')
})

test('a checkout page may be framed by whom its seller names, and no other page by anybody', () => {
  const framers = ['https://shop.example', 'http://localhost:4000']
  const ancestorsOf = (path: string, named: string[]) => {
    const admission = admit(door, arrival(path), named)
    return (
      admission.kind === 'pass' &&
      /frame-ancestors ([^;]*)/.exec(admission.responseHeaders['content-security-policy']!)![1]
    )
  }
  expect(ancestorsOf('/l/abc?embed=1', framers)).toBe('https://shop.example http://localhost:4000')
  expect(ancestorsOf('/l/abc?embed=1', [])).toBe("'none'")
  for (const path of ['/claim/abc', '/dashboard', '/v1/me']) expect(ancestorsOf(path, framers)).toBe("'none'")
})

test('only the page of a listing or a purchase asks who may frame it, and only when it says so', () => {
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

test('what is no page can’t be framed either', () => {
  for (const path of ['/v1/me', '/public/v1/networks', '/docs', '/_next/static/x.js']) {
    expect(policyOf(path)).toContain("frame-ancestors 'none'")
    expect(policyOf(path)).not.toContain('nonce')
  }
})

test('a sandbox opened by its address moves to its name; programs are left alone', async () => {
  const sandbox = { ...door, origin: 'http://localhost:3000', sandbox: true }
  const visit = arrival('/dashboard?x=1', { headers: { host: '127.0.0.1:3000', accept: 'text/html' } })
  const { response } = await answered(visit, sandbox)
  expect([response.status, response.headers.get('location')]).toEqual([307, 'http://localhost:3000/dashboard?x=1'])
  expect(
    passed(arrival('/v1/me', { headers: { host: '127.0.0.1:3000', accept: 'application/json' } }), sandbox).url,
  ).toBe('/v1/me')
  expect(passed(visit, { ...sandbox, sandbox: false }).url).toBe('/dashboard?x=1')
})

test('an address that can’t be read is nothing we have', async () => {
  expect((await answered(arrival('http://['))).response.status).toBe(404)
})
