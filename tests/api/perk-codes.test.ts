import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { call } from '../support/call.ts'
import { makeKey } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'
import {
  api,
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
