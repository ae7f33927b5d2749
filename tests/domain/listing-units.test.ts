import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Listing } from '../../generated/prisma/client.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { serializeByKey } from '../../lib/core/serialize-by-key.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import type { Buyer } from '../../lib/offers/listings/buyer-units.ts'
import { cancelListing } from '../../lib/offers/listings/cancel-listing.ts'
import { confirmUnits, type ItemUnits, retakeUnits, returnUnits, takeUnits } from '../../lib/offers/listings/units.ts'
import { updateListing } from '../../lib/offers/listings/update-listing.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import { makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer1155, makeTransfer721 } from '../support/chain-logs.ts'
import { makeRandomAddress, makeItem, installFakeChain } from '../support/claims.ts'
import { makeListing, makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

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

type Taken = {
  id: string
  listingId: string
  quantity: bigint
  buyerEmail: string | null
  buyerAddress: string | null
  units: ItemUnits[]
}

/** What a purchase does: takes units and sets them aside for itself. */
async function buy(
  listing: Listing,
  { quantity = 1n, buyer = { address: makeRandomAddress() } as Buyer } = {},
): Promise<Taken> {
  const id = newId()
  const units = await inTransaction(organization.ctx, async (tx) => {
    const taken = await takeUnits(tx, listing, { quantity, buyer })
    for (const unit of taken)
      await holdUnits(tx, { type: 'PURCHASE', id }, { collectionId: listing.collectionId, ...unit })
    return taken
  })
  return {
    id,
    listingId: listing.id,
    quantity,
    buyerEmail: buyer.email ?? null,
    buyerAddress: buyer.address ?? null,
    units,
  }
}
const give = (taken: Taken, from: 'open' | 'confirmed' = 'open') =>
  inTransaction(organization.ctx, (tx) => returnUnits(tx, taken, { from }))
const confirm = (taken: Taken) => inTransaction(organization.ctx, (tx) => confirmUnits(tx, taken))

describe('counters', () => {
  test('units go from the listing’s hold to the purchase’s, back when it ends, and for good when it is paid', async () => {
    const { id, item_id } = await makeListing(organization, { units: 10n, max_quantity_per_tx: 5n })
    const listing = await listingRow(id)
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 10n])
    const first = await buy(listing, { quantity: 3n })
    expect(first.units).toEqual([{ itemId: item_id, quantity: 3n }])
    expect(await counters(id)).toEqual(['ACTIVE', 3n, 0n, 7n])
    expect((await itemRow(item_id!)).held).toBe(10n)
    await give(first)
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 10n])
    const second = await buy(listing, { quantity: 4n })
    await confirm(second)
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 4n, 6n])
    await give(second, 'confirmed')
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 10n])
    expect((await itemRow(item_id!)).held).toBe(10n)
  })

  test('the last units sold complete the listing, and say so once', async () => {
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
    // A refund afterwards frees the unit; the listing stays over.
    await give(two, 'confirmed')
    expect(await counters(id)).toEqual(['COMPLETE', 0n, 1n, null])
  })

  test('a listing that is paused or cancelled while somebody pays: what comes back goes to stock', async () => {
    const { id, item_id } = await makeListing(organization, { units: 3n })
    const taken = await buy(await listingRow(id))
    await updateListing(organization.ctx, id, { status: 'PAUSED' })
    expect(await counters(id)).toEqual(['PAUSED', 1n, 0n, null])
    expect(await code(buy(await listingRow(id)))).toBe('listing_not_active')
    await give(taken)
    expect((await itemRow(item_id!)).held).toBe(0n)
    await updateListing(organization.ctx, id, { status: 'ACTIVE' })
    expect(await counters(id)).toEqual(['ACTIVE', 0n, 0n, 3n])
    const other = await buy(await listingRow(id))
    await cancelListing(organization.ctx, id)
    await give(other)
    expect((await itemRow(item_id!)).held).toBe(0n)
    expect(await counters(id)).toEqual(['CANCELLED', 0n, 0n, null])
  })

  test('sold to the last after its end: complete all the same', async () => {
    const { id } = await makeListing(organization, { units: 1n })
    const taken = await buy(await listingRow(id))
    await updateListing(organization.ctx, id, { status: 'PAUSED' })
    await confirm(taken)
    expect((await listingRow(id)).status).toBe('COMPLETE')
  })

  test('units that strangers minted meanwhile don’t come back', async () => {
    const { id, item_id } = await makeListing(organization, { units: 2n })
    const taken = await buy(await listingRow(id))
    await organization.ctx.db.item.update({ where: { id: item_id! }, data: { minted: 1n, maxSupply: 2n } })
    await give(taken)
    const { minted, held, maxSupply } = await itemRow(item_id!)
    expect(minted + held).toBeLessThanOrEqual(maxSupply!)
  })
})

describe('time', () => {
  test('nobody buys before the start or after the end, whatever the worker has written down', async () => {
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

  test('paid after its end: units are taken again from what is there, without a look at the policy', async () => {
    const { id, item_id } = await makeListing(organization, { units: 2n, policy: { max_per_user: 1n } })
    const taken = await buy(await listingRow(id))
    await give(taken)
    await updateListing(organization.ctx, id, { status: 'PAUSED' })
    const again = await inTransaction(organization.ctx, (tx) => retakeUnits(tx, taken))
    expect(again).toEqual([{ itemId: item_id, quantity: 1n }])
    expect((await listingRow(id)).quantityOpen).toBe(1n)
    await give(taken)
    await cancelListing(organization.ctx, id)
    expect(await inTransaction(organization.ctx, (tx) => retakeUnits(tx, taken))).toBeNull()
  })

  test('paid after its end when all is gone: nothing is taken', async () => {
    const { id } = await makeListing(organization, { units: 1n })
    const taken = await buy(await listingRow(id))
    await give(taken)
    await buy(await listingRow(id))
    expect(await inTransaction(organization.ctx, (tx) => retakeUnits(tx, taken))).toBeNull()
  })
})

describe('collections', () => {
  test('the lowest token ids come first, by number', async () => {
    const { collectionId, itemIds } = await makePool(organization, 12)
    const { id } = await makeListing(organization, {
      collection_id: collectionId,
      units: 12n,
      max_quantity_per_tx: 12n,
    })
    const listing = await listingRow(id)
    const first = await buy(listing, { quantity: 2n })
    expect(first.units.map(({ itemId }) => itemId)).toEqual(itemIds.slice(0, 2))
    await give(first)
    const all = await buy(listing, { quantity: 12n })
    expect(all.units.map(({ itemId }) => itemId)).toEqual(itemIds)
    expect(await counters(id)).toEqual(['ACTIVE', 12n, 0n, 0n])
    expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
      poolFree: 0n,
      poolHeld: 0n,
    })
  })

  test('RANDOM takes any, each once, until none is left', async () => {
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

  test('a claim that would starve the pool is refused, and the pool never gives what a claim holds', async () => {
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

describe('floods', () => {
  // As many at the database at once as processes bring connections; the others stand in line, as they do before a process's pool.
  const LANES = 6
  const flood = <T>(buyers: number, one: () => Promise<T>) =>
    Promise.all(Array.from({ length: buyers }, (_, at) => serializeByKey(`lane ${at % LANES}`, one)))

  test('a thousand buyers at once for a hundred units: a hundred get one, nine hundred are told that it is sold out', async () => {
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

  test('the same of a collection: a hundred different items', async () => {
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
    'two hundred tries of one buyer by %s, a limit of three: three',
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

describe('limits', () => {
  test('they count for each identity, whatever the capitals of an email, and come back with the units', async () => {
    const { id } = await makeListing(organization, { units: 10n, policy: { max_per_user: 1n } })
    const listing = await listingRow(id)
    const address = makeRandomAddress()
    const first = await buy(listing, { buyer: { address, email: 'ada@example.com' } })
    expect(await code(buy(listing, { buyer: { address } }))).toBe('limit_reached')
    expect(await code(buy(listing, { buyer: { email: 'Ada@Example.com' } }))).toBe('limit_reached')
    expect(await code(buy(listing, { buyer: { address: makeRandomAddress(), email: 'ada@example.com' } }))).toBe(
      'limit_reached',
    )
    await give(first)
    expect(await code(buy(listing, { buyer: { address } }))).toBe('taken')
    expect(await code(buy(listing, { buyer: { email: 'ada@example.com' } }))).toBe('taken')
  })

  test('more than max_quantity_per_tx at once is refused', async () => {
    const { id } = await makeListing(organization, { units: 10n, max_quantity_per_tx: 2n })
    expect(await code(buy(await listingRow(id), { quantity: 3n }))).toBe('quantity_invalid')
    expect((await listingRow(id)).quantityOpen).toBe(0n)
  })

  test('an allow list lets in who is on it, by address or email', async () => {
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

  test('an item of its own belongs to its listing alone', async () => {
    const { itemId } = await makeItem(organization)
    await makeListing(organization, { item_id: itemId, units: 1n })
    expect(await code(makeListing(organization, { item_id: itemId, units: 1n }))).toBe('sold_out')
  })
})

describe('what strangers mint', () => {
  const project = (logs: ChainLogRow[]) => inTransaction(workerContext(), (tx) => projectLogs(tx, logs))

  test('an item’s listing gives way and is paused; a buyer’s units stay theirs', async () => {
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

  test('a collection’s listing that counts on what is gone is paused', async () => {
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
