import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { suspend } from '../../lib/data/abuse/suspend.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { raiseAlarm, resolveAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'
import {
  anyone,
  api,
  at,
  download,
  FINAL,
  type Holder,
  makeHeld,
  makeHolder,
  makeHolders,
  makePerk,
  move,
  open,
  organization,
  setCursor,
  setUpPerks,
  take,
} from '../support/perks.ts'

leaveDisagreements('Tokens are moved by hand, without a log of the chain.', ...MINTS)

setUpPerks()

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
