import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callerOf, code } from '../support/call.ts'
import { bytesAt, fill, part, sendMedia, sendMediaForm, storeOnDisk } from '../support/media.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const dir = storeOnDisk()

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const send = (bytes: Uint8Array | string, name?: string) => sendMedia(api, bytes, name)
const colourOf = async (bytes: Buffer, at: { left: number; top: number } = { left: 5, top: 5 }) =>
  [
    ...(await sharp(bytes)
      .extract({ ...at, width: 1, height: 1 })
      .ensureAlpha()
      .raw()
      .toBuffer()),
  ].map((value) => Math.round(value / 16))
const near = (rgb: [number, number, number]) => [...rgb.map((value) => Math.round(value / 16)), 16]

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
      const stored = await bytesAt(body[size])
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
        expect(await sharp(await bytesAt(body[size], size === 'original' ? type : undefined)).metadata()).toMatchObject(
          {
            pages: 3,
            delay: [100, 200, 300],
            loop: 2,
          },
        )
      for (const size of ['thumb', 'tiny']) {
        const still = await bytesAt(body[size])
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
      expect(
        (await sendMediaForm(mine.key, [['file', part(await kind.toBuffer(), 'notes.txt', 'text/plain')]])).status,
      ).toBe(201)
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
      const refused = await sendMediaForm(mine.key, [['file', part(Buffer.from(bytes), 'a.png')]])
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
    expect(code(await sendMediaForm(mine.key, [['file', part(new Uint8Array(25 * 1024 * 1024 + 1))]]))).toEqual([
      413,
      'body_too_large',
    ])
    expect(code(await sendMediaForm(mine.key, [['file', 'text']]))).toEqual([400, 'invalid_request'])
    expect(code(await sendMediaForm(mine.key, []))).toEqual([400, 'invalid_request'])
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
    return bytesAt(body.original)
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
    if (answer.status === 201) expect((await bytesAt(answer.body.original)).equals(plain)).toBe(true)
    else expect(code(answer)).toEqual([422, 'image_invalid'])
    const laughs = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    expect(code(await send(svg('<text>&l12;</text>', head(`<!ENTITY l0 "ha">${laughs}`))))).toEqual([
      422,
      'image_invalid',
    ])
  })
})
