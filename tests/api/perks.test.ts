import { type Address, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { suspend } from '../../lib/data/abuse/suspend.ts'
import { systemClient } from '../../lib/db/client.ts'
import { historyId } from '../../lib/onchain/history/history-id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { raiseAlarm, resolveAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Tokens are moved by hand, without a log of the chain.', ...MINTS)

const anyone = callerOf()
let organization: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  organization = await makeOrganization()
  api = callerOf(organization.key)
})

/** A chain with a finalized tag. The blocks up to `FINAL` are final, and those up to `HEAD` are entered. */
const [FINAL, HEAD] = [100, 120]
beforeEach(async () => {
  installFakeChain()
  const local = ports().chains.get(31337)!
  const chain = { ...local, network: { ...local.network, finality: 'tag' as const } }
  replacePorts({ chains: new Map([[31337, chain]]) })
  await setCursor()
})

async function setCursor({ head = HEAD, final = FINAL } = {}) {
  const cursor = { number: BigInt(head), rescannedTo: BigInt(final) }
  await systemClient().chainCursor.upsert({
    where: { networkId: 31337 },
    create: { networkId: 31337, ...cursor },
    update: cursor,
  })
}

type Item = { itemId: string; collectionId: string }
let logs = 0

/** A log of the chain as the index enters it. */
async function move(item: Item, from: string, to: string, { block = 10, quantity = 1 } = {}) {
  const place = { networkId: 31337, blockNumber: BigInt(block), logIndex: ++logs, part: 0 }
  const type = from === zeroAddress ? 'MINT' : to === zeroAddress ? 'BURN' : 'TRANSFER'
  await organization.ctx.db.itemHistory.create({
    data: {
      id: historyId(place),
      organizationId: organization.id,
      ...item,
      ...place,
      tokenId: '1',
      type,
      quantity,
      fromAddress: from,
      toAddress: to,
      txHash: `0x${newId().replaceAll('-', '').padStart(64, '0')}`,
      timestamp: new Date(),
    },
  })
  for (const [address, units] of [
    [from, -quantity],
    [to, quantity],
  ] as const)
    if (address !== zeroAddress)
      await organization.ctx.db.itemOwner.upsert({
        where: { itemId_address: { itemId: item.itemId, address } },
        create: { organizationId: organization.id, itemId: item.itemId, address, quantity: units },
        update: { quantity: { increment: units } },
      })
}

type Holder = { account: PrivateKeyAccount; address: Address; proof: string }

async function makeHolder(): Promise<Holder> {
  const account = privateKeyToAccount(generatePrivateKey())
  const path = `/public/v1/wallets/${account.address}`
  const { message, challenge } = (await anyone.post(`${path}/challenge`, {})).body
  const signature = await account.signMessage({ message })
  return {
    account,
    address: account.address,
    proof: (await anyone.post(`${path}/proof`, { challenge, signature })).body.proof,
  }
}

const makeHolders = (count: number) => Promise.all(Array.from({ length: count }, makeHolder))

/** An item that an address has had since a final block. */
async function makeHeld(
  { address }: { address: string },
  { quantity = 1, ...stock }: { quantity?: number } & Parameters<typeof makeItem>[1] = {},
): Promise<Item> {
  const item = await makeItem(organization, stock)
  await move(item, zeroAddress, address, { quantity })
  return item
}

async function makePerk(body: object) {
  const made = await api.post('/v1/perks', { title: 'A seat at the opening', ...body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

const at = ({ address }: { address: string }, { itemId }: Item, path = '') =>
  `/public/v1/wallets/${address}/items/${itemId}/perks${path}`
const open = async (holder: Holder, item: Item) => {
  const { status, body } = await anyone.post(at(holder, item), { proof: holder.proof })
  return status === 200 ? body : `${status} ${body.code}`
}
const take = async (holder: Holder, item: Item, perkId: string) => {
  const { status, body } = await anyone.post(at(holder, item, `/${perkId}/codes`), { proof: holder.proof })
  return status === 200 ? (body.codes as { code: string }[]).map(({ code }) => code) : `${status} ${body.code}`
}
const download = (holder: Holder, item: Item, perkId: string) =>
  anyone.get(at(holder, item, `/${perkId}/file?proof=${holder.proof}`))

test('a holder sees what comes with the item and with its collection, and nobody else does', async () => {
  const [holder, other] = (await makeHolders(2)) as [Holder, Holder]
  const item = await makeHeld(holder)
  const text = await makePerk({ item_id: item.itemId, title: 'The recipe', text: 'Three eggs.\nA spoon of salt.' })
  const link = await makePerk({ collection_id: item.collectionId, url: 'https://example.com/secret?of=ours' })
  await makePerk({ item_id: (await makeItem(organization)).itemId, text: 'Of another item' })
  expect(await open(holder, item)).toEqual({
    state: 'HELD',
    results: [
      {
        ...{ id: text.id, kind: 'TEXT', title: 'The recipe', text: 'Three eggs.\nA spoon of salt.', url: null },
        ...{ file: null, codes: null, codes_open: null, codes_left: null },
      },
      expect.objectContaining({ id: link.id, kind: 'LINK', url: 'https://example.com/secret?of=ours', text: null }),
    ],
  })
  const answer = await anyone.post(at(holder, item), { proof: holder.proof })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await open(other, item)).toBe('404 not_found')
  expect((await anyone.post(at(holder, item), { proof: other.proof })).body.code).toBe('signature_invalid')
  expect((await anyone.post(at(holder, item), {})).body.code).toBe('invalid_request')
})

test('neither a buyer whose purchase could be undone nor a seller of a moment ago is a holder', async () => {
  const [seller, buyer] = (await makeHolders(2)) as [Holder, Holder]
  const item = await makeHeld(seller)
  const { id: codes } = await makePerk({ item_id: item.itemId, codes: ['MOON-1', 'MOON-2'] })
  const { id: file } = await makePerk({ item_id: item.itemId, file: { name: 'map.txt', base64: 'TWFw' } })
  await move(item, seller.address, buyer.address, { block: FINAL + 1 })
  expect(await open(seller, item)).toBe('404 not_found')
  expect(await open(buyer, item)).toEqual({ state: 'CONFIRMING', results: [] })
  expect(await take(seller, item, codes)).toBe('404 not_found')
  expect(await take(buyer, item, codes)).toBe('409 conflict')
  expect((await download(buyer, item, file)).body.code).toBe('conflict')
  expect((await download(seller, item, file)).body.code).toBe('not_found')
  await setCursor({ final: FINAL + 1 })
  expect(await take(buyer, item, codes)).toEqual(['MOON-1'])
  expect(await open(seller, item)).toBe('404 not_found')
})

test('a token’s code is given once: its holder sees it again, a later one gets none', async () => {
  const [first, second] = (await makeHolders(2)) as [Holder, Holder]
  const item = await makeHeld(first)
  const { id } = await makePerk({ item_id: item.itemId, codes: ['MOON-1', 'MOON-2'] })
  const before = await open(first, item)
  expect(before.results).toEqual([expect.objectContaining({ codes: [], codes_open: 1, codes_left: 2 })])
  expect(await take(first, item, id)).toEqual(['MOON-1'])
  expect(await take(first, item, id)).toEqual(['MOON-1'])
  expect((await open(first, item)).results).toEqual([
    expect.objectContaining({
      codes: [{ code: 'MOON-1', given_at: expect.any(String) }],
      codes_open: 0,
      codes_left: 1,
    }),
  ])
  await move(item, first.address, second.address, { block: 20 })
  expect(await take(second, item, id)).toEqual([])
  expect((await open(second, item)).results[0]).toMatchObject({ codes: [], codes_open: 0, codes_left: 1 })
  expect(await take(first, item, id)).toBe('404 not_found')
  // Who gets it back has the same code again.
  await move(item, second.address, first.address, { block: 30 })
  expect(await take(first, item, id)).toEqual(['MOON-1'])

  const given = (await api.get(`/v1/perks/${id}/codes`)).body
  expect(given).toMatchObject({
    total_results: 1,
    results: [{ code: 'MOON-1', item_id: item.itemId, unit: 1, address: first.address }],
  })
  expect((await api.get(`/v1/perks/${id}/codes?address=${second.address}`)).body.total_results).toBe(0)
  expect((await api.get(`/v1/perks/${id}`)).body.codes).toEqual({ total: 2, given: 1, left: 1 })
})

test('each unit of an ERC-1155 token brings one code, however often it is passed on', async () => {
  const [first, second, third] = (await makeHolders(3)) as [Holder, Holder, Holder]
  const item = await makeHeld(first, { tokenType: 'ERC1155', maxSupply: null, quantity: 2 })
  const codes = Array.from({ length: 9 }, (_, n) => `SUN-${n}`)
  const { id } = await makePerk({ collection_id: item.collectionId, codes })
  await setCursor({ final: 15 })
  expect(await take(first, item, id)).toEqual(['SUN-0', 'SUN-1'])
  // A unit that goes round.
  await move(item, first.address, second.address, { block: 20 })
  await move(item, second.address, third.address, { block: 21 })
  await setCursor({ final: 21 })
  expect(await take(third, item, id)).toEqual([])
  await move(item, third.address, second.address, { block: 22 })
  await setCursor({ final: 22 })
  expect(await take(second, item, id)).toEqual([])
  // One that is new has its own, beside the one that was used.
  await move(item, zeroAddress, second.address, { block: 23, quantity: 2 })
  await setCursor({ final: 23 })
  expect((await open(second, item)).results[0]).toMatchObject({ codes_open: 2 })
  expect(await take(second, item, id)).toEqual(['SUN-2', 'SUN-3'])
  // Of three units the used ones leave first, and a burnt one takes its code along.
  await move(item, zeroAddress, third.address, { block: 24 })
  await move(item, second.address, third.address, { block: 25, quantity: 3 })
  await setCursor({ final: 25 })
  expect((await open(third, item)).results[0]).toMatchObject({ codes_open: 1 })
  await move(item, third.address, zeroAddress, { block: 26, quantity: 3 })
  await setCursor({ final: 26 })
  expect(await take(third, item, id)).toEqual(['SUN-4'])
  // A sale that isn't final leaves the seller with fewer units at once.
  await move(item, zeroAddress, third.address, { block: 27, quantity: 2 })
  await setCursor({ final: 27 })
  await move(item, third.address, second.address, { block: 28, quantity: 2 })
  expect((await open(third, item)).results[0]).toMatchObject({ codes_open: 1 })
  expect((await api.get(`/v1/perks/${id}`)).body.codes).toMatchObject({ given: 5 })
  const given = (await api.get(`/v1/perks/${id}/codes?order_direction=ASC`)).body.results
  expect(given.map(({ unit }: { unit: number }) => unit)).toEqual([1, 2, 3, 4, 5])
})

test('two phones at once get the same code, and two holders never the same one', async () => {
  const holders = await makeHolders(6)
  const first = await makeHeld(holders[0]!)
  const { id } = await makePerk({
    collection_id: first.collectionId,
    codes: Array.from({ length: 4 }, (_, n) => `A-${n}`),
  })
  const items = [first]
  for (const holder of holders.slice(1)) {
    const itemId = newId()
    await organization.ctx.db.item.create({
      data: {
        ...{ id: itemId, organizationId: organization.id, collectionId: first.collectionId, attributes: {} },
        ...{ tokenId: String(items.length + 1), lockedAt: new Date(), maxSupply: 1n },
      },
    })
    const item = { itemId, collectionId: first.collectionId }
    await move(item, zeroAddress, holder.address)
    items.push(item)
  }
  const asked = holders.flatMap((holder, n) => [0, 1, 2].map(() => ({ holder, item: items[n]! })))
  const answers = await Promise.all(
    asked.map(async ({ holder, item }) => ({ holder, codes: await take(holder, item, id) })),
  )
  const byHolder = Map.groupBy(answers, ({ holder }) => holder.address)
  const got = [...byHolder.values()].map((same) => {
    expect(new Set(same.map(({ codes }) => JSON.stringify(codes))).size).toBe(1)
    return same[0]!.codes as string[]
  })
  expect(got.flat().toSorted()).toEqual(['A-0', 'A-1', 'A-2', 'A-3'])
  expect(got.map(({ length }) => length).toSorted()).toEqual([0, 0, 1, 1, 1, 1])
  expect((await api.get(`/v1/perks/${id}`)).body.codes).toEqual({ total: 4, given: 4, left: 0 })
  const events = await organization.ctx.db.event.findMany({
    where: { type: 'perk.code_given', data: { path: ['perk_id'], equals: id } },
  })
  expect(events).toHaveLength(4)
})

test('units are counted under the perk’s lock: two requests that come together give no more codes than there are units', async () => {
  const holder = await makeHolder()
  const item = await makeHeld(holder, { tokenType: 'ERC1155', maxSupply: null, quantity: 2 })
  const { id } = await makePerk({ item_id: item.itemId, codes: ['S-0', 'S-1', 'S-2', 'S-3', 'S-4'] })
  let taking: Promise<unknown>[] = []
  // Nothing is given until both requests wait: one for the first code, one for the perk.
  await systemClient().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM perk_codes WHERE perk_id = ${id}::uuid ORDER BY id LIMIT 1 FOR UPDATE`
    taking = [take(holder, item, id), take(holder, item, id)]
    await until('both requests waiting', async () => {
      const [row] = await tx.$queryRaw<[{ wait: boolean }]>`
        SELECT EXISTS (SELECT 1 FROM pg_locks first JOIN pg_locks second ON first.pid = ANY (pg_blocking_pids(second.pid))
          WHERE NOT first.granted AND NOT second.granted AND pg_backend_pid() = ANY (pg_blocking_pids(first.pid))) AS wait`
      return row.wait
    })
  })
  expect(await Promise.all(taking)).toEqual([
    ['S-0', 'S-1'],
    ['S-0', 'S-1'],
  ])
  expect((await api.get(`/v1/perks/${id}`)).body.codes).toMatchObject({ given: 2 })
})

test('nothing opens while blocks are missing, for custody, or where a suspension stands', async () => {
  const holder = await makeHolder()
  const item = await makeHeld(holder)
  const { id } = await makePerk({ item_id: item.itemId, codes: ['MOON-1'] })
  await raiseAlarm(systemContext(), 'indexing_late', '31337', 'The last block is old.')
  expect(await open(holder, item)).toBe('503 unavailable')
  expect(await take(holder, item, id)).toBe('503 unavailable')
  const { id: file } = await makePerk({ item_id: item.itemId, file: { name: 'map.txt', base64: 'TWFw' } })
  expect((await download(holder, item, file)).body.code).toBe('unavailable')
  await resolveAlarm(systemContext(), 'indexing_late', '31337')
  await organization.ctx.db.collection.update({ where: { id: item.collectionId }, data: { following: false } })
  expect(await open(holder, item)).toBe('503 unavailable')
  await organization.ctx.db.collection.update({ where: { id: item.collectionId }, data: { following: true } })

  // What our operator has is in custody, whoever signs for it.
  const { keys } = ports()
  replacePorts({ keys: { ...keys, operators: [holder.address] } })
  expect(await take(holder, item, id)).toBe('404 not_found')
  replacePorts({ keys })

  await suspend(systemContext(), { organizationId: organization.id, collectionId: item.collectionId }, 'Stolen.')
  expect(await open(holder, item)).toBe('403 suspended')
  expect(await take(holder, item, id)).toBe('403 suspended')
  expect((await download(holder, item, file)).body.code).toBe('suspended')
})

test('a wallet that is a contract opens perks of its own network, and of no other', async () => {
  const { contracts } = installFakeChain()
  const [address, key] = [makeRandomAddress(), privateKeyToAccount(generatePrivateKey())]
  contracts.set(address, `0x1626ba7e${'0'.repeat(56)}`)
  const item = await makeHeld({ address })
  await makePerk({ item_id: item.itemId, text: 'For the safe' })
  const wallet = `/public/v1/wallets/${address}`
  const { message, challenge } = (await anyone.post(`${wallet}/challenge`, { network_id: 31337 })).body
  const signature = await key.signMessage({ message })
  const { proof } = (await anyone.post(`${wallet}/proof`, { challenge, signature })).body
  const holder = { account: key, address, proof }
  expect((await open(holder, item)).results[0]).toMatchObject({ text: 'For the safe' })
  await systemClient().chainCursor.create({ data: { networkId: 1, number: 120n, rescannedTo: 120n } })
  await organization.ctx.db.collection.update({ where: { id: item.collectionId }, data: { networkId: 1 } })
  expect(await open(holder, item)).toBe('404 not_found')
})

test('holders of private collections open their perks, which have no public list', async () => {
  const holder = await makeHolder()
  const item = await makeHeld(holder, { isPublic: false })
  await makePerk({ item_id: item.itemId, text: 'For you alone' })
  expect((await open(holder, item)).results[0]).toMatchObject({ text: 'For you alone' })
  expect((await anyone.get(`/public/v1/items/${item.itemId}/perks`)).status).toBe(404)
  const own = await anyone.get(`/public/v1/wallets/${holder.address}/items/${item.itemId}?proof=${holder.proof}`)
  expect(own.body.perks).toBe(1)
})

test('everybody learns the titles that are public, and how many codes are left, and nothing more', async () => {
  const holder = await makeHolder()
  const item = await makeHeld(holder)
  const shown = async () => (await anyone.get(`/public/v1/items/${item.itemId}/perks?order_direction=ASC`)).body
  expect((await shown()).results).toEqual([])
  const { id } = await makePerk({ item_id: item.itemId, title: 'A ticket', codes: ['MOON-1', 'MOON-2'] })
  const text = await makePerk({ collection_id: item.collectionId, title: 'A letter', text: 'Dear holder' })
  await makePerk({ item_id: item.itemId, title: 'A surprise', text: 'Boo', is_public: false })
  expect(await shown()).toMatchObject({
    total_results: 2,
    results: [
      { id, kind: 'CODES', title: 'A ticket', codes_left: 2, codes_given: 0 },
      { id: text.id, kind: 'TEXT', title: 'A letter', codes_left: null, codes_given: null },
    ],
  })
  await take(holder, item, id)
  const after = await shown()
  expect(after.results[0]).toMatchObject({ codes_left: 1, codes_given: 1 })
  expect(JSON.stringify(after)).not.toMatch(/MOON|Dear/)
  const looked = await anyone.get(`/public/v1/wallets/${holder.address}/items/${item.itemId}`)
  expect(looked.body.perks).toBe(2)
  await api.delete(`/v1/perks/${id}`)
  expect((await shown()).results).toHaveLength(1)
  await organization.ctx.db.collection.update({ where: { id: item.collectionId }, data: { isPublic: false } })
  expect((await anyone.get(`/public/v1/items/${item.itemId}/perks`)).status).toBe(404)
})

test('an item that isn’t revealed has no perks of its own, which would tell what it is', async () => {
  const holder = await makeHolder()
  const item = await makeHeld(holder)
  await makePerk({ item_id: item.itemId, text: 'The golden one' })
  const hidden = { revealStrategy: 'DELAYED' as const, previewMetadata: { title: 'A closed box' } }
  await organization.ctx.db.collection.update({ where: { id: item.collectionId }, data: hidden })
  const refused = await api.post('/v1/perks', { item_id: item.itemId, title: 'No', text: 'No' })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  const { id } = await makePerk({ collection_id: item.collectionId, text: 'For all' })
  expect((await open(holder, item)).results.map((one: { id: string }) => one.id)).toEqual([id])
  expect((await anyone.get(`/public/v1/items/${item.itemId}/perks`)).body.results).toHaveLength(1)
})

test('a file goes to its holder alone, part by part, to be saved and not kept', async () => {
  const holder = await makeHolder()
  const item = await makeHeld(holder)
  const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, n) => `${n} `).join(''))
  const made = await makePerk({
    item_id: item.itemId,
    file: { name: '../Plan für Ada.pdf', base64: bytes.toString('base64') },
  })
  expect(made.file).toEqual({ name: 'Plan für Ada.pdf', bytes: bytes.length })
  const sent = await download(holder, item, made.id)
  expect(sent.status).toBe(200)
  expect(sent.body).toBe(bytes.toString())
  expect(sent.headers.get('cache-control')).toBe('private, no-store')
  expect(sent.headers.get('content-type')).toBe('application/octet-stream')
  expect(sent.headers.get('content-disposition')).toBe(
    `attachment; filename="Plan f_r Ada.pdf"; filename*=UTF-8''Plan%20f%C3%BCr%20Ada.pdf`,
  )
  const other = await makeHolder()
  expect((await anyone.get(at(holder, item, `/${made.id}/file?proof=${other.proof}`))).body.code).toBe(
    'signature_invalid',
  )
  expect((await download(other, item, made.id)).body.code).toBe('not_found')
  expect((await anyone.get(at(holder, item, `/${newId()}/file?proof=${holder.proof}`))).status).toBe(404)
  // No public address leads to it: the storage of pictures doesn't have it.
  expect(await systemClient().mediaFile.count({ where: { organizationId: organization.id } })).toBe(0)
})

test('a perk has one place and one content, and is changed and deleted with its codes', async () => {
  const { itemId, collectionId } = await makeItem(organization)
  const codeOf = async (body: object) => {
    const { status, body: answer } = await api.post('/v1/perks', { title: 'It', ...body })
    return `${status} ${answer.code}`
  }
  for (const wrong of [
    { item_id: itemId },
    { text: 'No place' },
    { item_id: itemId, collection_id: collectionId, text: 'Two places' },
    { item_id: itemId, text: 'Two', url: 'https://example.com' },
    { item_id: itemId, url: 'http://example.com' },
    { item_id: itemId, url: 'javascript:alert(1)' },
    { item_id: itemId, url: 'https://name:word@example.com' },
    { item_id: itemId, codes: [] },
    { item_id: itemId, codes: [' '] },
    { item_id: itemId, file: { name: 'empty', base64: '' } },
    { item_id: itemId, file: { name: 'large', base64: Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64') } },
  ])
    expect(await codeOf(wrong), JSON.stringify(wrong).slice(0, 100)).toBe('400 invalid_request')
  expect(await codeOf({ item_id: newId(), text: 'Nowhere' })).toBe('404 not_found')

  const made = await makePerk({ item_id: itemId, codes: ['A', 'B', 'B', ' A '] })
  expect(made.codes).toEqual({ total: 2, given: 0, left: 2 })
  const added = await api.post(`/v1/perks/${made.id}/codes`, { codes: ['B', 'C', 'D'] })
  expect(added.body).toMatchObject({ added: 2, perk: { codes: { total: 4, left: 4 } } })
  const setCount = (codeCount: number) =>
    organization.ctx.db.perk.update({ where: { id: made.id }, data: { codeCount } })
  await setCount(99_999)
  expect((await api.post(`/v1/perks/${made.id}/codes`, { codes: ['E', 'F'] })).body.code).toBe('conflict')
  await setCount(4)
  const text = await makePerk({ collection_id: collectionId, text: 'Before', is_public: false })
  const changed = await api.patch(`/v1/perks/${text.id}`, { title: 'New', text: 'After', is_public: true })
  expect(changed.body).toMatchObject({ title: 'New', text: 'After', is_public: true })
  expect((await api.patch(`/v1/perks/${text.id}`, { url: 'https://example.com' })).body.code).toBe('invalid_request')
  expect((await api.post(`/v1/perks/${text.id}/codes`, { codes: ['X'] })).body.code).toBe('invalid_request')
  const listed = async (query: string) =>
    (await api.get(`/v1/perks?${query}`)).body.results.map(({ id }: { id: string }) => id)
  expect(await listed(`item_id=${itemId}`)).toEqual([made.id])
  expect(await listed(`collection_id=${collectionId}`)).toEqual([text.id])
  expect((await api.delete(`/v1/perks/${made.id}`)).status).toBe(204)
  expect((await api.get(`/v1/perks/${made.id}`)).status).toBe(404)
  expect(await organization.ctx.db.perkCode.count({ where: { perkId: made.id } })).toBe(0)

  for (let n = 0; n < 50; n++) await makePerk({ item_id: itemId, text: `Perk ${n}` })
  expect(await codeOf({ item_id: itemId, text: 'One more' })).toBe('409 conflict')
})

test('members without items:write see no code, and codes stand nowhere in clear', async () => {
  const holder = await makeHolder()
  const item = await makeHeld(holder)
  const secret = `SECRET-${newId()}`
  const { id } = await makePerk({ item_id: item.itemId, codes: [secret] })
  await makePerk({ item_id: item.itemId, text: `Text of ${secret}` })
  await makePerk({ item_id: item.itemId, url: `https://example.com/${secret}` })
  expect(await take(holder, item, id)).toEqual([secret])
  const viewer = await makeKey(organization, { permissions: ['items:read'] })
  const seen = await call('GET', `/v1/perks/${id}/codes`, { key: viewer.key })
  expect(seen.body.results).toMatchObject([{ code: null, address: holder.address }])
  expect((await call('GET', `/v1/perks/${id}`, { key: viewer.key })).status).toBe(200)
  expect(
    (await call('GET', `/v1/perks/${id}`, { key: (await makeKey(organization, { permissions: [] })).key })).status,
  ).toBe(403)
  for (const table of ['perks', 'perk_codes', 'audit_entries', 'events', 'webhook_deliveries', 'idempotency_records']) {
    const rows = await systemClient().$queryRaw<{ found: number }[]>(Prisma.sql`
      SELECT count(*)::int AS found FROM ${Prisma.raw(table)} t WHERE to_jsonb(t)::text LIKE ${`%${secret}%`}
        OR to_jsonb(t)::text LIKE ${`%${Buffer.from(secret).toString('hex')}%`}`)
    expect([table, rows[0]!.found]).toEqual([table, 0])
  }
})

test('one who hasn’t proved the address of the item learns nothing of its perks by trying', async () => {
  const [holder, other] = (await makeHolders(2)) as [Holder, Holder]
  const [item, theirs] = [await makeHeld(holder), await makeHeld(other)]
  const { id } = await makePerk({ item_id: item.itemId, codes: ['MOON-1'] })
  // A perk of another item isn't opened by holding some item.
  expect(await take(other, theirs, id)).toBe('404 not_found')
  expect(await take(other, item, id)).toBe('404 not_found')
  const stranger = await makeHolder()
  expect(await open({ ...stranger, address: makeRandomAddress() }, item)).toBe('422 signature_invalid')
  expect((await api.get(`/v1/perks/${id}`)).body.codes.given).toBe(0)
})
