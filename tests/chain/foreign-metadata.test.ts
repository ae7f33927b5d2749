import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { type Address, createWalletClient, encodeFunctionData, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { markMetadata } from '../../lib/catalog/items/mark-metadata.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { DAY, HOUR, moveClock, MINUTE, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { StorageUnavailable } from '../../lib/ports/storage/storage.ts'
import { guardedFetcher } from '../../lib/ports/storage/guarded-fetcher.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { changingAbi, deployChanging } from '../support/foreign-contract.ts'
import { readMetadata } from '../support/foreign-metadata.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'

let local: TestChain
let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const open = callerOf()
const artist = privateKeyToAccount(generatePrivateKey())

/** What the server answers, by path; and which paths it was asked for. */
let answers: Record<string, RequestListener | string | Buffer>
let asked: string[]
let server: string

beforeAll(async () => {
  local = await startChain()
  await local.node.setBalance({ address: artist.address, value: parseEther('100') })
  mine = await makeOrganization()
  api = callerOf(mine.key)
  const listening = createServer((request, response) => {
    const path = request.url!.slice(1)
    asked.push(path)
    const answer = answers[path]
    if (typeof answer === 'function') answer(request, response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(answer)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  server = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const fetcher = guardedFetcher(['127.0.0.1'])
  // Pictures are named by https addresses only.
  const fetchImage = (url: string) => fetcher.fetchImage(url.replace('https://art.example', server))
  replacePorts({ fetcher: { ...fetcher, fetchImage } })
  return () => void listening.close()
})
beforeEach(() => {
  answers = {}
  asked = []
})
afterEach(resetClock)

type Told = {
  contract: Address
  id: string
  send: (name: 'set' | 'tell' | 'tellAll', ...args: unknown[]) => Promise<void>
}

/**
 * A connected contract with the tokens 1 to `count`, each with metadata at the server under its number, which was read
 * once.
 */
async function connect({ count = 1, type = 'ERC721' as 'ERC721' | 'ERC1155' } = {}): Promise<Told> {
  const contract = await deployChanging(local, artist, type === 'ERC721' ? 'Changing' : 'Editions')
  const wallet = createWalletClient({ account: artist, chain: foundry, transport: http(local.rpcUrl) })
  const send = async (functionName: 'mint' | 'set' | 'tell' | 'tellAll', ...args: unknown[]) => {
    const data = encodeFunctionData({ abi: changingAbi, functionName, args } as Parameters<
      typeof encodeFunctionData
    >[0])
    await receiptOf(local.client, await wallet.sendTransaction({ to: contract, data }))
  }
  for (let id = 1; id <= count; id++) {
    await send('mint', artist.address, BigInt(id))
    await send('set', BigInt(id), `${server}/${id}`)
  }
  const { status, body } = await api.post('/v1/collections', {
    name: newId(),
    deployment_request: { network_id: 31337, type: 'EXTERNAL', external: { address: contract, token_type: type } },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  await catchUpWith(local.chain)
  await readMetadata()
  return { contract, id: body.id, send }
}

const shown = async ({ id }: Told, tokenId = '1') => {
  const { results } = (await open.get(`/public/v1/items?collection_ids=${id}&limit=1000`)).body
  return results.find(({ token_id }: { token_id: string }) => token_id === tokenId)
}
const titleOf = async (told: Told, tokenId?: string) => (await shown(told, tokenId)).title as string
const named = (name: string, more = {}) => JSON.stringify({ name, ...more })
const pass = (seconds: number) => moveClock(seconds * 1000)

test('MetadataUpdate and BatchMetadataUpdate have their tokens read again, and others not', async () => {
  answers = { 1: named('Closed'), 2: named('Closed'), 3: named('Closed') }
  const told = await connect({ count: 3 })
  expect(await titleOf(told)).toBe('Closed')
  answers = { 1: named('Rose'), 2: named('Iris'), 3: named('Lily') }
  pass(HOUR)
  expect(await readMetadata()).toBe(0)
  await told.send('tell', 1n)
  await catchUpWith(local.chain)
  expect(await readMetadata()).toBe(1)
  expect([await titleOf(told, '1'), await titleOf(told, '2')]).toEqual(['Rose', 'Closed'])
  await told.send('tellAll', 2n, 3n)
  await catchUpWith(local.chain)
  expect(await readMetadata()).toBe(2)
  expect([await titleOf(told, '2'), await titleOf(told, '3')]).toEqual(['Iris', 'Lily'])
})

test('URI of an ERC-1155 contract has its token read again, by its properties too', async () => {
  answers = { 1: named('Closed') }
  const told = await connect({ type: 'ERC1155' })
  pass(HOUR)
  answers = {
    1: named('Rose', {
      attributes: [{ trait_type: 'colour', value: 'red' }],
      properties: {
        colour: 'blue',
        petals: { name: 'Petals', value: 5 },
        scents: ['sweet', 'warm'],
        files: [{ uri: 'x' }],
      },
    }),
  }
  await told.send('tell', 1n)
  await catchUpWith(local.chain)
  await readMetadata()
  expect(await shown(told)).toMatchObject({
    title: 'Rose',
    attributes: { colour: { value: 'red' }, Petals: { value: 5 }, scents: { value: ['sweet', 'warm'] } },
  })
})

test('an event for all tokens in each block costs one pass over the collection in ten minutes', async () => {
  for (let id = 1; id <= 5; id++) answers[id] = named('Closed')
  const told = await connect({ count: 5 })
  pass(HOUR)
  let reads = 0
  for (let block = 0; block < 10; block++) {
    await told.send('tellAll', 0n, 2n ** 256n - 1n)
    await catchUpWith(local.chain)
    reads += await readMetadata()
    pass(30)
  }
  expect(reads).toBe(5)
  answers[3] = named('Open')
  pass(10 * MINUTE)
  expect(await readMetadata()).toBe(5)
  expect(await titleOf(told, '3')).toBe('Open')
  pass(DAY)
  expect(await readMetadata()).toBe(0)
})

test('an event that comes while its token is read has it read once more', async () => {
  answers = { 1: named('Closed') }
  const told = await connect()
  pass(HOUR)
  answers[1] = (_, response) =>
    void (async () => {
      await told.send('tell', 1n)
      await catchUpWith(local.chain)
      await markMetadata(systemContext('test'))
      answers[1] = named('Open')
      response.end(named('Half open'))
    })()
  await told.send('tell', 1n)
  await catchUpWith(local.chain)
  await readMetadata()
  expect(await titleOf(told)).toBe('Half open')
  pass(10 * MINUTE)
  await readMetadata()
  expect(await titleOf(told)).toBe('Open')
})

test('a reorg that removes the event and what it told has the metadata of before read again', async () => {
  answers = { 1: named('Closed'), open: named('Open') }
  const told = await connect()
  pass(HOUR)
  const before = await local.node.snapshot()
  await told.send('set', 1n, `${server}/open`)
  await told.send('tell', 1n)
  await catchUpWith(local.chain)
  await readMetadata()
  expect(await titleOf(told)).toBe('Open')
  await local.node.revert({ id: before })
  await local.node.mine({ blocks: 4 })
  await catchUpWith(local.chain)
  pass(10 * MINUTE)
  await readMetadata()
  expect(await titleOf(told)).toBe('Closed')
})

test.each([
  ['answers 404', (_, response) => void response.writeHead(404).end()],
  ['answers 403', (_, response) => void response.writeHead(403).end()],
  ['answers a page in place of a document', (_, response) => void response.end('<!doctype html><title>Soon</title>')],
  ['ends too soon', (_, response) => void response.end('{"name":"Ro')],
  ['answers a list', (_, response) => void response.end('[]')],
  ['hangs up', (request) => void request.socket.destroy()],
  // As a database does that is killed.
  ['resets the connection', (request) => void request.socket.resetAndDestroy()],
  [
    'answers a gzip bomb',
    (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024, '{'))),
  ],
  [
    'never ends what it sends',
    (_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024, 0x1f)));
        response.once('drain', more)
      }
      more()
    },
  ],
] satisfies [string, RequestListener][])(
  'a server that %s is asked again, with growing pauses, until it answers',
  async (_, lie) => {
    answers = { 1: lie }
    const told = await connect()
    const numbered = await titleOf(told)
    expect(numbered).toMatch(/ #1$/)
    for (const pause of [10, 20, 40, 80]) {
      pass((pause - 1) * MINUTE)
      expect(await readMetadata()).toBe(0)
      pass(MINUTE)
      expect(await readMetadata()).toBe(1)
    }
    expect(await titleOf(told)).toBe(numbered)
    answers[1] = named('Rose')
    pass(160 * MINUTE)
    await readMetadata()
    expect(await titleOf(told)).toBe('Rose')
  },
)

test('a token whose metadata can’t be read for days is given up, until somebody asks for it', async () => {
  const told = await connect()
  let tries = 0
  for (let day = 0; day < 20; day++) {
    pass(DAY)
    tries += await readMetadata()
  }
  expect(tries).toBe(11)
  answers[1] = named('Rose')
  expect((await api.post(`/v1/collections/${told.id}/metadata-refresh`, {})).status).toBe(204)
  expect(await readMetadata()).toBe(1)
  expect(await titleOf(told)).toBe('Rose')
})

test('while our storage is away a token with a picture isn’t given up', async () => {
  const { storage } = ports()
  onTestFinished(() => replacePorts({ storage }))
  const put = () => Promise.reject(new StorageUnavailable('Its disk is full.'))
  replacePorts({ storage: { ...storage, put } })
  answers = { 1: named('Rose', { image: 'https://art.example/rose' }), rose: await png('red') }
  const told = await connect()
  for (let day = 0; day < 20; day++) {
    pass(DAY)
    await readMetadata()
  }
  replacePorts({ storage })
  pass(DAY)
  expect(await readMetadata()).toBe(1)
  expect((await shown(told)).media.image).not.toBeNull()
})

test('a token whose contract reverts is read once it doesn’t', async () => {
  const told = await connect()
  await told.send('set', 1n, '')
  pass(10 * MINUTE)
  expect(await readMetadata()).toBe(1)
  answers.open = named('Rose')
  await told.send('set', 1n, `${server}/open`)
  pass(20 * MINUTE)
  await readMetadata()
  expect(await titleOf(told)).toBe('Rose')
})

const utf16 = Buffer.from(named('Rosé'), 'utf16le')

test.each([
  ['has a byte order mark', Buffer.from(`\uFEFF${named('Rosé')}`)],
  ['is gzip without a word', gzipSync(named('Rosé'))],
  ['is UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
  ['is UTF-16 of the other order', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
  ['is UTF-16 without a mark', utf16],
])('a document that %s is read', async (_, document) => {
  answers = { 1: document }
  expect(await titleOf(await connect())).toBe('Rosé')
})

const drawn = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="${colour}"/></svg>`
const png = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer()

test('pictures that a document holds itself are stored with ours', async () => {
  const base64 = Buffer.from(drawn('red')).toString('base64')
  answers = {
    1: named('A', { image: `data:image/svg+xml;base64,${base64}` }),
    2: named('B', { image: `data:image/svg+xml;utf8,${drawn('blue')}` }),
    3: named('C', { image: `data:image/png;base64,${(await png('green')).toString('base64')}` }),
    4: named('D', { image: 'data:image/png;base64,bm90aGluZw==' }),
  }
  const told = await connect({ count: 4 })
  const cids = new Set()
  for (const tokenId of ['1', '2', '3']) {
    const { image } = (await shown(told, tokenId)).media
    expect(image.cid).toMatch(/^baf/)
    cids.add(image.cid)
    expect(await ports().storage.get(new URL(image.thumb).pathname.split('/').at(-1)!)).not.toBeNull()
  }
  expect(cids.size).toBe(3)
  expect(await shown(told, '4')).toMatchObject({ title: 'D', media: { image: null } })
})

test('a picture that changes is copied anew, also under the same address', async () => {
  answers = { 1: named('A', { image: 'https://art.example/a.png' }), 'a.png': await png('red') }
  const told = await connect()
  const copyOf = async () => (await shown(told)).media.image.cid as string | null
  const first = await copyOf()
  expect(first).toMatch(/^baf/)
  for (const image of ['a.png', 'b.png']) {
    const before = await copyOf()
    answers = {
      1: named('A', { image: `https://art.example/${image}` }),
      [image]: await png(image === 'a.png' ? 'blue' : 'green'),
    }
    pass(HOUR)
    await told.send('tell', 1n)
    await catchUpWith(local.chain)
    await readMetadata()
    const after = await copyOf()
    expect(after).toMatch(/^baf/)
    expect(after).not.toBe(before)
  }
})

test('a picture that is missing at first is copied later', async () => {
  answers = { 1: named('A', { image: 'https://art.example/a.png' }) }
  const told = await connect()
  expect(await shown(told)).toMatchObject({ title: 'A', media: { image: { cid: null } } })
  answers['a.png'] = await png('red')
  pass(10 * MINUTE)
  await readMetadata()
  expect((await shown(told)).media.image.cid).toMatch(/^baf/)
})

test('what the organization made itself is never replaced by what the contract says', async () => {
  answers = { 1: named('Closed'), 2: named('Theirs') }
  const told = await connect()
  const { id } = (await api.post('/v1/items', { collection_id: told.id, attributes: { title: 'Ours' } })).body
  await api.post('/v1/items/lock', { item_id: id })
  pass(HOUR)
  await told.send('tellAll', 0n, 2n ** 256n - 1n)
  await catchUpWith(local.chain)
  expect(await readMetadata()).toBe(1)
  expect((await api.get(`/v1/items/${id}`)).body.attributes).toEqual({ title: 'Ours' })
})

test('metadata of some items is read again on request, of an external contract only', async () => {
  answers = { 1: named('Closed'), 2: named('Closed') }
  const told = await connect({ count: 2 })
  pass(HOUR)
  answers = { 1: named('Rose'), 2: named('Iris') }
  const refresh = (body: object, id = told.id) => api.post(`/v1/collections/${id}/metadata-refresh`, body)
  expect((await refresh({ item_ids: [(await shown(told, '2')).id] })).status).toBe(204)
  expect(await readMetadata()).toBe(1)
  expect([await titleOf(told, '1'), await titleOf(told, '2')]).toEqual(['Closed', 'Iris'])
  expect((await refresh({ item_ids: [newId()] })).status).toBe(404)
  expect((await refresh({}, newId())).status).toBe(404)
  const own = (await api.post('/v1/collections', { name: newId() })).body.id
  expect((await refresh({}, own)).body.code).toBe('not_external')
  expect(await mine.ctx.db.auditEntry.count({ where: { action: 'collection.metadata_requested' } })).toBeGreaterThan(0)
})

test('a node that lags behind what is entered is not asked what a token says', async () => {
  answers = { 1: named('Closed'), open: named('Open') }
  const told = await connect()
  pass(HOUR)
  const [chainId, chain] = [31337, ports().chains.get(31337)!]
  await told.send('set', 1n, `${server}/open`)
  await told.send('tell', 1n)
  await catchUpWith(local.chain)
  const head = await chain.head()
  const lagging = {
    ...chain,
    atOneNode: <T>(work: Parameters<typeof chain.atOneNode<T>>[0]) =>
      chain.atOneNode<T>((node) =>
        work({ ...node, name: node.name, head: () => Promise.resolve({ ...head, number: head.number - 1n }) }),
      ),
  }
  replacePorts({ chains: new Map([[chainId, lagging]]) })
  await readMetadata()
  replacePorts({ chains: new Map([[chainId, chain]]) })
  expect(await titleOf(told)).toBe('Closed')
  pass(10 * MINUTE)
  await readMetadata()
  expect(await titleOf(told)).toBe('Open')
})
