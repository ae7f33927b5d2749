import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { listContents } from '../../lib/catalog/collections/reveal.ts'
import { commitmentOf, contentHashOf, provenanceOf } from '../../lib/catalog/collections/shuffle.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { authenticate } from '../../lib/platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../lib/platform/auth/context.ts'
import { call, callerOf, code } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeCollection, makeDeployedCollection } from '../support/collections.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const open = callerOf()
const preview = { title: 'A closed box', kind: 'unknown' }
const SECRET = 'dragonfly'

beforeAll(async () => {
  await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const reveal = (id: string) => api.post(`/v1/collections/${id}/reveal`, {})
const proofOf = async (id: string) => (await open.get(`/public/v1/collections/${id}/reveal`)).body

/** A hidden collection whose items have different contents, each containing SECRET. */
async function makeHidden({
  count = 6,
  lock = true,
  ...options
}: { count?: number; lock?: boolean } & Record<string, unknown> = {}) {
  const id = await makeDeployedCollection(mine, { reveal_strategy: 'DELAYED', preview_metadata: preview, ...options })
  const items = Array.from({ length: count }, (_, at) => ({
    collection_id: id,
    attributes: {
      title: `${SECRET} ${at}`,
      description: `${SECRET} described`,
      image_url: `https://images.example/${SECRET}-${at}.png`,
      rarity: `${SECRET} rarity ${at % 3}`,
    },
    translations: { de: { title: `${SECRET} ${at}` } },
  }))
  const itemIds: string[] = count === 0 ? [] : (await api.post('/v1/items/bulk', { items })).body.item_ids
  if (lock) await api.post('/v1/items/lock', { collection_id: id })
  return { id, itemIds }
}

const titlesOf = async (id: string): Promise<Map<string, string>> => {
  const { results } = (await open.get(`/public/v1/items?collection_ids=${id}&order_direction=ASC`)).body
  return new Map(results.map((item: { token_id: string; title: string }) => [item.token_id, item.title]))
}

describe('before the reveal', () => {
  test('the commitment is shown from the start, to members and in public; the seed is not', async () => {
    const made = await api.post('/v1/collections', {
      name: newId(),
      reveal_strategy: 'DELAYED',
      preview_metadata: preview,
    })
    expect(made.body.reveal).toEqual({
      state: 'HIDDEN',
      commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
      provenance: null,
      revealed_at: null,
      seed: null,
      proof_url: expect.stringMatching(`/public/v1/collections/${made.body.id}/reveal$`),
    })
    const { id } = await makeHidden()
    const admin = (await api.get(`/v1/collections/${id}`)).body.reveal
    expect((await open.get(`/public/v1/collections/${id}`)).body.reveal).toEqual(admin)
    expect(await proofOf(id)).toEqual({ ...admin, algorithm: null, contents: null, tokens: null })
    const { revealSeed } = await mine.ctx.db.collection.findFirstOrThrow({ where: { id } })
    expect(revealSeed!.length).toBeGreaterThan(64)
    const audited = await mine.ctx.db.auditEntry.findMany({ where: { subjectId: id } })
    expect(JSON.stringify(audited)).not.toContain('revealSeed')
  })

  test('every public response and event shows the preview only', async () => {
    const { id, itemIds } = await makeHidden()
    const [first, second] = itemIds as [string, string]
    const listing = (
      await api.post('/v1/listings', {
        item_id: first,
        quantity_listed: 1,
        price: 0,
        currency: 'ETH',
        payment_providers: ['ORGANIZATION'],
      })
    ).body
    const claim = (await api.post('/v1/email-claims', { email: 'ada@example.com', item_id: second })).body
    const bought = await open.post('/public/v1/purchase-intents', {
      listing_id: listing.id,
      buyer: { eth_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    })
    expect(bought.status).toBe(201)
    const token = claim.claim_url.split('/').at(-1)
    const pages = await Promise.all(
      [
        `/public/v1/collections/${id}`,
        `/public/v1/collections/${id}/stats`,
        `/public/v1/collections/${id}/reveal`,
        `/public/v1/collections?organization_id=${mine.id}`,
        `/public/v1/items?collection_ids=${id}`,
        `/public/v1/items/${first}`,
        `/public/v1/metadata/${id}/1`,
        `/public/v1/metadata/${id}`,
        `/public/v1/email-claims/${token}`,
        `/public/v1/listings/${listing.id}`,
        `/public/v1/listings?organization_id=${mine.id}`,
        `/public/v1/purchase-intents/${bought.body.id}?secret=${bought.body.secret}`,
      ].map((url) => open.get(url)),
    )
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200))
    expect(JSON.stringify([bought.body, ...pages.map(({ body }) => body)])).not.toContain(SECRET)
    expect(pages[5]!.body).toMatchObject({
      title: 'A closed box',
      attributes: { kind: { value: 'unknown' } },
      media: { image: null },
    })
    expect(new Set((await titlesOf(id)).values())).toEqual(new Set(['A closed box']))
    const events = await mine.ctx.db.event.findMany({ where: { organizationId: mine.id } })
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(SECRET)
  })

  test('hidden attributes cannot be searched for and are not counted', async () => {
    const { id } = await makeHidden()
    for (const among of [`collection_ids=${id}&`, ''])
      expect(
        (await open.get(`/public/v1/items?${among}attributes=rarity:${SECRET} rarity 0`)).body.results.filter(
          (item: { collection_id: string }) => item.collection_id === id,
        ),
      ).toEqual([])
    expect((await open.get(`/public/v1/collections/${id}/stats`)).body).toMatchObject({ attributes: {}, items: 6 })
  })

  test('all locked items have the same metadata and ETag', async () => {
    const { id } = await makeHidden({ preview_metadata: { ...preview, image_url: 'https://images.example/box.png' } })
    const tags = await Promise.all(
      ['1', '2', '6'].map(async (token) => (await open.get(`/public/v1/metadata/${id}/${token}`)).headers.get('etag')),
    )
    expect(new Set(tags).size).toBe(1)
  })

  test('contents may change until units are committed, and the provenance changes with them', async () => {
    const { id, itemIds } = await makeHidden({ count: 2 })
    const before = (await proofOf(id)).provenance
    await api.patch(`/v1/items/${itemIds[0]}`, { attributes: { title: `${SECRET} changed` } })
    const after = (await proofOf(id)).provenance
    expect(after).not.toBe(before)
    await api.post('/v1/items', { collection_id: id, attributes: { title: 'One more' } })
    await api.post('/v1/items/lock', { collection_id: id })
    expect((await proofOf(id)).provenance).not.toBe(after)
  })

  test('once a listing exists locked contents cannot be edited or added; they can after it is deleted', async () => {
    const { id, itemIds } = await makeHidden()
    const { provenance } = await proofOf(id)
    const late = (await api.post('/v1/items', { collection_id: id, attributes: { title: 'Late' } })).body.id
    const listing = (
      await api.post('/v1/listings', {
        collection_id: id,
        quantity_listed: 2,
        price: 0,
        currency: 'ETH',
        payment_providers: ['ORGANIZATION'],
      })
    ).body
    const edit = () => api.patch(`/v1/items/${itemIds[5]}`, { attributes: { title: 'Better' } })
    expect(code(await edit())).toEqual([409, 'contents_fixed'])
    expect(code(await api.post('/v1/items/lock', { item_id: late }))).toEqual([409, 'contents_fixed'])
    expect((await api.patch(`/v1/items/${late}`, { attributes: { title: 'Later' } })).status).toBe(200)
    expect((await proofOf(id)).provenance).toBe(provenance)
    await api.delete(`/v1/listings/${listing.id}`)
    expect((await edit()).status).toBe(200)
  })

  test('the strategy is fixed once an item is locked, and a delayed reveal needs ERC-721', async () => {
    const { id } = await makeHidden()
    expect(code(await api.patch(`/v1/collections/${id}`, { reveal_strategy: 'INSTANT' }))).toEqual([
      409,
      'reveal_impossible',
    ])
    expect(
      (
        await api.patch(`/v1/collections/${id}`, {
          reveal_strategy: 'DELAYED',
          preview_metadata: { title: 'Another box' },
        })
      ).status,
    ).toBe(200)
    const unlocked = await makeCollection(api)
    expect(
      (await api.patch(`/v1/collections/${unlocked}`, { reveal_strategy: 'DELAYED' })).body.reveal.commitment,
    ).toMatch(/^[0-9a-f]{64}$/)
    expect(
      code(
        await api.post(`/v1/collections/${unlocked}/deployment-request`, {
          network_id: 31337,
          platform: { symbol: 'B', variant: 'ERC1155' },
        }),
      ),
    ).toEqual([422, 'deployment_invalid'])
    expect((await api.patch(`/v1/collections/${unlocked}`, { reveal_strategy: 'INSTANT' })).body.reveal).toBeNull()
    const editions = await makeDeployedCollection(mine, { variant: 'ERC1155' })
    expect(code(await api.patch(`/v1/collections/${editions}`, { reveal_strategy: 'DELAYED' }))).toEqual([
      409,
      'reveal_impossible',
    ])
  })
})

describe('the reveal', () => {
  test('the contents of a large collection are read in pages, each item once, in the order of token ids', async () => {
    const { id } = await makeHidden({ count: 0 })
    await systemClient().$executeRaw`
      INSERT INTO items (id, organization_id, collection_id, attributes, token_id, max_supply, locked_at, updated_at)
      SELECT gen_random_uuid(), ${mine.id}::uuid, ${id}::uuid, '{}', n, 1, now(), now() FROM generate_series(1, 2500) n`
    const { result, roundTrips } = await countRoundTrips(() => inTransaction(mine.ctx, (tx) => listContents(tx, id)))
    expect(result.map(({ tokenId }) => tokenId)).toEqual(Array.from({ length: 2_500 }, (_, at) => `${at + 1}`))
    expect(roundTrips.filter((text) => text.includes('FROM items'))).toHaveLength(3)
  })

  test('contents are shuffled among the items; ids, token ids and claims stay; the contract is updated', async () => {
    const { id, itemIds } = await makeHidden({ count: 20 })
    const claim = (await api.post('/v1/email-claims', { email: 'ada@example.com', item_id: itemIds[3]! })).body
    const { commitment, provenance } = await proofOf(id)
    const before = (await mine.ctx.db.item.findMany({ where: { collectionId: id } })).sort(
      (a, b) => Number(a.tokenId) - Number(b.tokenId),
    )
    const { status, body } = await reveal(id)
    expect(status).toBe(200)
    expect(body.reveal).toMatchObject({
      state: 'REVEALED',
      commitment,
      provenance,
      seed: expect.stringMatching(/^[0-9a-f]{64}$/),
      revealed_at: expect.any(String),
    })
    expect(commitmentOf(body.reveal.seed)).toBe(commitment)
    const after = (await mine.ctx.db.item.findMany({ where: { collectionId: id } })).sort(
      (a, b) => Number(a.tokenId) - Number(b.tokenId),
    )
    expect(after.map((row) => [row.id, row.tokenId])).toEqual(before.map((row) => [row.id, row.tokenId]))
    const titles = (rows: typeof before) => rows.map(({ attributes }) => (attributes as { title: string }).title)
    expect(titles(after)).not.toEqual(titles(before))
    expect(titles(after).sort()).toEqual(titles(before).sort())
    const translated = after.map(({ translations }) => (translations as { de: { title: string } }).de.title)
    expect(translated).toEqual(titles(after))
    expect([...(await titlesOf(id)).values()]).toEqual(titles(after.slice()))
    expect((await api.get(`/v1/email-claims/${claim.id}`)).body).toMatchObject({
      active: true,
      item_id: itemIds[3],
      token_id: '4',
    })
    expect(
      (await open.get(`/public/v1/items?collection_ids=${id}&attributes=rarity:${SECRET} rarity 0`)).body.total_results,
    ).toBe(7)
    const everywhere = (await open.get(`/public/v1/items?limit=1000&attributes=rarity:${SECRET} rarity 0`)).body.results
    expect(everywhere.filter((item: { collection_id: string }) => item.collection_id === id)).toHaveLength(7)
    expect((await open.get(`/public/v1/collections/${id}/stats`)).body.attributes.rarity).toEqual({
      [`${SECRET} rarity 0`]: 7,
      [`${SECRET} rarity 1`]: 7,
      [`${SECRET} rarity 2`]: 6,
    })
    const sent = await mine.ctx.db.transaction.findMany({ where: { collectionId: id, txType: 'UPDATE_METADATA' } })
    expect(sent.map(({ payload }) => payload)).toEqual([{ from_token_id: '1', to_token_id: '20' }])
  })

  test('an image moves with its contents', async () => {
    const { id, itemIds } = await makeHidden({ count: 8 })
    for (const [at, itemId] of itemIds.entries())
      await mine.ctx.db.item.updateMany({
        where: { id: itemId },
        data: {
          imageSource: `https://images.example/${SECRET}-${at}.png`,
          imageCid: `cid${at}`,
          imageFile: `file${at}`,
        },
      })
    await reveal(id)
    for (const row of await mine.ctx.db.item.findMany({ where: { collectionId: id } })) {
      const at = (row.attributes as { title: string }).title.split(' ')[1]
      expect([row.imageSource, row.imageCid, row.imageFile]).toEqual([
        (row.attributes as { image_url: string }).image_url,
        `cid${at}`,
        `file${at}`,
      ])
    }
  })

  test('the script of docs/reveal.md verifies a reveal and finds a forged item', async () => {
    const { id } = await makeHidden({ count: 12 })
    await reveal(id)
    expect(await verifyByScript(id)).toEqual({ failed: false, output: expect.stringMatching(/^(yes .*\n){3}$/) })
    const { contents, provenance, tokens } = await proofOf(id)
    expect(provenanceOf(contents)).toBe(provenance)
    expect(tokens).toHaveLength(12)
    const [item] = (await api.get(`/v1/items?collection_id=${id}&limit=1&order_direction=ASC`)).body.results
    expect(tokens[0]).toEqual({ token_id: '1', content_hash: contentHashOf(item.attributes) })
    await mine.ctx.db.item.updateMany({ where: { id: item.id }, data: { attributes: { title: 'Forged' } } })
    expect(await verifyByScript(id)).toEqual({
      failed: true,
      output: expect.stringContaining('NO  token 1 shows what it got'),
    })
  })

  test('a private collection’s proof can be read by its id', async () => {
    const { id } = await makeHidden({ is_public: false })
    await reveal(id)
    expect((await open.get(`/public/v1/collections/${id}`)).status).toBe(404)
    expect((await proofOf(id)).tokens).toHaveLength(6)
  })

  test('a proof that a process of the release before wrote is shown', async () => {
    const { id } = await makeHidden({ count: 2 })
    const proof = {
      seed: 'aa',
      algorithm: 'known',
      contents: ['0x01'],
      tokens: [{ token_id: '1', content_hash: '0x01' }],
    }
    await systemClient().$executeRaw`
      UPDATE collections SET reveal_proof = ${JSON.stringify(proof)}::jsonb, revealed_at = now() WHERE id = ${id}::uuid`
    expect(await proofOf(id)).toMatchObject(proof)
    expect((await api.get(`/v1/collections/${id}`)).body.reveal.seed).toBe('aa')
  })

  test('a proof is read by nobody else before the reveal, and no view of a collection or item reads it', async () => {
    const { id } = await makeHidden({ count: 2 })
    expect((await reveal(id)).status).toBe(200)
    const row = await mine.ctx.db.collection.findFirstOrThrow({ where: { id } })
    expect(Object.keys(row)).not.toContain('revealProof')
    await systemClient().$executeRaw`UPDATE collections SET revealed_at = NULL WHERE id = ${id}::uuid`
    const stored = (ctx: Context) => ctx.db.revealProof.findMany({ where: { collectionId: id } })
    expect(await stored((await makeOrganization()).ctx)).toEqual([])
    const anyone = await authenticate(
      'anonymous',
      new Request('http://localhost'),
      {},
      { requestId: 'test', clientAddress: '' },
    )
    expect(await stored(anyone)).toEqual([])
    expect(await stored(mine.ctx)).toHaveLength(1)
  })

  test('an instant, an empty and an unlocked collection cannot be revealed, nor without the permission', async () => {
    const instant = await makeDeployedCollection(mine)
    expect(code(await reveal(instant))).toEqual([409, 'reveal_impossible'])
    expect((await open.get(`/public/v1/collections/${instant}/reveal`)).status).toBe(404)
    const { id: empty } = await makeHidden({ count: 0, lock: false })
    expect(code(await reveal(empty))).toEqual([409, 'reveal_impossible'])
    const { id } = await makeHidden({ count: 3, lock: false })
    const refused = await reveal(id)
    expect([...code(refused), refused.body.unlocked]).toEqual([409, 'reveal_impossible', 3])
    const reader = await makeKey(mine, { permissions: ['collections:read'] })
    expect(code(await call('POST', `/v1/collections/${id}/reveal`, { key: reader.key, body: {} }))).toEqual([
      403,
      'forbidden',
    ])
  })

  test('three simultaneous requests make one reveal, and the contents stay as dealt', async () => {
    const { id } = await makeHidden({ count: 10 })
    const answers = await Promise.all([reveal(id), reveal(id), reveal(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const titles = await titlesOf(id)
    expect(code(await reveal(id))).toEqual([409, 'already_revealed'])
    expect(await titlesOf(id)).toEqual(titles)
  })

  test('after the reveal items can be edited, added and locked', async () => {
    const { id, itemIds } = await makeHidden({ count: 2 })
    await reveal(id)
    expect((await api.patch(`/v1/items/${itemIds[0]}`, { attributes: { title: 'Edited' } })).status).toBe(200)
    await api.post('/v1/items', { collection_id: id, attributes: { title: 'Late' } })
    expect((await api.post('/v1/items/lock', { collection_id: id })).status).toBe(201)
    expect((await proofOf(id)).tokens).toHaveLength(2)
  })

  test('a TEST key cannot reveal a collection on a LIVE network', async () => {
    const { id } = await makeHidden()
    await mine.ctx.db.collection.update({ where: { id }, data: { mode: 'LIVE' } })
    expect(code(await reveal(id))).toEqual([422, 'mode_mismatch'])
  })
})

/** Runs the documented script against a server in this process. */
async function verifyByScript(collectionId: string): Promise<{ failed: boolean; output: string }> {
  const server = createServer(
    (request, response) =>
      void open.get(request.url!).then(({ status, body }) => response.writeHead(status).end(JSON.stringify(body))),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dir = await mkdtemp(path.join(os.tmpdir(), 'reveal-'))
  try {
    const doc = await readFile(path.resolve(import.meta.dirname, '../../docs/reveal.md'), 'utf8')
    await writeFile(path.join(dir, 'check.ts'), /```ts\n([\s\S]*?)```/.exec(doc)![1]!)
    const args = [
      path.join(dir, 'check.ts'),
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/public`,
      collectionId,
    ]
    return await promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => ({ failed: false, output: stdout }),
      ({ stdout }: { stdout: string }) => ({ failed: true, output: stdout }),
    )
  } finally {
    server.close()
    await rm(dir, { recursive: true })
  }
}

test('locking and revealing sixty items with images take as many statements as with six', async () => {
  const roundTrips = async (count: number) => {
    const { id } = await makeHidden({ count, lock: false })
    const locking = await countRoundTrips(() => api.post('/v1/items/lock', { collection_id: id }))
    const revealing = await countRoundTrips(() => reveal(id))
    expect([locking.result.body.lock_outputs.length, revealing.result.status]).toEqual([count, 200])
    return [locking.roundTrips.length, revealing.roundTrips.length] as const
  }
  await roundTrips(6)
  const [many, few] = [await roundTrips(60), await roundTrips(6)]
  expect(many[0]).toBeLessThanOrEqual(few[0] + 1)
  expect(many[1]).toBeLessThanOrEqual(few[1] + 1)
})
