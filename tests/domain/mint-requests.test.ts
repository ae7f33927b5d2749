import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { MAX_GAS_PER_MINT } from '../../lib/core/gas.ts'
import { newId } from '../../lib/core/id.ts'
import { LOCK_COLLECTION } from '../../lib/onchain/mints/request-together.ts'
import { callerOf } from '../support/call.ts'
import { makeRandomAddress, makeItem } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'
import { api, makeLockedItems, organization, setUpMints, transactionsOf } from '../support/mint-stage.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

setUpMints()

describe('POST /v1/mint-requests', () => {
  const to_address = makeRandomAddress()
  const refused = async (body: object) => {
    const answer = await api.post('/v1/mint-requests', body)
    return [answer.status, answer.body.code, answer.body.errors[0]?.field]
  }

  test('a request names the items, the recipients and the quantities in exactly one way each', async () => {
    const { itemIds, collectionId } = await makeLockedItems(2)
    expect(await refused({ to_address })).toEqual([400, 'invalid_request', 'item_id'])
    expect(await refused({ item_id: itemIds[0], collection_id: collectionId, to_address })).toEqual([
      400,
      'invalid_request',
      'item_id',
    ])
    expect(await refused({ item_id: itemIds[0] })).toEqual([400, 'invalid_request', 'to_address'])
    expect(await refused({ item_id: itemIds[0], to_address, to_addresses: [to_address] })).toEqual([
      400,
      'invalid_request',
      'to_address',
    ])
    expect(await refused({ item_ids: itemIds, to_addresses: [to_address] })).toEqual([
      400,
      'invalid_request',
      'to_addresses',
    ])
    expect(await refused({ item_ids: itemIds, to_address, quantities: [1] })).toEqual([
      400,
      'invalid_request',
      'quantities',
    ])
    expect(await refused({ item_ids: itemIds, to_address, quantity: 1, quantities: [1, 1] })).toEqual([
      400,
      'invalid_request',
      'quantity',
    ])
    expect(await refused({ item_ids: [itemIds[0], itemIds[0]], to_address })).toEqual([
      400,
      'invalid_request',
      'item_ids',
    ])
    expect(await refused({ item_id: itemIds[0], token_ids: ['1'], to_address })).toEqual([
      400,
      'invalid_request',
      'token_ids',
    ])
    expect(await refused({ item_ids: Array.from({ length: 101 }, newId), to_address })).toEqual([
      400,
      'invalid_request',
      'item_ids',
    ])
    expect(await refused({ item_id: itemIds[0], to_address, quantity: 0 })).toEqual([
      400,
      'invalid_request',
      'quantity',
    ])
    expect(
      await refused({
        item_id: itemIds[0],
        to_address: to_address.replace(/[a-f]/, (digit) => digit.toUpperCase()).replace(/[A-F]$/, 'a') + '0',
      }),
    ).toEqual([400, 'invalid_request', 'to_address'])
  })

  test('items that are unlocked, undeployed, sold out or foreign, too many units and the zero address are refused', async () => {
    const unlocked = await makeItem(organization, { locked: false })
    expect(await refused({ item_id: unlocked.itemId, to_address })).toEqual([409, 'item_not_locked', undefined])
    const undeployed = await makeItem(organization, { deployed: false })
    expect(await refused({ item_id: undeployed.itemId, to_address })).toEqual([
      409,
      'collection_not_deployed',
      undefined,
    ])
    expect(await refused({ collection_id: undeployed.collectionId, to_address })).toEqual([
      409,
      'collection_not_deployed',
      undefined,
    ])
    const { itemIds, collectionId } = await makeLockedItems(1)
    expect(await refused({ item_id: itemIds[0], to_address, quantity: 2 })).toEqual([422, 'supply_invalid', undefined])
    expect(await refused({ item_id: itemIds[0], to_address: `0x${'0'.repeat(40)}` })).toEqual([
      422,
      'address_cannot_receive',
      'to_address',
    ])
    expect((await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address })).status).toBe(201)
    expect(await refused({ item_id: itemIds[0], to_address })).toEqual([409, 'sold_out', undefined])
    expect(await refused({ collection_id: collectionId, to_address })).toEqual([409, 'sold_out', undefined])
    const foreign = await makeItem(await makeOrganization())
    expect(await refused({ item_id: foreign.itemId, to_address })).toEqual([404, 'not_found', 'item_id'])
    expect(await refused({ collection_id: foreign.collectionId, to_address })).toEqual([
      404,
      'not_found',
      'collection_id',
    ])
  })

  test('a minted token is already_minted, whichever way it is named, and nothing of the request is held', async () => {
    const { itemIds, collectionId } = await makeLockedItems(2)
    await organization.ctx.db.item.updateMany({ where: { id: itemIds[1]! }, data: { minted: 1n } })
    const [free, minted] = await organization.ctx.db.item.findMany({
      where: { collectionId },
      orderBy: { minted: 'asc' },
    })
    expect(await refused({ item_id: minted!.id, to_address })).toEqual([409, 'already_minted', 'item_id'])
    expect(await refused({ item_ids: [free!.id, minted!.id], to_address })).toEqual([
      409,
      'already_minted',
      'item_ids.1',
    ])
    const byToken = (...token_ids: (string | null)[]) => refused({ collection_id: collectionId, token_ids, to_address })
    expect(await byToken(free!.tokenId, minted!.tokenId)).toEqual([409, 'already_minted', 'token_ids.1'])
    expect(await byToken('77')).toEqual([409, 'sold_out', 'token_ids.0'])
    expect((await api.post('/v1/mint-requests', { item_id: free!.id, to_address })).status).toBe(201)
  })

  test('one sold out item refuses the whole request, and nothing is held', async () => {
    const { itemIds, collectionId } = await makeLockedItems(3)
    await api.post('/v1/mint-requests', { item_id: itemIds[2], to_address })
    expect(await refused({ item_ids: itemIds, to_address })).toEqual([409, 'sold_out', undefined])
    expect((await transactionsOf(collectionId)).map((row) => row.mintCount)).toEqual([1])
    const items = await organization.ctx.db.item.findMany({ where: { collectionId }, orderBy: { id: 'asc' } })
    expect(items.map((item) => item.held)).toEqual([0n, 0n, 1n])
  })

  test('a request by collection takes the remaining locked items, lowest token id first, at most 100', async () => {
    const { itemIds, collectionId } = await makeLockedItems(105)
    await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address })
    const { status, body } = await api.post('/v1/mint-requests', { collection_id: collectionId, to_address })
    expect(status).toBe(201)
    expect(body.mint_requests.map((mint: { item_id: string }) => mint.item_id)).toEqual(itemIds.slice(1, 101))
    const rest = await api.post('/v1/mint-requests', { collection_id: collectionId, to_address })
    expect(rest.body.mint_requests).toHaveLength(4)
  })

  test('items can be named by token ids and by token ranges', async () => {
    const { itemIds, collectionId } = await makeLockedItems(12)
    const named = await api.post('/v1/mint-requests', {
      collection_id: collectionId,
      token_ids: ['3', 5],
      to_addresses: [makeRandomAddress(), makeRandomAddress()],
    })
    expect(named.body.mint_requests.map((mint: { item_id: string }) => mint.item_id)).toEqual([itemIds[2], itemIds[4]])
    const token_ranges = [
      { from_id: 1, to_id: 4 },
      { from_id: '11', to_id: '20' },
    ]
    const ranged = await api.post('/v1/mint-requests', { collection_id: collectionId, token_ranges, to_address })
    expect(ranged.body.mint_requests.map((mint: { item_id: string }) => mint.item_id)).toEqual([
      itemIds[0],
      itemIds[1],
      itemIds[3],
      itemIds[10],
      itemIds[11],
    ])
    expect(await refused({ collection_id: collectionId, token_ids: ['3'], to_address })).toEqual([
      409,
      'sold_out',
      'token_ids.0',
    ])
  })

  test('a quantity of an ERC-1155 item is minted within its supply', async () => {
    const { itemId } = await makeItem(organization, { tokenType: 'ERC1155', maxSupply: 10n })
    const { body } = await api.post('/v1/mint-requests', { item_id: itemId, to_address, quantity: '7' })
    expect(body.mint_requests[0].quantity).toBe(7)
    expect(await refused({ item_id: itemId, to_address, quantity: 4 })).toEqual([409, 'sold_out', undefined])
  })

  test('a spent gas budget is refused with gas_budget_spent', async () => {
    const { itemIds } = await makeLockedItems(3)
    env.GAS_BUDGET_GWEI = '1'
    expect(await refused({ item_id: itemIds[0], to_address })).toEqual([422, 'gas_budget_spent', undefined])
    env.GAS_BUDGET_GWEI = '1000000000'
    expect((await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address })).status).toBe(201)
  })

  test('a gas budget for two mints refuses three together, writes none of them, and pays for two', async () => {
    const other = await makeOrganization()
    const ask = (item_ids: string[]) => callerOf(other.key).post('/v1/mint-requests', { item_ids, to_address })
    const { itemIds, collectionId } = await makeLockedItems(3, {}, other)
    env.GAS_BUDGET_GWEI = String(2n * 5n * MAX_GAS_PER_MINT)
    expect((await ask(itemIds)).body.code).toBe('gas_budget_spent')
    expect(await other.ctx.db.mintRequest.count({ where: { collectionId } })).toBe(0)
    expect((await ask(itemIds.slice(0, 2))).status).toBe(201)
    expect((await ask(itemIds.slice(2))).body.code).toBe('gas_budget_spent')
  })

  test('mints of several collections lock them in the order of their ids, however they are asked for', async () => {
    const places = await Promise.all([1, 2, 3].map(() => makeLockedItems(1)))
    const byId = places.toSorted((a, b) => (a.collectionId < b.collectionId ? -1 : 1))
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => query.mockRestore())
    const item_ids = byId.toReversed().flatMap(({ itemIds }) => itemIds)
    expect((await api.post('/v1/mint-requests', { item_ids, to_address })).status).toBe(201)
    const asked = query.mock.calls.map(([sent]) => sent as unknown as { text?: string; values?: unknown[] })
    const locked = asked.flatMap(({ text, values }) => (text === LOCK_COLLECTION.text ? values : []))
    expect(locked).toEqual(byId.map(({ collectionId }) => collectionId))
  })

  test('mints of 50 items take no more round trips than mints of one', async () => {
    const { itemIds, collectionId } = await makeLockedItems(51)
    const ask = (item_ids: string[]) =>
      countRoundTrips(() => api.post('/v1/mint-requests', { item_ids, to_address }, { 'idempotency-key': newId() }))
    const [one, many] = [await ask(itemIds.slice(0, 1)), await ask(itemIds.slice(1).toReversed())]
    expect(many.result.body.mint_requests.map(({ item_id }: { item_id: string }) => item_id)).toEqual(
      itemIds.slice(1).toReversed(),
    )
    expect(many.roundTrips.length).toBeLessThanOrEqual(one.roundTrips.length)
    expect((await transactionsOf(collectionId)).map((row) => [row.mintCount, row.mintRequests.length])).toEqual([
      [51, 51],
    ])
  })

  test('the same Idempotency-Key mints once', async () => {
    const { itemIds, collectionId } = await makeLockedItems(1)
    const headers = { 'idempotency-key': newId() }
    const answers = [1, 2].map(() => api.post('/v1/mint-requests', { item_id: itemIds[0], to_address }, headers))
    const bodies = (await Promise.all(answers)).filter(({ status }) => status === 201).map(({ body }) => body)
    const again = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address }, headers)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(bodies[0])
    expect((await transactionsOf(collectionId)).map((row) => row.mintCount)).toEqual([1])
  })
})

describe('reading mint requests and transactions', () => {
  test('mint requests are listed newest first, by item or collection, in pages', async () => {
    const { itemIds, collectionId } = await makeLockedItems(3)
    const { body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_address: makeRandomAddress() })
    const ids = body.mint_requests.map((mint: { id: string }) => mint.id)
    const first = await api.get(`/v1/mint-requests?collection_id=${collectionId}&limit=2`)
    expect(first.body).toMatchObject({ has_more: true, total_results: 3 })
    const second = await api.get(`/v1/mint-requests?collection_id=${collectionId}&limit=2&cursor=${first.body.cursor}`)
    expect([...first.body.results, ...second.body.results].map((mint) => mint.id)).toEqual(ids.toReversed())
    const ofItem = await api.get(`/v1/mint-requests?item_id=${itemIds[1]}&limit=1000`)
    expect(ofItem.body.results).toEqual([{ ...body.mint_requests[1] }])
    expect((await api.get('/v1/mint-requests?limit=1001')).status).toBe(400)
  })

  test('mint requests of an item are listed without those of others, in both orders and from page to page', async () => {
    const { itemIds, collectionId } = await makeLockedItems(2, { tokenType: 'ERC1155', maxSupply: 100n })
    const { collectionId: otherCollection } = await makeLockedItems(1)
    await organization.ctx.db.item.updateMany({ where: { id: itemIds[1]! }, data: { maxSupply: 100n } })
    const ids: string[] = []
    for (const item of [0, 1, 0, 0, 1, 0, 0]) {
      const order = { item_id: itemIds[item], to_address: makeRandomAddress(), quantity: 1 }
      const { status, body } = await api.post('/v1/mint-requests', order)
      expect(status, JSON.stringify(body)).toBe(201)
      if (item === 0) ids.push(body.mint_requests[0].id)
    }
    const walk = async (query: string, list = `/v1/mint-requests?item_id=${itemIds[0]}&limit=2${query}`) => {
      const found: string[] = []
      for (let cursor = ''; ;) {
        const { body } = await api.get(`${list}${cursor}`)
        expect(body.total_results, JSON.stringify(body)).toBe(5)
        found.push(...body.results.map(({ id }: { id: string }) => id))
        expect(found.length).toBeLessThanOrEqual(5)
        if (!body.has_more) return found
        cursor = `&cursor=${body.cursor}`
      }
    }
    expect(await walk('')).toEqual(ids.toReversed())
    expect(await walk('&order_direction=ASC')).toEqual(ids)
    expect(await walk(`&collection_id=${collectionId}`)).toEqual(ids.toReversed())
    const none = { total_results: 0, results: [], has_more: false }
    const list = `/v1/mint-requests?item_id=${itemIds[0]}`
    expect((await api.get(`${list}&collection_id=${otherCollection}`)).body).toMatchObject(none)
    const stranger = await makeOrganization()
    expect((await callerOf(stranger.key).get(list)).body).toMatchObject(none)
  })

  test('a mint request is found by its id, its transaction, or an earlier transaction', async () => {
    const { itemIds } = await makeLockedItems(2)
    const { body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_address: makeRandomAddress() })
    const [one, other] = body.mint_requests
    const past = newId()
    await organization.ctx.db.mintRequest.update({ where: { id: other.id }, data: { pastTransactionIds: [past] } })
    expect((await api.get(`/v1/mint-requests/${one.transaction_id}`)).body).toMatchObject({
      ...one,
      mint_requests: [one, other],
    })
    expect((await api.get(`/v1/mint-requests/${other.id}`)).body).toMatchObject({
      ...other,
      mint_requests: [one, other],
    })
    expect((await api.get(`/v1/mint-requests/${past}`)).body).toMatchObject({ ...other, mint_requests: [other] })
  })

  test('transactions are filtered by state, type and collection', async () => {
    const { itemIds, collectionId } = await makeLockedItems(1)
    const { body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_address: makeRandomAddress() })
    const found = await api.get(`/v1/transactions?collection_id=${collectionId}&state=PENDING&tx_type=ADMIN_MINT`)
    expect(found.body.results).toMatchObject([
      {
        id: body.mint_requests[0].transaction_id,
        state: 'PENDING',
        tx_type: 'ADMIN_MINT',
        mint_requests: 1,
        network_id: 31337,
        tx_hash: null,
        explorer_url: null,
      },
    ])
    expect((await api.get(`/v1/transactions?collection_id=${collectionId}&state=FAILED`)).body.results).toEqual([])
    expect((await api.get('/v1/transactions?state=NOPE')).status).toBe(400)
  })
})
