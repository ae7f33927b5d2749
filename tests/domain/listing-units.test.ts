import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import { type Listing, Prisma, type PurchaseIntent } from '../../generated/prisma/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { env } from '../../lib/core/env.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { serializeByKey } from '../../lib/core/serialize-by-key.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import type { Buyer } from '../../lib/offers/listings/buyer-units.ts'
import { cancelListing } from '../../lib/offers/listings/cancel-listing.ts'
import { confirmUnits, type ItemUnits, retakeUnits, returnUnits } from '../../lib/offers/listings/units.ts'
import { updateListing } from '../../lib/offers/listings/update-listing.ts'
import { reserveOne } from '../../lib/selling/purchases/reserve-alone.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import { makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer1155, makeTransfer721 } from '../support/chain-logs.ts'
import { makeRandomAddress, makeItem, installFakeChain } from '../support/claims.ts'
import { makeListing, makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Purchases and mints are written by hand, without payments or logs.')

let organization: TestOrganization
beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
})
beforeEach(resetClock)

const listingRow = (id: string) => organization.ctx.db.listing.findFirstOrThrow({ where: { id } })
const holdOf = async (id: string) =>
  (await organization.ctx.db.hold.findFirst({ where: { holderType: 'LISTING', holderId: id, state: 'HELD' } }))
    ?.quantity ?? null
const itemRow = (id: string) => organization.ctx.db.item.findFirstOrThrow({ where: { id } })
const counters = async (id: string) => {
  const { quantityOpen, quantityConfirmed, status } = await listingRow(id)
  return [status, quantityOpen, quantityConfirmed, await holdOf(id)]
}
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: { code: string }) => error.code,
  )

type Taken = Pick<PurchaseIntent, 'id' | 'listingId' | 'quantity' | 'buyerMailbox' | 'buyerAddress'> & {
  units: ItemUnits[]
}

/** Reserves units of the listing for a new purchase whose payment isn't opened. */
async function buy(
  { id }: Listing,
  { quantity = 1n, buyer = { address: makeRandomAddress() } as Buyer } = {},
): Promise<Taken> {
  const ctx = { ...organization.ctx, clientAddress: '192.0.2.1' }
  const order = {
    ctx,
    terms: {
      provider: 'CARD_PROVIDER' as const,
      method: 'TRANSFER' as const,
      quantity,
      buyer: { email: null, address: null, ...buyer },
    },
    ...{ origin: null, locale: null, proof: null, secret: null },
  }
  const reserved = await inTransaction(ctx, (tx) => reserveOne(tx, id, order))
  if (reserved.is === 'found') throw new Error('Another purchase was found.')
  const { intent, units } = reserved.sale
  return { ...intent, units: units.map((unit) => ({ itemId: unit.item.id, quantity: unit.quantity })) }
}
const giveBack = (taken: Taken, from: 'open' | 'confirmed' = 'open') =>
  inTransaction(organization.ctx, async (tx) => {
    await tx.db.purchaseIntent.updateMany({ where: { id: taken.id }, data: { unitsState: 'RETURNED' } })
    await returnUnits(tx, taken, { from })
  })
const confirm = (taken: Taken) => inTransaction(organization.ctx, (tx) => confirmUnits(tx, taken, { limited: true }))

describe('listing counters', () => {
  test('units move to the purchase’s hold, return when it ends, and count as confirmed when paid', async () => {
    const { id, item_id } = await makeListing(organization, { units: 10n, max_quantity_per_tx: 5n })
    const listing = await listingRow(id)
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 10n])
    const first = await buy(listing, { quantity: 3n })
    expect(first.units).toEqual([{ itemId: item_id, quantity: 3n }])
    expect(await counters(id)).toEqual(['ACTIVE', 3n, 0n, 7n])
    expect((await itemRow(item_id!)).held).toBe(10n)
    await giveBack(first)
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 10n])
    const second = await buy(listing, { quantity: 4n })
    await confirm(second)
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 4n, 6n])
    await giveBack(second, 'confirmed')
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 10n])
    expect((await itemRow(item_id!)).held).toBe(10n)
  })

  test('selling the last units completes the listing with one listing.completed event', async () => {
    const { id } = await makeListing(organization, { units: 2n })
    const listing = await listingRow(id)
    const [one, two] = [await buy(listing), await buy(listing)]
    expect(await counters(id)).toEqual(['ACTIVE', 2n, 0n, 0n])
    expect(await code(buy(listing))).toBe('sold_out')
    await confirm(one)
    expect((await listingRow(id)).status).toBe('ACTIVE')
    await confirm(two)
    expect(await counters(id)).toEqual(['COMPLETE', 0n, 2n, null])
    expect(await organization.ctx.db.event.count({ where: { type: 'listing.completed', key: id } })).toBe(1)
    // A later refund frees the unit; the listing stays COMPLETE.
    await giveBack(two, 'confirmed')
    expect(await counters(id)).toEqual(['COMPLETE', 0n, 1n, null])
  })

  test('units returned to a paused or cancelled listing go back to stock', async () => {
    const { id, item_id } = await makeListing(organization, { units: 3n })
    const taken = await buy(await listingRow(id))
    await updateListing(organization.ctx, id, { status: 'PAUSED' })
    expect(await counters(id)).toEqual(['PAUSED', 1n, 0n, null])
    expect(await code(buy(await listingRow(id)))).toBe('listing_not_active')
    await giveBack(taken)
    expect((await itemRow(item_id!)).held).toBe(0n)
    await updateListing(organization.ctx, id, { status: 'ACTIVE' })
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 3n])
    const other = await buy(await listingRow(id))
    await cancelListing(organization.ctx, id)
    await giveBack(other)
    expect((await itemRow(item_id!)).held).toBe(0n)
    expect(await counters(id)).toEqual(['CANCELLED', 0n, 0n, null])
  })

  test('a paused listing whose last unit is paid becomes COMPLETE', async () => {
    const { id } = await makeListing(organization, { units: 1n })
    const taken = await buy(await listingRow(id))
    await updateListing(organization.ctx, id, { status: 'PAUSED' })
    await confirm(taken)
    expect((await listingRow(id)).status).toBe('COMPLETE')
  })

  test('units that were minted elsewhere meanwhile are not returned', async () => {
    const { id, item_id } = await makeListing(organization, { units: 2n })
    const taken = await buy(await listingRow(id))
    await organization.ctx.db.item.update({ where: { id: item_id! }, data: { minted: 1n, maxSupply: 2n } })
    await giveBack(taken)
    const { minted, held, maxSupply } = await itemRow(item_id!)
    expect(minted + held).toBeLessThanOrEqual(maxSupply!)
  })
})

describe('start and end of a listing', () => {
  test('nobody buys before the start or after the end, whatever the stored status', async () => {
    const hour = 3600_000
    const at = (hours: number) => new Date(Date.now() + hours * hour)
    const { id } = await makeListing(organization, { start_time: at(1), end_time: at(2) })
    const listing = await listingRow(id)
    expect(listing.status).toBe('SCHEDULED')
    expect(await code(buy(listing))).toBe('listing_not_active')
    moveClock(1.5 * hour)
    expect(await code(buy(listing))).toBe('taken')
    moveClock(hour)
    expect(await code(buy(listing))).toBe('listing_not_active')
  })

  test('paid late: units are taken again if available, without checking the policy', async () => {
    const { id, item_id } = await makeListing(organization, { units: 2n, policy: { max_per_user: 1n } })
    const taken = await buy(await listingRow(id))
    await giveBack(taken)
    await updateListing(organization.ctx, id, { status: 'PAUSED' })
    const again = await inTransaction(organization.ctx, (tx) => retakeUnits(tx, taken))
    expect(again).toEqual([{ itemId: item_id, quantity: 1n }])
    expect((await listingRow(id)).quantityOpen).toBe(1n)
    await giveBack(taken)
    await cancelListing(organization.ctx, id)
    expect(await inTransaction(organization.ctx, (tx) => retakeUnits(tx, taken))).toBeNull()
  })

  test('paid late when nothing is left: no units are taken', async () => {
    const { id } = await makeListing(organization, { units: 1n })
    const taken = await buy(await listingRow(id))
    await giveBack(taken)
    await buy(await listingRow(id))
    expect(await inTransaction(organization.ctx, (tx) => retakeUnits(tx, taken))).toBeNull()
  })
})

describe('listings of a collection', () => {
  test('items are taken in numeric order of their token ids', async () => {
    const { collectionId, itemIds } = await makePool(organization, 12)
    const { id } = await makeListing(organization, {
      collection_id: collectionId,
      units: 12n,
      max_quantity_per_tx: 12n,
    })
    const listing = await listingRow(id)
    const first = await buy(listing, { quantity: 2n })
    expect(first.units.map(({ itemId }) => itemId)).toEqual(itemIds.slice(0, 2))
    await giveBack(first)
    const all = await buy(listing, { quantity: 12n })
    expect(all.units.map(({ itemId }) => itemId)).toEqual(itemIds)
    expect(await counters(id)).toEqual(['ACTIVE', 12n, 0n, 0n])
    expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
      poolFree: 0n,
      poolHeld: 0n,
    })
  })

  test('RANDOM takes every item once, not in the order of token ids', async () => {
    const { collectionId, itemIds } = await makePool(organization, 60)
    const { id } = await makeListing(organization, {
      collection_id: collectionId,
      units: 60n,
      max_quantity_per_tx: 20n,
      policy: { item_assignment_strategy: 'RANDOM' },
    })
    const listing = await listingRow(id)
    const drawn: string[] = []
    for (const quantity of [20n, 1n, 19n, 20n])
      drawn.push(...(await buy(listing, { quantity })).units.map(({ itemId }) => itemId))
    expect(drawn.slice(0, 20).sort()).not.toEqual(itemIds.slice(0, 20).sort())
    expect(drawn.sort()).toEqual([...itemIds].sort())
    expect(await code(buy(listing))).toBe('sold_out')
  })

  test('a claim on a pooled unit is sold_out, and the pool never sells an item that a claim holds', async () => {
    const { collectionId, itemIds } = await makePool(organization, 3)
    await holdUnits(
      organization.ctx,
      { type: 'CLAIM', id: newId() },
      { collectionId, itemId: itemIds[0]!, quantity: 1n },
    )
    expect(await code(makeListing(organization, { collection_id: collectionId, units: 3n }))).toBe('sold_out')
    const { id } = await makeListing(organization, { collection_id: collectionId, units: 2n })
    expect(
      await code(
        holdUnits(
          organization.ctx,
          { type: 'CLAIM', id: newId() },
          { collectionId, itemId: itemIds[1]!, quantity: 1n },
        ),
      ),
    ).toBe('sold_out')
    const listing = await listingRow(id)
    const bought = [await buy(listing), await buy(listing)]
    expect(bought.flatMap(({ units }) => units.map(({ itemId }) => itemId))).toEqual(itemIds.slice(1))
  })
})

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

describe('foreign mints', () => {
  const project = (logs: ChainLogRow[]) => inTransaction(systemContext(), (tx) => projectLogs(tx, logs))

  test('a foreign mint pauses the item’s listing, and units held by a purchase stay held', async () => {
    const collection = await makeCollection(organization, { tokenType: 'ERC1155', maxSupply: 10n, items: 1 })
    const { id } = await makeListing(organization, { item_id: collection.itemIds[0]!, units: 10n })
    const taken = await buy(await listingRow(id))
    await project([makeTransfer1155(collection, { block: 1 }, ZERO_ADDRESS, makeAddress(1), [1n], [3n])])
    expect(await counters(id)).toEqual(['PAUSED', 1n, 0n, null])
    const hold = await organization.ctx.db.hold.findFirstOrThrow({
      where: { holderType: 'PURCHASE', holderId: taken.id },
    })
    expect(hold.state).toBe('HELD')
    expect(await code(updateListing(organization.ctx, id, { status: 'ACTIVE' }))).toBe('sold_out')
    expect(
      await organization.ctx.db.alarm.count({ where: { kind: 'foreign_mint', subject: collection.itemIds[0]! } }),
    ).toBe(1)
  })

  test('a collection listing that exceeds what is left is paused', async () => {
    const collection = await makeCollection(organization, { items: 3 })
    const { id } = await makeListing(organization, { collection_id: collection.id, units: 3n })
    await project([makeTransfer721(collection, { block: 2 }, ZERO_ADDRESS, makeAddress(1), 1n)])
    expect(await counters(id)).toEqual(['PAUSED', 0n, 0n, null])
    expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collection.id } })).toMatchObject({
      poolFree: 2n,
      poolHeld: 0n,
    })
  })
})
