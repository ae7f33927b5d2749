import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { EgressRefused } from '../../lib/ports/egress/egress.ts'
import { readEnv } from '../../lib/core/env.ts'
import { egressOf } from '../../lib/ports/ports.ts'
import { isReachable, type Resolve, resolveReachableHost } from '../../lib/ports/egress/reachable-host.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { guardedFetcher } from '../../lib/ports/storage/guarded-fetcher.ts'
import { storeItemImage } from '../../lib/records/media/store-item-image.ts'
import { callerOf } from '../support/call.ts'
import { makeOrganization } from '../support/organization.ts'

describe('addresses that stand for others', () => {
  test.each([
    ['an IPv4-compatible loopback', '::127.0.0.1'],
    ['the same in hexadecimal', '::7f00:1'],
    ['an IPv4-compatible private address', '::10.0.0.5'],
    ['an IPv4-compatible metadata service', '::a9fe:a9fe'],
    ['an IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['a translated loopback', '64:ff9b::127.0.0.1'],
    ['a translated metadata service', '64:ff9b::a9fe:a9fe'],
    ['a translated private address of a local prefix', '64:ff9b:1::10.0.0.5'],
    ['a 6to4 loopback', '2002:7f00:1::'],
    ['the unspecified address', '::'],
    ['the loopback', '::1'],
    ['almost the loopback', '::2'],
  ])('%s is not reachable: %s', async (_, address) => {
    expect(isReachable(address, [])).toBe(false)
    await expect(resolveReachableHost(`[${address}]`, [])).rejects.toThrow(EgressRefused)
  })

  test('an allowed range without a length is one address, and what is no address is within none', () => {
    expect(['10.1.2.2', '10.1.2.3'].map((address) => isReachable(address, ['10.1.2.3']))).toEqual([false, 'allowed'])
    expect(['fd00::', 'fd00::1'].map((address) => isReachable(address, ['fd00::1']))).toEqual([false, 'allowed'])
    expect(isReachable('localhost', ['0.0.0.0/0', '::/0'])).toBe(false)
  })

  test('a name without an address is refused', async () => {
    await expect(resolveReachableHost('empty.example', [], async () => [])).rejects.toThrow(EgressRefused)
  })

  test('they are judged as their IPv4 address, also by the allowed ranges', () => {
    for (const prefix of ['::', '::ffff:', '64:ff9b::']) {
      expect(isReachable(`${prefix}93.184.215.14`, [])).toBe('public')
      expect(isReachable(`${prefix}10.1.2.3`, ['10.0.0.0/8'])).toBe('allowed')
      expect(isReachable(`${prefix}10.1.2.3`, ['::/0'])).toBe(false)
    }
  })
})

/** A server on every address of this machine that notes which of them it was reached by. */
async function listen(handle: RequestListener) {
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(`${request.socket.localAddress} ${request.method} ${request.url}`)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, reached }
}

/** Answers each question about a name with the next of these addresses. */
function lyingResolver(...answers: string[][]) {
  let asked = 0
  const resolve: Resolve = async () => {
    const addresses = answers[Math.min(asked++, answers.length - 1)]!
    return addresses.map((address) => ({ address, family: 4 }))
  }
  return { resolve, asked: () => asked }
}
const post = { headers: {}, body: '{}', timeoutMs: 5_000 }
// The first loopback address is in an allowed range and plays the public internet; every other one is private.
const ALLOWED = ['127.0.0.1/32']

describe('a name that changes its address', () => {
  test('is connected to at the address that was checked', async () => {
    const { port, reached } = await listen((_, response) => void response.end('picture'))
    const forPicture = lyingResolver(['127.0.0.1'], ['127.0.0.2'])
    const picture = await guardedFetcher(ALLOWED, forPicture.resolve).fetchImage(`http://rebinding.example:${port}/a`)
    expect(Buffer.from(picture).toString()).toBe('picture')
    const forPost = lyingResolver(['127.0.0.1'], ['127.0.0.2'])
    await guardedPoster(ALLOWED, forPost.resolve).post(`http://rebinding.example:${port}/b`, post)
    expect(reached).toEqual(['127.0.0.1 GET /a', '127.0.0.1 POST /b'])
    expect([forPicture.asked(), forPost.asked()]).toEqual([1, 1])
  })

  test('is refused once it has a private address, even beside a public one', async () => {
    const { port, reached } = await listen((_, response) => void response.end())
    const url = `http://rebinding.example:${port}/`
    for (const answer of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1']]) {
      const { resolve } = lyingResolver(answer)
      await expect(guardedFetcher(ALLOWED, resolve).fetchImage(url)).rejects.toThrow('not on the public internet')
      await expect(guardedPoster(ALLOWED, resolve).post(url, post)).rejects.toThrow(EgressRefused)
    }
    expect(reached).toEqual([])
  })

  test('is checked again when a webhook is posted to, whatever it was when the webhook was made', async () => {
    const { port, reached } = await listen((_, response) => void response.end())
    const { resolve } = lyingResolver(['127.0.0.1'], ['127.0.0.2'])
    const poster = guardedPoster(ALLOWED, resolve)
    await poster.assertUrl(`http://rebinding.example:${port}/`)
    await expect(poster.post(`http://rebinding.example:${port}/`, post)).rejects.toThrow(EgressRefused)
    expect(reached).toEqual([])
  })
})

describe('a sandbox', () => {
  const egress = (settings: Record<string, string>) => egressOf(readEnv(settings))

  test('reaches its own machine without a setting, and nothing else that is private', async () => {
    const allow = egress({ VITRINE_SANDBOX: '1' })
    const { port, reached } = await listen((_, response) => void response.end())
    const poster = guardedPoster(allow)
    await poster.assertUrl(`http://127.0.0.1:${port}/hook`)
    expect((await poster.post(`http://127.0.0.1:${port}/hook`, post)).status).toBe(200)
    expect(reached).toEqual(['127.0.0.1 POST /hook'])
    for (const address of ['127.0.0.2', '10.0.0.5', '169.254.169.254'])
      await expect(poster.assertUrl(`http://${address}/`)).rejects.toThrow('EGRESS_ALLOW')
    expect(egress({ VITRINE_SANDBOX: '1', EGRESS_ALLOW: '10.0.0.0/8' })).toContain('10.0.0.0/8')
  })

  test('posts to localhost when the receiver listens on one of its two addresses only', async () => {
    const { port, reached } = await listen((_, response) => void response.end())
    const resolve: Resolve = async () => [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]
    const posted = await guardedPoster(egress({ VITRINE_SANDBOX: '1' }), resolve).post(
      `http://localhost:${port}/`,
      post,
    )
    expect([posted.status, reached]).toEqual([200, ['127.0.0.1 POST /']])
  })

  test('is the only place where that holds', async () => {
    expect(egress({})).toEqual([])
    expect(egress({ NODE_ENV: 'production' })).toEqual([])
    const poster = guardedPoster(egress({ NODE_ENV: 'production' }))
    await expect(poster.assertUrl('https://127.0.0.1/')).rejects.toThrow('EGRESS_ALLOW')
  })
})

describe('a redirect', () => {
  const targets = (port: number) => [
    `http://127.0.0.2:${port}/secret`,
    `http://private.example:${port}/secret`,
    `//127.0.0.2:${port}/secret`,
    `http://[::127.0.0.2]:${port}/secret`,
    `http://[::ffff:127.0.0.2]:${port}/secret`,
    `http://2130706434:${port}/secret`,
    `http://0x7f.2:${port}/secret`,
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ]
  const redirectingTo = async (locations: (port: number) => string[]) => {
    const server = await listen((request, response) => {
      const location = locations(server.port)[Number(request.url?.slice(1))]
      if (location === undefined) response.end('secret')
      else response.writeHead(302, { location }).end()
    })
    return server
  }
  const resolve: Resolve = async (name) => [
    { address: name === 'private.example' ? '127.0.0.2' : '127.0.0.1', family: 4 },
  ]

  test('of a picture to a private address is refused without a connection', async () => {
    const { port, reached } = await redirectingTo(targets)
    for (const at of targets(port).keys())
      await expect(guardedFetcher(ALLOWED, resolve).fetchImage(`http://127.0.0.1:${port}/${at}`)).rejects.toThrow()
    expect(reached).toEqual(targets(port).map((_, at) => `127.0.0.1 GET /${at}`))
  })

  test('of a webhook is not followed at all', async () => {
    const { port, reached } = await redirectingTo(targets)
    const result = await guardedPoster(ALLOWED, resolve).post(`http://127.0.0.1:${port}/0`, post)
    expect([result.status, reached]).toEqual([302, ['127.0.0.1 POST /0']])
  })

  test('of an item’s picture to a private address leaves the item without a copy', async () => {
    const { port, reached } = await redirectingTo(targets)
    const organization = await makeOrganization()
    const source = `http://127.0.0.1:${port}/0`
    const collection = await callerOf(organization.key).post('/v1/collections', { name: newId() })
    const item = await callerOf(organization.key).post('/v1/items', {
      collection_id: collection.body.id,
      attributes: { title: 'Vase' },
    })
    // Only https is taken; the test's server has no certificate.
    await organization.ctx.db.item.updateMany({
      where: { id: item.body.id },
      data: { attributes: { title: 'Vase', image_url: source } },
    })
    replacePorts({ fetcher: guardedFetcher(ALLOWED, resolve) })
    const ctx = { ...organization.ctx, ports: ports() }
    await storeItemImage(ctx, { item_id: item.body.id, source })
    expect(reached).toEqual(['127.0.0.1 GET /0'])
    expect(await ctx.db.item.findFirst({ where: { id: item.body.id } })).toMatchObject({ imageCid: null })
  })
})
