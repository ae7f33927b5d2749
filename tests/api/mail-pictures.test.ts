import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { GET } from '../../app/media/mail/[name]/route.ts'
import { newId } from '../../lib/core/id.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { uploadMedia } from '../../lib/records/media/upload-media.ts'
import { organizationContext } from '../../lib/platform/auth/authenticate.ts'
import { installFakeChain, sendClaim } from '../support/claims.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let mailbox: Mailbox

beforeAll(async () => {
  installFakeChain()
  mailbox = await startMailbox()
  mine = await makeOrganization()
})

const at = (name: string, headers = {}) =>
  GET(new Request(`http://localhost:3000/media/mail/${name}`, { headers }), { params: Promise.resolve({ name }) })
const pictureIn = (html: string) => /src="http:\/\/localhost:3000\/media\/mail\/([^"]+)"/.exec(html)?.[1]
const sizeOf = async (answer: Response) => {
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  return [answer.status, answer.headers.get('content-type'), format, width, height]
}

/** A picture that no earlier run has stored: some of its pixels are random. */
async function upload(background: { r: number; g: number; b: number; alpha: number }) {
  const speck = { input: randomBytes(8 * 8 * 3), raw: { width: 8, height: 8, channels: 3 as const }, left: 0, top: 0 }
  const bytes = await sharp({ create: { width: 1500, height: 750, channels: 4, background } })
    .composite([speck])
    .png()
    .toBuffer()
  return uploadMedia(organizationContext(mine.id), { file: { name: 'art.png', bytes } } as never)
}
async function mailOf(claim: { email: string }) {
  await mailbox.deliver(claim.email)
  return mailbox.mailsTo(claim.email)[0]!.html as string
}

test('a gift’s mail shows its item as a JPEG of 1200 pixels', async () => {
  const { cid, full } = await upload({ r: 200, g: 20, b: 20, alpha: 1 })
  const name = `${cid}-png.jpg`
  const html = await mailOf(await sendClaim(mine, { attributes: { title: 'Moonflower', image_url: full } }))
  expect(pictureIn(html)).toBe(name)
  expect(html).not.toContain('.webp')
  const first = await at(name)
  expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await sizeOf(first)).toEqual([200, 'image/jpeg', 'jpeg', 1200, 600])
  expect((await at(name, { 'if-none-match': first.headers.get('etag')! })).status).toBe(304)
})

test('an item without a picture is shown by the art that is drawn for it', async () => {
  const { itemId, ...claim } = await sendClaim(mine)
  const html = await mailOf(claim)
  expect(pictureIn(html)).toBe(`${itemId}.jpg`)
  expect(await sizeOf(await at(`${itemId}.jpg`))).toEqual([200, 'image/jpeg', 'jpeg', 1200, 1200])
})

test('what is transparent stands on white, and a logo keeps its transparency', async () => {
  const { cid } = await upload({ r: 0, g: 0, b: 0, alpha: 0 })
  const jpeg = sharp(Buffer.from(await (await at(`${cid}-png.jpg`)).arrayBuffer()))
  expect((await jpeg.stats()).channels.map(({ mean }) => Math.round(mean))).toEqual([255, 255, 255])
  expect(await sizeOf(await at(`${cid}-png-logo.png`))).toEqual([200, 'image/png', 'png', 280, 152])
})

test('many who ask for a picture at once have it made once', async () => {
  const { cid } = await upload({ r: 1, g: 99, b: 50, alpha: 1 })
  const { storage } = ports()
  const made: string[] = []
  replacePorts({
    storage: {
      ...storage,
      put: (name, ...rest) => {
        made.push(name)
        return storage.put(name, ...rest)
      },
    },
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => at(`${cid}-png.jpg`)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(made).toEqual([`${cid}-png-mail.jpg`])
  await at(`${cid}-png.jpg`)
  expect(made).toHaveLength(1)
  replacePorts({ storage })
})

test('no name leads to anything but our own files and items', async () => {
  const unknown = `bafkrei${'q'.repeat(52)}`
  for (const name of [
    `${unknown}.jpg`,
    `${unknown}-logo.png`,
    `${newId()}.jpg`,
    'https:__evil.example_x.jpg',
    '..%2f..%2fetc%2fpasswd',
    `${unknown}-mail.jpg`,
    'x.jpg',
    '',
  ])
    expect((await at(name)).status, name).toBe(404)
})
