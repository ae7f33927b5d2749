import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { GET as serveMedia } from '../../app/media/[name]/route.ts'
import { cidOf } from '../../lib/core/cid.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf, code } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { bytesAt, fill, nameIn, part, sendMedia, sendMediaForm, storeOnDisk } from '../support/media.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
storeOnDisk()

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const origin = 'http://localhost:3000'
const send = (bytes: Uint8Array | string, name?: string) => sendMedia(api, bytes, name)

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
    const original = await bytesAt(answer.body.original, 'image/jpeg')
    expect([await cidOf(original), original.length]).toEqual([cid, answer.body.bytes])
    const widths = await Promise.all(
      ['full', 'thumb', 'tiny'].map(async (size) => (await sharp(await bytesAt(answer.body[size])).metadata()).width),
    )
    expect(widths).toEqual([900, 600, 64])
    expect((await api.get(`/v1/media/${id}`)).body).toEqual(answer.body)
    const [audited] = await systemClient().auditEntry.findMany({ where: { organizationId: mine.id, subjectId: id } })
    expect(audited).toMatchObject({ action: 'media.uploaded', subjectType: 'media' })
  })

  test('a form upload repeated with its Idempotency-Key gets the same response', async () => {
    const bytes = await fill('#102030').png().toBuffer()
    const headers = { 'idempotency-key': newId() }
    const first = await sendMediaForm(mine.key, [['file', part(bytes, 'form.png')]], headers)
    expect([first.status, first.body.name]).toEqual([201, 'form.png'])
    const again = await sendMediaForm(mine.key, [['file', part(bytes, 'form.png')]], headers)
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body])
    expect(
      code(
        await sendMediaForm(mine.key, [['file', part(await fill('#302010').png().toBuffer(), 'form.png')]], headers),
      ),
    ).toEqual([409, 'idempotency_mismatch'])
  })

  test('the same file uploaded again or three times at once makes one record per organization', async () => {
    const bytes = await fill('#445566').png().toBuffer()
    const answers = await Promise.all([send(bytes, 'a.png'), send(bytes, 'b.png'), send(bytes, 'c.png')])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await send(bytes, 'later.png')).body).toEqual(answers[0]!.body)
    const other = callerOf((await makeOrganization()).key)
    const theirs = (await sendMedia(other, bytes, 'theirs.png')).body
    expect([theirs.cid === answers[0]!.body.cid, theirs.id === answers[0]!.body.id, theirs.name]).toEqual([
      true,
      false,
      'theirs.png',
    ])
  })

  test('uploads are listed newest first, and found by name, CID and pinning', async () => {
    const own = callerOf((await makeOrganization()).key)
    const put = async (colour: string, name: string) =>
      (await sendMedia(own, await fill(colour).png().toBuffer(), name)).body
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

describe('uploaded files as images', () => {
  const upload = async (colour: string) => (await send(await fill(colour).png().toBuffer())).body
  const jobsFor = (id: string) =>
    systemClient().$queryRaw<object[]>`SELECT 1 FROM jobs WHERE name = 'keep-image' AND payload->>'item_id' = ${id}`

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
    const theirs = (await sendMedia(other, await fill('#fedcba').png().toBuffer())).body
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
  const name = nameIn(original)
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
