import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { GET as serveMailPicture } from '../../app/media/mail/[name]/route.ts'
import { cidOf } from '../../lib/core/cid.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { fileAt, nameIn, sendMedia, storeOnDisk } from '../support/media.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
storeOnDisk()

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const send = (bytes: Uint8Array | string, still?: boolean) => sendMedia(api, bytes, 'art', { still })
const rgbaOf = (bytes: Buffer, animated = false) => sharp(bytes, { animated }).ensureAlpha().raw().toBuffer()

const SIDE = 24
const COLOURS = [0xff0000, 0x00ff00, 0x0000ff, 0xffff00, 0xff00ff, 0x00ffff, 0x000000, 0xffffff]
/** Pixel art: no two neighbours have the same colour. */
const art = (width = SIDE, height = SIDE, colours = COLOURS) => {
  const raw = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at++)
    raw.writeUIntBE(colours[(at * 7 + Math.floor(at / width) * 3) % colours.length]!, at * 3, 3)
  return sharp(raw, { raw: { width, height, channels: 3 } })
}
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })

describe('originals', () => {
  test('pixel art keeps each pixel in all sizes, and its original is the uploaded file byte for byte', async () => {
    const files = [
      [await art().png({ compressionLevel: 9 }).toBuffer(), 'png'],
      [await art().png({ palette: true }).toBuffer(), 'png'],
      [await art().gif().toBuffer(), 'gif'],
      [await art().webp({ lossless: true }).toBuffer(), 'webp'],
    ] as const
    for (const [given, kind] of files) {
      const { status, body } = await send(given)
      expect([status, nameIn(body.original)]).toEqual([201, `${body.cid}-${kind}-original.${kind}`])
      const original = await fileAt(body.original)
      expect(original.bytes.equals(given), kind).toBe(true)
      expect([await cidOf(given), given.length]).toEqual([body.cid, body.bytes])
      for (const size of ['full', 'thumb', 'tiny'])
        expect((await rgbaOf((await fileAt(body[size])).bytes)).equals(await rgbaOf(given)), `${kind} ${size}`).toBe(
          true,
        )
    }
  })

  test('a stored file is served with our content type, unsniffed and sandboxed', async () => {
    const kinds = {
      png: 'image/png',
      jpeg: 'image/jpeg',
      gif: 'image/gif',
      webp: 'image/webp',
      avif: 'image/avif',
    } as const
    for (const [kind, type] of Object.entries(kinds)) {
      const { body } = await send(
        await noise(300, 200)
          .toFormat(kind as keyof typeof kinds)
          .toBuffer(),
      )
      const { headers } = await fileAt(body.original)
      expect([
        headers.get('content-type'),
        headers.get('x-content-type-options'),
        headers.get('content-security-policy'),
      ]).toEqual([type, 'nosniff', "default-src 'none'; sandbox"])
    }
  })

  test('a large picture of few colours is stored without loss, and a photo is not', async () => {
    const { body } = await send(await art(700, 500).png().toBuffer())
    expect(
      (await rgbaOf((await fileAt(body.full)).bytes)).equals(await rgbaOf(await art(700, 500).png().toBuffer())),
    ).toBe(true)
    const photo = await noise(700, 500).png().toBuffer()
    const full = (await fileAt((await send(photo)).body.full)).bytes
    expect((await rgbaOf(full)).equals(await rgbaOf(photo))).toBe(false)
    expect(full.length).toBeLessThan(photo.length)
  })

  test('EXIF, XMP and places are cut out of each kind without touching a pixel; orientation and profile stay', async () => {
    for (const kind of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const given = await noise(60, 30)
        .withExif({ IFD0: { Artist: 'A secret name' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret place</x:xmpmeta>')
        .withIccProfile('p3')
        .withMetadata({ orientation: 6 })
        .toFormat(kind)
        .toBuffer()
      expect(given.includes('secret')).toBe(true)
      const { body } = await send(given)
      const { bytes } = await fileAt(body.original)
      expect((await rgbaOf(bytes)).equals(await rgbaOf(given)), kind).toBe(true)
      const [before, after] = [await sharp(given).metadata(), await sharp(bytes).metadata()]
      expect([after.orientation, after.icc?.equals(before.icc!), after.xmp], kind).toEqual([
        before.orientation,
        true,
        undefined,
      ])
      for (const word of ['secret', 'xmpmeta', 'A secret name'])
        expect(bytes.includes(word), `${kind} ${word}`).toBe(false)
      expect([body.width, body.height], kind).toEqual([after.autoOrient.width, after.autoOrient.height])
    }
  })

  test('what follows a picture’s end, and comments in it, are not stored', async () => {
    const png = await art().png().toBuffer()
    const text = Buffer.concat([
      Buffer.from('\0\0\0\x0d', 'latin1'),
      Buffer.from('tEXtComment\0hiddn'),
      Buffer.alloc(4),
    ])
    const gif = await art().gif().toBuffer()
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 6]), Buffer.from('hidden'), Buffer.from([0])])
    const jpeg = await noise(300, 300).jpeg({ progressive: true }).toBuffer()
    const jpegComment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 8]), Buffer.from('hidden')])
    const webp = await noise(40, 40).webp().toBuffer()
    const pairs: [Buffer, Buffer][] = [
      [png, Buffer.concat([png.subarray(0, 33), withSum(text), png.subarray(33), Buffer.from('<script>hidden')])],
      [gif, Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1), Buffer.from('hidden')])],
      [jpeg, Buffer.concat([jpeg.subarray(0, 2), jpegComment, jpeg.subarray(2), Buffer.from('hidden')])],
      [webp, Buffer.concat([webp, Buffer.from('hidden')])],
    ]
    for (const [plain, padded] of pairs)
      expect(
        (await fileAt((await send(padded)).body.original)).bytes.equals(plain),
        plain.toString('latin1', 0, 12),
      ).toBe(true)
  })

  test('a file that can be decoded only in part is refused', async () => {
    const whole = [
      await noise(300, 300).png().toBuffer(),
      await noise(300, 300).jpeg().toBuffer(),
      await noise(300, 300).webp().toBuffer(),
      await noise(300, 300).gif().toBuffer(),
      await noise(300, 300).avif().toBuffer(),
    ]
    for (const bytes of whole) {
      const { status, body } = await send(bytes.subarray(0, Math.floor(bytes.length * 0.7)))
      expect([status, body.code], bytes.toString('latin1', 0, 12)).toEqual([422, 'image_invalid'])
    }
  })

  test('files stored before keep their CID and their URLs', async () => {
    const cid = `bafkrei${'d'.repeat(52)}`
    await systemClient().mediaFile.create({
      data: { id: newId(), organizationId: mine.id, cid, name: 'old.png', width: 24, height: 24, bytes: 99 },
    })
    const found = (await api.get(`/v1/media?search=${cid}`)).body.results[0]
    const urlOf = (size: string) => `http://localhost:3000/media/${cid}-${size}.webp`
    expect(found).toMatchObject({ cid, original: urlOf('original'), full: urlOf('full'), tiny: urlOf('tiny') })
    const attributes = { title: 'Old', image_url: `/media/${cid}-thumb.webp` }
    const item = (await api.post('/v1/items', { collection_id: await makeCollection(api), attributes })).body
    expect(item.media.image).toEqual({
      cid,
      original: urlOf('original'),
      full: urlOf('full'),
      thumb: urlOf('thumb'),
      tiny: urlOf('tiny'),
    })
    // Of another kind there is no such file.
    const other = { title: 'Old', image_url: `/media/${cid}-png-original.png` }
    expect((await api.post('/v1/items', { collection_id: item.collection_id, attributes: other })).body.code).toBe(
      'image_invalid',
    )
  })

  test('a mail’s copy of a small picture is enlarged with hard edges', async () => {
    const { body } = await send(await art(24, 24, [0xff0000, 0x0000ff]).png().toBuffer())
    const stem = nameIn(body.full).replace('-full.webp', '')
    const { bytes } = await fileAt(`http://localhost:3000/media/mail/${stem}.jpg`, serveMailPicture)
    expect((await sharp(bytes).metadata()).width).toBe(1200)
    const rgb = await sharp(bytes).raw().toBuffer()
    const at = (x: number, y: number) =>
      [...rgb.subarray((y * 1200 + x) * 3, (y * 1200 + x) * 3 + 3)].map((one) => Math.round(one / 32))
    expect([at(25, 25), at(75, 25)]).toEqual([
      [8, 0, 0],
      [0, 0, 8],
    ])
  })
})

describe('movement', () => {
  const moving = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">${inner}</svg>`
  const rect = '<rect width="40" height="40" fill="#ff0000"/>'

  test('a picture whose movement would be lost is refused, unless a still one is asked for', async () => {
    const pictures = [
      moving('<rect width="9" height="9"><animate attributeName="x" to="30" dur="1s"/></rect>'),
      moving(`<style>@keyframes turn { to { opacity: 0 } }</style>${rect}`),
      await animatedPng(),
    ]
    for (const picture of pictures) {
      const refused = await send(picture)
      expect([refused.status, refused.body.code, refused.body.errors[0].field]).toEqual([422, 'movement_lost', 'file'])
      const kept = await send(picture, true)
      expect(kept.status).toBe(201)
      expect((await fileAt(kept.body.original)).bytes.includes('acTL')).toBe(false)
    }
    expect((await send(moving(rect))).status).toBe(201)
  })

  async function animatedPng(): Promise<Buffer> {
    const png = await art().png().toBuffer()
    const control = Buffer.alloc(20)
    control.write('\0\0\0\x08acTL', 0, 'latin1')
    control.writeUInt32BE(1, 8)
    return Buffer.concat([png.subarray(0, 33), withSum(control), png.subarray(33)])
  }
})

/** A PNG chunk whose last four bytes are its checksum. */
function withSum(chunk: Buffer): Buffer {
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}
