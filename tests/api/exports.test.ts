import { beforeAll, expect, test } from 'vitest'
import Papa from 'papaparse'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from '../support/call.ts'
import { makeRandomAddress, makeItem, installFakeChain } from '../support/claims.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

async function read(url: string): Promise<Record<string, string>[]> {
  const answer = await api.get(url)
  expect([answer.status, answer.headers.get('content-type')], JSON.stringify(answer.body)).toEqual([
    200,
    'text/csv; charset=utf-8',
  ])
  const { data, errors } = Papa.parse<Record<string, string>>(answer.body, { header: true, skipEmptyLines: true })
  expect(errors).toEqual([])
  return data
}

test('an export of items has all rows over several pages, a column per attribute, and formulas escaped', async () => {
  const { body } = await api.post('/v1/collections', { name: `=1+1 ${newId()}` })
  const hostile = ['=cmd()', '+1', '-x', '@sum', 'plain, "quoted"']
  const attributes = Array.from({ length: 1201 }, (_, at) => ({
    title: `Bird ${at}`,
    description: hostile[at % hostile.length],
    n: at,
    list: ['a'],
  }))
  await mine.ctx.db.item.createMany({
    data: attributes.map((each) => ({ id: newId(), organizationId: mine.id, collectionId: body.id, attributes: each })),
  })
  const rows = await read(`/v1/exports/items.csv?collection_id=${body.id}`)
  expect(rows.length).toBe(1201)
  expect(rows.map((row) => row.title)).toEqual(attributes.map(({ title }) => title))
  expect(rows.slice(0, 5).map((row) => row.description)).toEqual(["'=cmd()", "'+1", "'-x", "'@sum", 'plain, "quoted"'])
  expect(rows[1200]).toMatchObject({
    collection_id: body.id,
    collection: expect.stringMatching(/^'=1/),
    locked: 'false',
    token_status: 'NOT_MINTED',
    'attributes.n': '1200',
    'attributes.list': '["a"]',
  })
  expect(await read(`/v1/exports/items.csv?collection_id=${body.id}&search=bird%207&locked=true`)).toEqual([])
  const csv = (await api.get(`/v1/exports/items.csv?collection_id=${body.id}&search=Bird%2012`)).body
  const again = await api.post('/v1/items/import', { collection_id: body.id, csv })
  expect(again.status).toBe(201)
  expect(again.body.rows[0]).toMatchObject({ fields: { title: 'Bird 12', description: '-x', 'attributes.n': '12' } })
})

test('an export of no items has its heading', async () => {
  const answer = await api.get(`/v1/exports/items.csv?collection_id=${newId()}`)
  expect(answer.body.split('\r\n')).toEqual([
    'id,collection_id,collection,title,description,image_url,token_id,token_status,locked,max_supply,minted,held,burned,created_at',
    '',
  ])
})

test('an export of holders has current owners with their quantities, and no owners of none', async () => {
  const { itemId, collectionId } = await makeItem(mine, { title: 'Heron' })
  const [ada, grace, former] = [makeRandomAddress(), makeRandomAddress(), makeRandomAddress()].sort()
  for (const [address, quantity] of [
    [ada!, 3],
    [grace!, 1],
    [former!, 0],
  ] as const)
    await mine.ctx.db.itemOwner.create({ data: { organizationId: mine.id, itemId, address, quantity } })
  const rows = await read(`/v1/exports/holders.csv?collection_id=${collectionId}`)
  expect(rows).toMatchObject([
    {
      address: ada,
      quantity: '3',
      item_id: itemId,
      token_id: '1',
      title: 'Heron',
      collection_id: collectionId,
      network_id: '31337',
    },
    { address: grace, quantity: '1' },
  ])
  expect(
    (await read(`/v1/exports/holders.csv?item_id=${itemId}&address=${grace!.toLowerCase()}`)).map(
      ({ address }) => address,
    ),
  ).toEqual([grace])
})

test('an export of claims is filtered by state and day, and has no claim links', async () => {
  const { itemId } = await makeItem(mine, { tokenType: 'ERC1155', maxSupply: 10n, title: 'Wren' })
  const sent = []
  for (const email of ['ada@example.com', 'grace@example.com'])
    sent.push((await api.post('/v1/email-claims', { email, item_id: itemId })).body)
  await api.delete(`/v1/email-claims/${sent[1].id}`)
  const rows = await read(`/v1/exports/claims.csv?item_id=${itemId}`)
  expect(rows).toMatchObject([
    { id: sent[0].id, email: 'ada@example.com', title: 'Wren', state: 'ACTIVE', delivery: 'NOT_STARTED' },
    { id: sent[1].id, state: 'REVOKED' },
  ])
  expect(JSON.stringify(rows)).not.toContain(sent[0].claim_url.split('/').at(-1))
  const only = async (query: string) =>
    (await read(`/v1/exports/claims.csv?item_id=${itemId}&${query}`)).map(({ id }) => id)
  const today = new Date().toISOString().slice(0, 10)
  expect(await only('state=REVOKED')).toEqual([sent[1].id])
  expect(await only(`from=${today}&to=${today}`)).toEqual([sent[0].id, sent[1].id])
  expect(await only('to=2020-01-01')).toEqual([])
  expect(await only(`from=${encodeURIComponent(sent[1].created_at)}`)).toEqual([sent[1].id])
  expect((await api.get('/v1/exports/claims.csv?from=yesterday')).status).toBe(400)
})

test('an export of purchases has the price in whole units of its currency', async () => {
  const rows = await makeRows(mine)
  const unit = { organizationId: mine.id, intentId: rows.purchase_intent_id!, itemId: rows.item_id!, quantity: 1n }
  await mine.ctx.db.purchaseUnit.create({ data: unit })
  await mine.ctx.db.purchaseIntent.update({
    where: { id: unit.intentId },
    data: { total: 50_000_000_000_000_000n.toString() },
  })
  expect(await read(`/v1/exports/purchases.csv?listing_id=${rows.listing_id}`)).toMatchObject([
    {
      id: unit.intentId,
      status: 'PENDING',
      provider: 'ORGANIZATION',
      price: '0.050000000000000000',
      currency: 'ETH',
      listing_id: rows.listing_id,
      titles: 'Theirs',
      item_ids: rows.item_id,
      payment_id: '',
    },
  ])
  expect(await read('/v1/exports/purchases.csv?status=REFUNDED')).toEqual([])
})

test('each export needs the permission to read its rows, and has one organization’s rows only', async () => {
  const other = await makeOrganization()
  await makeRows(other)
  for (const [name, permission] of [
    ['items', 'items:read'],
    ['holders', 'items:read'],
    ['claims', 'email_claims:read'],
    ['purchases', 'purchase_intents:read'],
  ] as const) {
    const { key } = await makeKey(other, { permissions: [permission] })
    const file = await callerOf(key).get(`/v1/exports/${name}.csv`)
    expect(file.status).toBe(200)
    expect(file.body.split('\r\n').length, name).toBe(3)
    const { key: weak } = await makeKey(other, { permissions: PERMISSIONS.filter((one) => one !== permission) })
    expect((await callerOf(weak).get(`/v1/exports/${name}.csv`)).status).toBe(403)
  }
})
