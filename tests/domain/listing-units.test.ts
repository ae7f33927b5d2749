import { describe, expect, test, vi } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { cancelListing } from '../../lib/offers/listings/cancel-listing.ts'
import { retakeUnits } from '../../lib/offers/listings/units.ts'
import { updateListing } from '../../lib/offers/listings/update-listing.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import { makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer1155, makeTransfer721 } from '../support/chain-logs.ts'
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
