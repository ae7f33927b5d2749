import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cidOf } from '../../lib/core/cid.ts'
import { renderImage } from '../../lib/records/media/render-image.ts'
import { storeItemImage } from '../../lib/records/media/store-item-image.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { isReachable } from '../../lib/ports/egress/reachable-host.ts'
import { guardedFetcher } from '../../lib/ports/storage/guarded-fetcher.ts'
import { FetchRefused } from '../../lib/ports/storage/storage.ts'
import { GET as getMedia } from '../../app/media/[name]/route.ts'
import { organizationContext } from '../../lib/platform/auth/authenticate.ts'
import { callerOf } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { storeOnDisk } from '../support/media.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const makePicture = (width = 900, height = 450) =>
  sharp({ create: { width, height, channels: 3, background: '#7a3fd1' } })
    .withExif({ IFD0: { Artist: 'A secret name' } })
    .jpeg()
    .toBuffer()

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('fetching an image from a foreign address', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '172.16.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'nonsense',
  ])('%s is not reachable', (address) => expect(isReachable(address, [])).toBe(false))

  test('public addresses and those in the allowed ranges are reachable', () => {
    expect(isReachable('93.184.215.14', [])).toBe('public')
    expect(isReachable('2606:2800:21f::1', [])).toBe('public')
    expect(isReachable('10.1.2.3', ['10.0.0.0/8'])).toBe('allowed')
    expect(isReachable('10.1.2.3', ['10.1.2.3'])).toBe('allowed')
    expect(isReachable('172.16.2.3', ['10.0.0.0/8', 'fd00::/8'])).toBe(false)
  })

  test('a private address is refused by number and by name, without a connection', async () => {
    let requestCount = 0
    const server = await listen((_, response) => void response.end(String(++requestCount)))
    const fetcher = guardedFetcher([])
    for (const url of [
      server,
      server.replace('http:', 'https:'),
      server.replace('127.0.0.1', 'localhost'),
      server.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    ])
      await expect(fetcher.fetchImage(url)).rejects.toThrow(FetchRefused)
    expect(requestCount).toBe(0)
  })

  test('an allowed address is fetched, also over http; up to three redirects are followed and checked', async () => {
    const server = await listen((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left > 0) return void response.writeHead(302, { location: `/${left - 1}` }).end()
      if (request.url === '/out')
        return void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      response.end('image')
    })
    const fetcher = guardedFetcher(['127.0.0.0/8'])
    expect(Buffer.from(await fetcher.fetchImage(`${server}/3`)).toString()).toBe('image')
    await expect(fetcher.fetchImage(`${server}/4`)).rejects.toThrow('too many redirects')
    await expect(fetcher.fetchImage(`${server}/out`)).rejects.toThrow('not on the public internet')
  })

  test('a too large image and a 404 are refused permanently; a 503 may be retried', async () => {
    const server = await listen((request, response) => {
      if (request.url === '/down') return void response.writeHead(503).end()
      if (request.url === '/gone') return void response.writeHead(404).end()
      response.write(Buffer.alloc(20 * 1024 * 1024))
      response.end(Buffer.alloc(6 * 1024 * 1024))
    })
    const fetcher = guardedFetcher(['127.0.0.1'])
    await expect(fetcher.fetchImage(`${server}/large`)).rejects.toThrow('larger than 25 MiB')
    await expect(fetcher.fetchImage(`${server}/gone`)).rejects.toThrow(FetchRefused)
    await expect(fetcher.fetchImage(`${server}/down`)).rejects.not.toBeInstanceOf(FetchRefused)
  })
})

describe('stored copy of an item’s image', () => {
  let mine: TestOrganization
  let api: ReturnType<typeof callerOf>
  const dir = storeOnDisk()

  beforeAll(async () => {
    mine = await makeOrganization()
    api = callerOf(mine.key)
  })

  const source = 'https://example.com/a.jpg'
  const serveImage = (bytes: Uint8Array | Error) => {
    const requested: string[] = []
    const fetchImage = async (url: string) => {
      requested.push(url)
      if (bytes instanceof Error) throw bytes
      return bytes
    }
    replacePorts({ fetcher: { ...ports().fetcher, fetchImage } })
    return requested
  }
  const storeImage = (item_id: string, url = source) =>
    storeItemImage(organizationContext(mine.id), { item_id, source: url })
  const makeItem = async (image_url = source) =>
    (await api.post('/v1/items', { collection_id: await makeCollection(api), attributes: { title: 'x', image_url } }))
      .body
  const mediaOf = async (id: string) => (await api.get(`/v1/items/${id}`)).body.media.image
  const getFile = (name: string, headers = {}) =>
    getMedia(new Request('http://localhost/', { headers }), { params: Promise.resolve({ name }) })

  test('the image is fetched once and stored in four sizes, without its metadata', async () => {
    const { id } = await makeItem()
    const requested = serveImage(await makePicture())
    await storeImage(id)
    await storeImage(id)
    expect(requested).toEqual([source])
    const image = await mediaOf(id)
    expect(image.cid).toMatch(/^bafkrei[a-z2-7]{52}$/)
    expect(image.thumb).toBe(`http://localhost:3000/media/${image.cid}-jpg-thumb.webp`)
    const sizes = { original: 900, full: 900, thumb: 600, tiny: 64 }
    for (const [size, width] of Object.entries(sizes)) {
      const response = await getFile(new URL(image[size]).pathname.split('/').at(-1)!)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect([
        response.status,
        response.headers.get('content-type'),
        response.headers.get('x-content-type-options'),
      ]).toEqual([200, size === 'original' ? 'image/jpeg' : 'image/webp', 'nosniff'])
      expect(response.headers.get('cache-control')).toContain('immutable')
      const found = await sharp(bytes).metadata()
      expect([found.format, found.width, found.exif]).toEqual([size === 'original' ? 'jpeg' : 'webp', width, undefined])
      expect(bytes.includes('A secret name')).toBe(false)
      if (size === 'original') expect(await cidOf(bytes)).toBe(image.cid)
    }
    expect(
      (await getFile(`${image.cid}-jpg-full.webp`, { 'if-none-match': `"${image.cid}-jpg-full.webp"` })).status,
    ).toBe(304)
  })

  test('after a change of image_url the given address is shown until its copy is stored', async () => {
    const { id } = await makeItem()
    serveImage(await makePicture())
    await storeImage(id)
    const other = 'https://example.com/other.jpg'
    await api.patch(`/v1/items/${id}`, { attributes: { title: 'x', image_url: other } })
    expect(await mediaOf(id)).toEqual({ cid: null, full: other, original: other, thumb: other, tiny: other })
    serveImage(await makePicture(300, 300))
    await storeImage(id, source)
    expect((await mediaOf(id)).cid).toBeNull()
    await storeImage(id, other)
    expect((await mediaOf(id)).cid).not.toBeNull()
    await api.patch(`/v1/items/${id}`, { attributes: { title: 'x', image_url: null } })
    expect(await mediaOf(id)).toBeNull()
  })

  test('an invalid image leaves the item as it was; a connection error is retried', async () => {
    const { id } = await makeItem()
    for (const bytes of [
      Buffer.from('<html>'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>'),
      new FetchRefused('Private.'),
    ]) {
      serveImage(bytes)
      await storeImage(id)
      expect((await mediaOf(id)).cid).toBeNull()
    }
    serveImage(new Error('connection reset'))
    await expect(storeImage(id)).rejects.toThrow('connection reset')
  })

  test('an SVG is rendered to WebP', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script><rect width="40" height="40" fill="red"/></svg>'
    const { copies } = await renderImage(Buffer.from(svg), { still: false })
    expect((await sharp(copies.original).metadata()).format).toBe('webp')
    expect(Buffer.from(copies.original).includes('script')).toBe(false)
  })

  test('no file name reaches outside the folder', async () => {
    for (const name of ['../package.json', '..%2fsecret.webp', '.hidden.webp', 'a/b.webp', 'none.webp', '', 'x.html'])
      expect((await getFile(name)).status).toBe(404)
    await expect(ports().storage.put('../x.webp', new Uint8Array(1), 'image/webp')).rejects.toThrow()
    expect((await readdir(dir)).every((name) => /^baf\w+-jpg-(?:original\.jpg|\w+\.webp)$/.test(name))).toBe(true)
  })
})
