import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cidOf } from '../../lib/core/cid.ts'
import { renderImage } from '../../lib/records/media/render-image.ts'
import { storeItemImage } from '../../lib/records/media/store-item-image.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { diskStorage } from '../../lib/ports/storage/disk.ts'
import { isReachable } from '../../lib/ports/egress/reachable-host.ts'
import { guardedFetcher } from '../../lib/ports/storage/guarded-fetcher.ts'
import { FetchRefused } from '../../lib/ports/storage/storage.ts'
import { GET as getMedia } from '../../app/media/[name]/route.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { callerOf } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const picture = (width = 900, height = 450) =>
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

describe('fetching what a stranger named', () => {
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
  ])('%s is not the public internet', (address) => expect(isReachable(address, [])).toBe(false))

  test('public addresses are, and what the operator allows', () => {
    expect(isReachable('93.184.215.14', [])).toBe('public')
    expect(isReachable('2606:2800:21f::1', [])).toBe('public')
    expect(isReachable('10.1.2.3', ['10.0.0.0/8'])).toBe('allowed')
    expect(isReachable('10.1.2.3', ['10.1.2.3'])).toBe('allowed')
    expect(isReachable('172.16.2.3', ['10.0.0.0/8', 'fd00::/8'])).toBe(false)
  })

  test('a private address is refused, by number and by name, without a connection', async () => {
    let asked = 0
    const server = await listen((_, response) => void response.end(String(++asked)))
    const fetcher = guardedFetcher([])
    for (const url of [
      server,
      server.replace('http:', 'https:'),
      server.replace('127.0.0.1', 'localhost'),
      server.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    ])
      await expect(fetcher.fetchImage(url)).rejects.toThrow(FetchRefused)
    expect(asked).toBe(0)
  })

  test('within an allowed range it is fetched, http too; redirects are followed three times and judged each time', async () => {
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

  test('too large is refused; a server that is down may be asked again', async () => {
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

describe('our copy', () => {
  let mine: TestOrganization
  let api: ReturnType<typeof callerOf>
  let dir: string

  beforeAll(async () => {
    mine = await makeOrganization()
    api = callerOf(mine.key)
    dir = await mkdtemp(join(tmpdir(), 'media-'))
    replacePorts({ storage: diskStorage(dir) })
    return () => rm(dir, { recursive: true })
  })

  const source = 'https://example.com/a.jpg'
  const serving = (bytes: Uint8Array | Error) => {
    const asked: string[] = []
    const fetchImage = async (url: string) => {
      asked.push(url)
      if (bytes instanceof Error) throw bytes
      return bytes
    }
    replacePorts({ fetcher: { ...ports().fetcher, fetchImage } })
    return asked
  }
  const keep = (item_id: string, url = source) => storeItemImage(systemContext(mine.id), { item_id, source: url })
  const makeItem = async (image_url = source) =>
    (await api.post('/v1/items', { collection_id: await makeCollection(api), attributes: { title: 'x', image_url } }))
      .body
  const mediaOf = async (id: string) => (await api.get(`/v1/items/${id}`)).body.media.image
  const served = (name: string, headers = {}) =>
    getMedia(new Request('http://localhost/', { headers }), { params: Promise.resolve({ name }) })

  test('it is made once, in four sizes, without what the file said about its maker', async () => {
    const { id } = await makeItem()
    const asked = serving(await picture())
    await keep(id)
    await keep(id)
    expect(asked).toEqual([source])
    const image = await mediaOf(id)
    expect(image.cid).toMatch(/^bafkrei[a-z2-7]{52}$/)
    expect(image.thumb).toBe(`http://localhost:3000/media/${image.cid}-thumb.webp`)
    const sizes = { original: 900, full: 900, thumb: 600, tiny: 64 }
    for (const [size, width] of Object.entries(sizes)) {
      const response = await served(new URL(image[size]).pathname.split('/').at(-1)!)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect([
        response.status,
        response.headers.get('content-type'),
        response.headers.get('x-content-type-options'),
      ]).toEqual([200, 'image/webp', 'nosniff'])
      expect(response.headers.get('cache-control')).toContain('immutable')
      const found = await sharp(bytes).metadata()
      expect([found.format, found.width, found.exif]).toEqual(['webp', width, undefined])
      expect(bytes.includes('A secret name')).toBe(false)
      if (size === 'original') expect(await cidOf(bytes)).toBe(image.cid)
    }
    expect((await served(`${image.cid}-full.webp`, { 'if-none-match': `"${image.cid}-full.webp"` })).status).toBe(304)
  })

  test('another image means the given address again, until it is kept', async () => {
    const { id } = await makeItem()
    serving(await picture())
    await keep(id)
    const other = 'https://example.com/other.jpg'
    await api.patch(`/v1/items/${id}`, { attributes: { title: 'x', image_url: other } })
    expect(await mediaOf(id)).toEqual({ cid: null, full: other, original: other, thumb: other, tiny: other })
    serving(await picture(300, 300))
    await keep(id, source)
    expect((await mediaOf(id)).cid).toBeNull()
    await keep(id, other)
    expect((await mediaOf(id)).cid).not.toBeNull()
    await api.patch(`/v1/items/${id}`, { attributes: { title: 'x', image_url: null } })
    expect(await mediaOf(id)).toBeNull()
  })

  test('no image there: left as it was; a server that fails: tried again', async () => {
    const { id } = await makeItem()
    for (const bytes of [
      Buffer.from('<html>'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>'),
      new FetchRefused('Private.'),
    ]) {
      serving(bytes)
      await keep(id)
      expect((await mediaOf(id)).cid).toBeNull()
    }
    serving(new Error('connection reset'))
    await expect(keep(id)).rejects.toThrow('connection reset')
  })

  test('an SVG becomes pixels', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script><rect width="40" height="40" fill="red"/></svg>'
    const { copies } = await renderImage(Buffer.from(svg))
    expect((await sharp(copies.original).metadata()).format).toBe('webp')
    expect(Buffer.from(copies.original).includes('script')).toBe(false)
  })

  test('no name leads out of the folder', async () => {
    for (const name of ['../package.json', '..%2fsecret.webp', '.hidden.webp', 'a/b.webp', 'none.webp', '', 'x.html'])
      expect((await served(name)).status).toBe(404)
    await expect(ports().storage.put('../x.webp', new Uint8Array(1), 'image/webp')).rejects.toThrow()
    expect((await readdir(dir)).every((name) => /^baf\w+-\w+\.webp$/.test(name))).toBe(true)
  })
})
