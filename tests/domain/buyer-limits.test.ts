import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { serializeByKey } from '../../lib/core/serialize-by-key.ts'
import { confirmUnits } from '../../lib/offers/listings/units.ts'
import { makeRandomAddress, makeItem } from '../support/claims.ts'
import { makeListing, makePool } from '../support/listings.ts'
import { leaveDisagreements } from '../support/verify-file.ts'
import {
  buy,
  code,
  confirm,
  counters,
  giveBack,
  itemRow,
  listingRow,
  organization,
  setUpListings,
} from '../support/listing-stage.ts'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

leaveDisagreements('Purchases and mints are written by hand, without payments or logs.')

setUpListings()

describe('concurrent buyers', () => {
  // At most this many buyers reach the database at once, as if through the connection pools of several processes.
  const MAX_CONCURRENT = 6
  const flood = <T>(buyers: number, one: () => Promise<T>) =>
    Promise.all(Array.from({ length: buyers }, (_, at) => serializeByKey(`queue ${at % MAX_CONCURRENT}`, one)))

  test('1,000 buyers at once for 100 units make 100 purchases, and 900 get sold_out', async () => {
    const { id, item_id } = await makeListing(organization, { units: 100n })
    const listing = await listingRow(id)
    const answers = await flood(1000, () => code(buy(listing)))
    expect([
      answers.filter((answer) => answer === 'taken').length,
      answers.filter((answer) => answer === 'sold_out').length,
    ]).toEqual([100, 900])
    expect(await counters(id)).toEqual(['ACTIVE', 100n, 0n, 0n])
    expect((await itemRow(item_id!)).held).toBe(100n)
  }, 120_000)

  test('300 buyers at once for a collection of 100 items get 100 different items, and 200 get sold_out', async () => {
    const { collectionId } = await makePool(organization, 100)
    const { id } = await makeListing(organization, { collection_id: collectionId, units: 100n })
    const listing = await listingRow(id)
    const answers = await flood(300, () => buy(listing).catch((error: { code: string }) => error.code))
    const taken = answers.flatMap((answer) =>
      typeof answer === 'string' ? [] : answer.units.map(({ itemId }) => itemId),
    )
    expect([new Set(taken).size, answers.filter((answer) => answer === 'sold_out').length]).toEqual([100, 200])
  }, 120_000)

  test.each([
    ['address', () => ({ address: makeRandomAddress() })],
    ['email', () => ({ email: `${newId()}@example.com` })],
  ])(
    '200 tries at once by one buyer (%s) with limit 3 make 3 purchases, and 197 get limit_reached',
    async (_, make) => {
      const { id } = await makeListing(organization, { units: 500n, policy: { max_per_user: 3n } })
      const listing = await listingRow(id)
      const buyer = make()
      const answers = await flood(200, () => code(buy(listing, { buyer })))
      expect([
        answers.filter((answer) => answer === 'taken').length,
        answers.filter((answer) => answer === 'limit_reached').length,
      ]).toEqual([3, 197])
      expect(await counters(id)).toEqual(['ACTIVE', 3n, 0n, 497n])
    },
    120_000,
  )
})

describe('the stock rule, once a statement', () => {
  const holdOfClaim = (of: { collectionId: string; itemId: string | null; quantity: bigint }) => ({
    id: newId(),
    organizationId: organization.id,
    holderType: 'CLAIM' as const,
    holderId: newId(),
    ...of,
  })

  test('units that one statement moves between holds of an item need no free unit, further ones are refused', async () => {
    const { itemId, collectionId } = await makeItem(organization, { tokenType: 'ERC1155', maxSupply: 5n })
    const [from, to] = [
      holdOfClaim({ collectionId, itemId, quantity: 4n }),
      holdOfClaim({ collectionId, itemId, quantity: 1n }),
    ]
    await organization.ctx.db.hold.createMany({ data: [to, from] })
    const move = (more: bigint) =>
      organization.ctx.sql(Prisma.sql`
        UPDATE holds SET quantity = quantity + CASE WHEN id = ${to.id}::uuid THEN ${more}::bigint ELSE -1 END
        WHERE id IN (${from.id}::uuid, ${to.id}::uuid) RETURNING 1`)
    await move(1n)
    expect((await itemRow(itemId)).held).toBe(5n)
    await expect(move(2n)).rejects.toThrow('VT001')
    await organization.ctx.db.hold.updateMany({ where: { id: from.id }, data: { state: 'RELEASED' } })
    expect((await itemRow(itemId)).held).toBe(2n)
    await organization.ctx.db.hold.deleteMany({ where: { id: to.id } })
    expect((await itemRow(itemId)).held).toBe(0n)
  })

  test('a statement that holds one unit too many of one of its items holds none', async () => {
    const { collectionId, itemIds } = await makePool(organization, 3)
    const holds = [...itemIds, itemIds[1]!].map((itemId) => holdOfClaim({ collectionId, itemId, quantity: 1n }))
    await expect(organization.ctx.db.hold.createMany({ data: holds })).rejects.toThrow('VT001')
    await organization.ctx.db.hold.createMany({ data: holds.slice(0, 3) })
    expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
      poolFree: 0n,
    })
  })

  test('a hold never changes its item', async () => {
    const { collectionId, itemIds } = await makePool(organization, 2)
    const hold = holdOfClaim({ collectionId, itemId: itemIds[0]!, quantity: 1n })
    await organization.ctx.db.hold.createMany({ data: [hold] })
    await expect(
      organization.ctx.db.hold.updateMany({ where: { id: hold.id }, data: { itemId: itemIds[1]! } }),
    ).rejects.toThrow('A hold never changes its item.')
  })

  test('after one item, many are locked without comparing each row with each other', async () => {
    const { collectionId, itemIds } = await makePool(organization, 300)
    const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
    await owner.connect()
    onTestFinished(() => owner.end())
    const plans: string[] = []
    owner.on('notice', ({ message }) => void plans.push(message ?? ''))
    // The trigger's statement is planned for the one row of the first update and kept for the session.
    await owner.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
      SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off; SET client_min_messages = log; SET plan_cache_mode = force_generic_plan`)
    await owner.query('UPDATE items SET max_supply = 2 WHERE id = $1', [itemIds[0]])
    plans.length = 0
    await owner.query('UPDATE items SET max_supply = 2 WHERE collection_id = $1', [collectionId])
    const [plan] = plans.filter((text) => text.includes('pool_free'))
    const loops = [...plan!.matchAll(/loops=(\d+)/g)].map(([, times]) => Number(times))
    expect(Math.max(...loops)).toBe(1)
    expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
      poolFree: 600n,
    })
  })
})

describe('buyer limits', () => {
  test('limits count per address and per email, ignoring case, and are restored with the units', async () => {
    const { id } = await makeListing(organization, { units: 10n, policy: { max_per_user: 1n } })
    const listing = await listingRow(id)
    const address = makeRandomAddress()
    const first = await buy(listing, { buyer: { address, email: 'ada@example.com' } })
    expect(await code(buy(listing, { buyer: { address } }))).toBe('limit_reached')
    expect(await code(buy(listing, { buyer: { email: 'Ada@Example.com' } }))).toBe('limit_reached')
    expect(await code(buy(listing, { buyer: { address: makeRandomAddress(), email: 'ada@example.com' } }))).toBe(
      'limit_reached',
    )
    await giveBack(first)
    expect(await code(buy(listing, { buyer: { address } }))).toBe('taken')
    expect(await code(buy(listing, { buyer: { email: 'ada@example.com' } }))).toBe('taken')
  })

  test('of two open purchases in the name of one buyer, the limit lets one count, or both where it doesn’t matter', async () => {
    const { id } = await makeListing(organization, { units: 10n, policy: { max_per_user: 1n } })
    const listing = await listingRow(id)
    const buyer = { address: makeRandomAddress() }
    const first = await buy(listing, { buyer })
    // Another client opened it, which may be a stranger.
    const data = { clientNetwork: 'elsewhere' }
    await organization.ctx.db.purchaseIntent.updateMany({ where: { id: first.id }, data })
    const second = await buy(listing, { buyer })
    expect([await confirm(first), await confirm(second)]).toEqual([true, false])
    expect(await counters(id)).toEqual(['ACTIVE', 1n, 1n, 8n])
    expect(await inTransaction(organization.ctx, (tx) => confirmUnits(tx, second, { limited: false }))).toBe(true)
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 2n, 8n])
  })

  test('more than max_quantity_per_tx at once is refused', async () => {
    const { id } = await makeListing(organization, { units: 10n, max_quantity_per_tx: 2n })
    expect(await code(buy(await listingRow(id), { quantity: 3n }))).toBe('quantity_invalid')
    expect((await listingRow(id)).quantityOpen).toBe(0n)
  })

  test('an allow list admits only its addresses and emails', async () => {
    const address = makeRandomAddress()
    const { id } = await makeListing(organization, {
      policy: { type: 'ALLOW_LIST', eth_addresses: [address], email_addresses: ['ada@example.com'] },
    })
    const listing = await listingRow(id)
    expect(await code(buy(listing))).toBe('not_eligible')
    expect(await code(buy(listing, { buyer: { address } }))).toBe('taken')
    expect(await code(buy(listing, { buyer: { email: 'ada@example.com' } }))).toBe('taken')
    expect(await code(buy(listing, { buyer: { email: 'bob@example.com' } }))).toBe('not_eligible')
  })

  test('a snapshot admits only its holders, by their addresses', async () => {
    const address = makeRandomAddress()
    const { collectionId } = await makeItem(organization)
    const snapshotId = newId()
    await organization.ctx.db.snapshot.create({
      data: {
        id: snapshotId,
        organizationId: organization.id,
        collectionId,
        name: 'Holders',
        blockNumber: 1n,
        takenTo: 1n,
        readyAt: new Date(),
        holderCount: 1,
      },
    })
    await organization.ctx.db.snapshotHolder.create({
      data: { organizationId: organization.id, snapshotId, address, quantity: 1 },
    })
    const { id } = await makeListing(organization, { policy: { type: 'SNAPSHOT', snapshot_id: snapshotId } })
    const listing = await listingRow(id)
    expect(await code(buy(listing))).toBe('not_eligible')
    expect(await code(buy(listing, { buyer: { email: 'ada@example.com' } }))).toBe('not_eligible')
    expect(await code(buy(listing, { buyer: { address } }))).toBe('taken')
  })

  test('a second listing of the same single unit is sold_out', async () => {
    const { itemId } = await makeItem(organization)
    await makeListing(organization, { item_id: itemId, units: 1n })
    expect(await code(makeListing(organization, { item_id: itemId, units: 1n }))).toBe('sold_out')
  })
})
