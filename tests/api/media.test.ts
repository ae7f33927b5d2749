import { createServer } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { GET as serveMedia } from '../../app/media/[name]/route.ts'
import { POST as uploadRoute } from '../../app/v1/media/route.ts'
import { cidOf } from '../../lib/core/cid.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { diskStorage } from '../../lib/ports/storage/disk.ts'
import { type ApiResponse, callerOf, code } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let dir: string

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
  dir = await mkdtemp(join(tmpdir(), 'media-'))
  replacePorts({ storage: diskStorage(dir), pinning: null })
  return () => rm(dir, { recursive: true })
})

const origin = 'http://localhost:3000'
const fill = (colour: string, width = 40, height = 20) =>
  sharp({ create: { width, height, channels: 3 as const, background: colour } })
const send = (bytes: Uint8Array | string, name = 'picture', headers?: Record<string, string>) =>
  api.post('/v1/media', { file: { name, base64: Buffer.from(bytes).toString('base64') } }, headers)
async function fileAt(address: string, type = 'image/webp'): Promise<Buffer> {
  const response = await serveMedia(new Request(address), {
    params: Promise.resolve({ name: new URL(address).pathname.split('/').at(-1)! }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  return Buffer.from(await response.arrayBuffer())
}
const colourOf = async (bytes: Buffer, at: { left: number; top: number } = { left: 5, top: 5 }) =>
  [
    ...(await sharp(bytes)
      .extract({ ...at, width: 1, height: 1 })
      .ensureAlpha()
      .raw()
      .toBuffer()),
  ].map((value) => Math.round(value / 16))
const near = (rgb: [number, number, number]) => [...rgb.map((value) => Math.round(value / 16)), 16]

/** Sends a form as a browser or curl does. */
async function sendForm(
  entries: [string, string | File][],
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  const response = await uploadRoute(
    new Request(`${origin}/v1/media`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${mine.key}`, ...headers },
    }),
    { params: Promise.resolve({}) },
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const part = (bytes: Uint8Array, name = 'a.png', type = 'image/png') =>
  new File([new Uint8Array(bytes)], name, { type })

describe('upload', () => {
  test('an upload is stored in four sizes, named by the original’s IPFS CID', async () => {
    const answer = await send(await fill('#7a3fd1', 900, 450).jpeg().toBuffer(), 'C:\\pictures\\night.jpg')
    expect(answer.status).toBe(201)
    const { cid, id } = answer.body
    expect(answer.body).toEqual({
      id,
      cid,
      name: 'night.jpg',
      width: 900,
      height: 450,
      bytes: expect.any(Number),
      pinning: 'NONE',
      pin_failure: null,
      created_at: expect.any(String),
      original: `${origin}/media/${cid}-jpg-original.jpg`,
      full: `${origin}/media/${cid}-jpg-full.webp`,
      thumb: `${origin}/media/${cid}-jpg-thumb.webp`,
      tiny: `${origin}/media/${cid}-jpg-tiny.webp`,
    })
    const original = await fileAt(answer.body.original, 'image/jpeg')
    expect([await cidOf(original), original.length]).toEqual([cid, answer.body.bytes])
    const widths = await Promise.all(
      ['full', 'thumb', 'tiny'].map(async (size) => (await sharp(await fileAt(answer.body[size])).metadata()).width),
    )
    expect(widths).toEqual([900, 600, 64])
    expect((await api.get(`/v1/media/${id}`)).body).toEqual(answer.body)
    const [audited] = await systemClient().auditEntry.findMany({ where: { organizationId: mine.id, subjectId: id } })
    expect(audited).toMatchObject({ action: 'media.uploaded', subjectType: 'media' })
  })

  test('a form upload repeated with its Idempotency-Key gets the same response', async () => {
    const bytes = await fill('#102030').png().toBuffer()
    const headers = { 'idempotency-key': newId() }
    const first = await sendForm([['file', part(bytes, 'form.png')]], headers)
    expect([first.status, first.body.name]).toEqual([201, 'form.png'])
    const again = await sendForm([['file', part(bytes, 'form.png')]], headers)
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body])
    expect(code(await sendForm([['file', part(await fill('#302010').png().toBuffer(), 'form.png')]], headers))).toEqual(
      [409, 'idempotency_mismatch'],
    )
  })

  test('the same file uploaded again or three times at once makes one record per organization', async () => {
    const bytes = await fill('#445566').png().toBuffer()
    const answers = await Promise.all([send(bytes, 'a.png'), send(bytes, 'b.png'), send(bytes, 'c.png')])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await send(bytes, 'later.png')).body).toEqual(answers[0]!.body)
    const other = callerOf((await makeOrganization()).key)
    const theirs = (await other.post('/v1/media', { file: { name: 'theirs.png', base64: bytes.toString('base64') } }))
      .body
    expect([theirs.cid === answers[0]!.body.cid, theirs.id === answers[0]!.body.id, theirs.name]).toEqual([
      true,
      false,
      'theirs.png',
    ])
  })

  test('uploads are listed newest first, and found by name, CID and pinning', async () => {
    const own = callerOf((await makeOrganization()).key)
    const put = async (colour: string, name: string) =>
      (
        await own.post('/v1/media', {
          file: { name, base64: (await fill(colour).png().toBuffer()).toString('base64') },
        })
      ).body
    const [heron, wren] = [await put('#111', 'Night heron.png'), await put('#222', 'wren.png')]
    const ids = async (query = '') =>
      (await own.get(`/v1/media?${query}`)).body.results.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([wren.id, heron.id])
    expect(await ids('search=HERON')).toEqual([heron.id])
    expect(await ids('search=her_n')).toEqual([])
    expect(await ids(`search=${wren.cid}`)).toEqual([wren.id])
    expect([await ids('pinning=NONE'), await ids('pinning=PINNED')]).toEqual([[wren.id, heron.id], []])
    const first = (await own.get('/v1/media?limit=1')).body
    expect([first.total_results, first.has_more]).toEqual([2, true])
    expect(await ids(`limit=1&cursor=${first.cursor}`)).toEqual([heron.id])
  })
})

describe('image files', () => {
  test('metadata is removed from the smaller sizes, and the EXIF orientation is applied', async () => {
    const bytes = await fill('#0a0', 60, 30)
      .withExif({
        IFD0: { Artist: 'A secret name', Copyright: 'secret' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withXmp(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">secret place</rdf:RDF></x:xmpmeta>',
      )
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const given = await sharp(bytes).metadata()
    expect([given.orientation, Boolean(given.exif), Boolean(given.icc)]).toEqual([6, true, true])
    const { body } = await send(bytes)
    expect([body.width, body.height]).toEqual([30, 60])
    for (const size of ['full', 'thumb', 'tiny']) {
      const stored = await fileAt(body[size])
      const { exif, icc, xmp, iptc, orientation } = await sharp(stored).metadata()
      expect({ exif, icc, xmp, iptc, orientation }).toEqual({})
      for (const word of ['secret', 'EXIF', 'GPS', 'ICCP', 'XMP ']) expect(stored.includes(word)).toBe(false)
    }
  })

  test('an animation stays animated in the two larger sizes; the smaller sizes are its first frame', async () => {
    const frames = ['#ff0000', '#00ff00', '#0000ff']
    const raw = Buffer.concat(await Promise.all(frames.map((colour) => fill(colour, 40, 30).raw().toBuffer())))
    const animation = () => sharp(raw, { raw: { width: 40, height: 90, channels: 3, pageHeight: 30 } })
    for (const [type, bytes] of [
      [
        'image/gif',
        await animation()
          .gif({ delay: [100, 200, 300], loop: 2 })
          .toBuffer(),
      ],
      [
        'image/webp',
        await animation()
          .webp({ lossless: true, delay: [100, 200, 300], loop: 2 })
          .toBuffer(),
      ],
    ] as const) {
      const { body } = await send(bytes)
      expect([body.width, body.height]).toEqual([40, 30])
      for (const size of ['original', 'full'])
        expect(await sharp(await fileAt(body[size], size === 'original' ? type : undefined)).metadata()).toMatchObject({
          pages: 3,
          delay: [100, 200, 300],
          loop: 2,
        })
      for (const size of ['thumb', 'tiny']) {
        const still = await fileAt(body[size])
        expect((await sharp(still).metadata()).pages ?? 1).toBe(1)
        expect(await colourOf(still)).toEqual(near([255, 0, 0]))
      }
    }
  })

  test('the format is read from the content, not from the name or announced type', async () => {
    const kinds = [
      fill('#123456').jpeg(),
      fill('#123456').png(),
      fill('#123456').webp(),
      fill('#123456').gif(),
      fill('#123456').avif(),
    ]
    for (const kind of kinds)
      expect((await sendForm([['file', part(await kind.toBuffer(), 'notes.txt', 'text/plain')]])).status).toBe(201)
    expect(
      (
        await send(
          '<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
          'x.png',
        )
      ).status,
    ).toBe(201)
    const others: [string, Uint8Array | string][] = [
      ['a page', '<html><body>hello</body></html>'],
      ['a page with a drawing in it', '<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'],
      ['text', 'hello'],
      ['nothing', ''],
      ['a TIFF', await fill('#123').tiff().toBuffer()],
      ['a PDF', '%PDF-1.7\n1 0 obj'],
      ['a broken PNG', (await fill('#123').png().toBuffer()).subarray(0, 60)],
      ['a broken JPEG', (await fill('#123', 800, 800).jpeg().toBuffer()).subarray(0, 700)],
    ]
    for (const [what, bytes] of others) {
      const refused = await sendForm([['file', part(Buffer.from(bytes), 'a.png')]])
      expect([what, ...code(refused)]).toEqual([what, 422, 'image_invalid'])
      expect(refused.body.errors[0]).toMatchObject({ field: 'file', code: 'image_invalid' })
    }
  })

  test('an image of more than 50 megapixels is refused', async () => {
    const bomb = await sharp({
      create: { width: 16_000, height: 7_000, channels: 3, background: '#000' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024)
    const refused = await send(bomb)
    expect([...code(refused), refused.body.detail]).toEqual([
      422,
      'image_invalid',
      'This image has more than 50 megapixels, all its frames counted.',
    ])
    expect(code(await send('<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>'))).toEqual([
      422,
      'image_invalid',
    ])
  })

  test('a file over 25 MiB, a missing file and invalid base64 are refused', async () => {
    expect(code(await sendForm([['file', part(new Uint8Array(25 * 1024 * 1024 + 1))]]))).toEqual([
      413,
      'body_too_large',
    ])
    expect(code(await sendForm([['file', 'text']]))).toEqual([400, 'invalid_request'])
    expect(code(await sendForm([]))).toEqual([400, 'invalid_request'])
    expect(code(await api.post('/v1/media', { file: { name: 'a.png', base64: '***' } }))).toEqual([
      400,
      'invalid_request',
    ])
    expect(code(await api.post('/v1/media', { file: { name: 'a.png', base64: '' } }))).toEqual([422, 'image_invalid'])
  })
})

describe('SVG files', () => {
  const svg = (inner: string, head = '') =>
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">${inner}</svg>`
  const drawn = async (text: string) => {
    const { status, body } = await send(text, 'drawing.svg')
    expect(status, JSON.stringify(body)).toBe(201)
    return fileAt(body.original)
  }

  test('an SVG is stored as pixels, with no script or text left', async () => {
    const stored = await drawn(
      svg(
        '<script>alert(1)</script><rect width="40" height="40" fill="#ff0000" onload="alert(2)"/><text>hidden</text>',
      ),
    )
    expect((await sharp(stored).metadata()).format).toBe('webp')
    for (const word of ['script', 'alert', 'onload', 'svg', 'hidden']) expect(stored.includes(word)).toBe(false)
    expect(await colourOf(stored, { left: 30, top: 30 })).toEqual(near([255, 0, 0]))
  })

  test('references of an SVG read no local file and call no server', async () => {
    const secret = join(dir, 'secret.png')
    await writeFile(secret, await fill('#00ff00', 40, 40).png().toBuffer())
    let called = 0
    const server = createServer((_, response) => void response.end(String(++called)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const red = '<rect width="40" height="40" fill="#ff0000"/>'
    const over = (inner: string, head?: string) => svg(`${red}${inner}`, head)
    const image = (href: string) =>
      `<image width="40" height="40" href="${href}"/><image width="40" height="40" xlink:href="${href}"/>`
    const tries = [
      ...[
        secret,
        `file://${secret}`,
        'file:///etc/passwd',
        '../secret.png',
        `${address}/a.png`,
        `${address}/a.svg`,
      ].map((href) => over(image(href))),
      over(
        `<style>@import url("${address}/a.css"); @font-face { font-family: x; src: url("${address}/f.woff") } text { font-family: x }</style><text y="20" fill="none">a</text>`,
      ),
      over(`<use href="file://${secret}#a"/><use href="${address}/a.svg#a"/>`),
      over(
        `<filter id="f"><feImage href="file://${secret}"/></filter><rect width="40" height="40" fill="none" filter="url(#f)"/>`,
      ),
      over(
        image(
          'data:image/svg+xml;base64,' +
            Buffer.from(svg(image(`file://${secret}`) + image(`${address}/b.png`))).toString('base64'),
        ),
      ),
      over('<include xmlns="http://www.w3.org/2001/XInclude" parse="text" href="file:///etc/passwd"/>'),
    ]
    for (const text of tries)
      expect(await colourOf(await drawn(text), { left: 20, top: 30 }), text).toEqual(near([255, 0, 0]))
    expect(called).toBe(0)
  })

  test('an SVG that takes too long to draw is refused', async () => {
    const endless =
      '<filter id="f" width="500%" height="500%"><feTurbulence baseFrequency="0.9" numOctaves="1000000"/></filter><rect width="4000" height="4000" filter="url(#f)"/>'
    const refused = await send(`<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">${endless}</svg>`)
    expect([...code(refused), refused.body.detail]).toEqual([
      422,
      'image_invalid',
      'This image takes too long to draw.',
    ])
  }, 30_000)

  test('an external entity is not read, and exponential entity expansion is refused', async () => {
    const head = (declared: string) => `<?xml version="1.0"?><!DOCTYPE svg [${declared}]>`
    const plain = await drawn(svg('<rect width="40" height="40" fill="#ff0000"/><text x="1" y="20"></text>'))
    const answer = await send(
      svg(
        '<rect width="40" height="40" fill="#ff0000"/><text x="1" y="20">&e;</text>',
        head('<!ENTITY e SYSTEM "file:///etc/passwd">'),
      ),
    )
    if (answer.status === 201) expect((await fileAt(answer.body.original)).equals(plain)).toBe(true)
    else expect(code(answer)).toEqual([422, 'image_invalid'])
    const laughs = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    expect(code(await send(svg('<text>&l12;</text>', head(`<!ENTITY l0 "ha">${laughs}`))))).toEqual([
      422,
      'image_invalid',
    ])
  })
})

describe('uploaded files as images', () => {
  const upload = async (colour: string) => (await send(await fill(colour).png().toBuffer())).body
  const jobsFor = (id: string) =>
    mine.ctx.statement(`SELECT 1 FROM pgboss.job WHERE name = 'keep-image' AND data->>'item_id' = $1`, [id])

  test('an item takes an uploaded image by address or path, of any size, without fetching it', async () => {
    const { cid, original, full, thumb, tiny } = await upload('#99aabb')
    const collection_id = await makeCollection(api)
    for (const image_url of [original, full, new URL(thumb).pathname]) {
      const { status, body } = await api.post('/v1/items', { collection_id, attributes: { title: 'x', image_url } })
      expect([status, body.attributes.image_url, body.media]).toEqual([
        201,
        image_url,
        { image: { cid, original, full, thumb, tiny } },
      ])
      expect(await jobsFor(body.id)).toEqual([])
    }
  })

  test('an image the organization has not uploaded is refused, naming the field', async () => {
    const collection_id = await makeCollection(api)
    const other = callerOf((await makeOrganization()).key)
    const theirs = (
      await other.post('/v1/media', {
        file: { name: 'x', base64: (await fill('#fedcba').png().toBuffer()).toString('base64') },
      })
    ).body
    const addresses = [
      theirs.full,
      '/media/abc-full.webp',
      `/media/${theirs.cid}-huge.webp`,
      `http://elsewhere.example/media/${theirs.cid}-full.webp`,
    ]
    for (const image_url of addresses) {
      const refused = await api.post('/v1/items', { collection_id, attributes: { title: 'x', image_url } })
      expect([...code(refused), refused.body.errors[0].field]).toEqual([422, 'image_invalid', 'attributes.image_url'])
    }
    const bulk = await api.post('/v1/items/bulk', {
      items: [
        { collection_id, attributes: { title: 'x' } },
        { collection_id, attributes: { title: 'y', image_url: theirs.tiny } },
      ],
    })
    expect([...code(bulk), bulk.body.errors[0].field]).toEqual([422, 'image_invalid', 'items.1.attributes.image_url'])
    const { id } = (await api.post('/v1/items', { collection_id, attributes: { title: 'x' } })).body
    expect(code(await api.patch(`/v1/items/${id}`, { attributes: { title: 'x', image_url: theirs.full } }))).toEqual([
      422,
      'image_invalid',
    ])
    expect(code(await api.post('/v1/collections', { name: newId(), image_url: theirs.full }))).toEqual([
      422,
      'image_invalid',
    ])
    const collection = await api.patch(`/v1/collections/${collection_id}`, {
      media: { header_image_url: '/media/none-full.webp' },
    })
    expect([...code(collection), collection.body.errors[0].field]).toEqual([
      422,
      'image_invalid',
      'media.header_image_url',
    ])
  })

  test('a collection’s uploaded images are shown by absolute address, given by address or path', async () => {
    const { full, thumb } = await upload('#abcdef')
    const made = await api.post('/v1/collections', {
      name: newId(),
      image_url: new URL(full).pathname,
      media: { header_image_url: full, thumbnail_image_url: new URL(thumb).pathname },
    })
    expect(made.body).toMatchObject({ image_url: full, media: { header_image_url: full, thumbnail_image_url: thumb } })
    const again = await api.patch(`/v1/collections/${made.body.id}`, {
      image_url: thumb,
      media: { header_image_url: null },
    })
    expect(again.body).toMatchObject({
      image_url: thumb,
      media: { header_image_url: null, thumbnail_image_url: thumb },
    })
  })
})

test('a served file is immutable, sandboxed by CSP, and answered with 304 to a known ETag', async () => {
  const { original } = (await send(await fill('#777').png().toBuffer())).body
  const name = new URL(original).pathname.split('/').at(-1)!
  const ask = (headers: Record<string, string> = {}) =>
    serveMedia(new Request(original, { headers }), { params: Promise.resolve({ name }) })
  const { headers } = await ask()
  expect(
    Object.fromEntries(
      ['cache-control', 'x-content-type-options', 'content-security-policy', 'etag'].map((one) => [
        one,
        headers.get(one),
      ]),
    ),
  ).toEqual({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    etag: `"${name}"`,
  })
  for (const known of [`"${name}"`, `W/"${name}"`, `"other", "${name}"`, '*'])
    expect((await ask({ 'if-none-match': known })).status).toBe(304)
  expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200)
})
