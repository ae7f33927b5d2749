import { beforeAll, describe, expect, test } from 'vitest'
import type { HoldState } from '../../generated/prisma/client.ts'
import { secondsFrom, DAY } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { suspend } from '../../lib/data/abuse/suspend.ts'
import { systemClient } from '../../lib/db/client.ts'
import { arePromisesHeld, isSuspensionRefused } from '../../lib/db/errors.ts'
import { organizationTransaction } from '../../lib/db/organization-transaction.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { lockStock } from '../../lib/onchain/indexer/lock-stock.ts'
import { advanceHolds, asChainFact, passHold } from '../../lib/stock/advance-hold.ts'
import { givableUnits } from '../../lib/core/stock.ts'
import { lockCustody } from '../../lib/stock/custody.ts'
import { holdCall, takeFromHoldCalls, type NewHold } from '../../lib/stock/hold-many.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeListing } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'
import { readStatistic } from '../support/statistics.ts'

type Place = { collectionId: string; itemId: string }

let mine: TestOrganization
const worker = () => systemContext('test')

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

const makeEdition = (units: bigint): Promise<Place> => makeItem(mine, { tokenType: 'ERC1155', maxSupply: units })
const rowOf = ({ collectionId, itemId }: Place, holderType: 'CLAIM' | 'LISTING' = 'CLAIM', quantity = 1n) => ({
  id: newId(),
  organizationId: mine.id,
  collectionId,
  itemId,
  holderType,
  holderId: newId(),
  quantity,
})
const refusalOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error)
const holdsOf = ({ itemId }: Place) => systemClient().hold.count({ where: { itemId } })

describe('one statement that promises units of several collections', () => {
  let free: Place
  let suspended: Place
  let waiting: Place
  beforeAll(async () => {
    ;[free, suspended, waiting] = [await makeEdition(50n), await makeEdition(50n), await makeEdition(50n)]
    await suspend(worker(), { organizationId: mine.id, collectionId: suspended.collectionId }, 'Reported.')
    await systemClient().collection.update({
      where: { id: waiting.collectionId },
      data: { promisesFrom: secondsFrom(new Date(), DAY) },
    })
  })

  /** A purchase that was found at the card provider: its units were promised before. */
  async function recoverPurchase(): Promise<string> {
    const { purchase_intent_id: id } = await makeRows(await makeOrganization())
    await systemClient().purchaseIntent.update({ where: { id: id! }, data: { recoveredAt: new Date() } })
    return id!
  }

  test('is refused as a whole where one of them is suspended, whoever writes it', async () => {
    for (const { db } of [mine.ctx, worker()]) {
      const rows = [rowOf(free), rowOf(suspended), rowOf(free, 'LISTING')]
      expect(isSuspensionRefused(await refusalOf(db.hold.createMany({ data: rows })))).toBe(true)
    }
    expect([await holdsOf(free), await holdsOf(suspended)]).toEqual([0, 0])
  })

  test('is refused as a whole where one of them promises nothing for now, but for what a listing sets aside', async () => {
    const create = (...data: ReturnType<typeof rowOf>[]) => mine.ctx.db.hold.createMany({ data })
    expect(arePromisesHeld(await refusalOf(create(rowOf(free), rowOf(waiting))))).toBe(true)
    expect(await holdsOf(free)).toBe(0)
    await create(rowOf(waiting, 'LISTING'), rowOf(free))
    expect([await holdsOf(waiting), await holdsOf(free)]).toEqual([1, 1])
  })

  test.each([
    ['suspended', () => suspended, isSuspensionRefused],
    ['promised to nobody for now', () => waiting, arePromisesHeld],
  ] as const)('may hold what a recovered purchase was promised of one that is %s, and nothing else', async (...row) => {
    const [, placeOf, isRefused] = row
    const db = worker().db
    const create = (...holderIds: string[]) =>
      db.hold.createMany({ data: holderIds.map((holderId) => ({ ...rowOf(placeOf()), holderId })) })
    const [first, second] = [await recoverPurchase(), await recoverPurchase()]
    expect(isRefused(await refusalOf(create(first, newId(), second)))).toBe(true)
    expect((await create(first, second)).count).toBe(2)
  })

  test('is entered where the chain says it, suspended or not', async () => {
    const places = [suspended, waiting, free]
    await inTransaction(worker(), (tx) =>
      asChainFact(tx, () => tx.db.hold.createMany({ data: places.map((place) => rowOf(place)) })),
    )
    // What an organization writes in its own transaction isn't the chain's word, whatever it sets.
    const refused = organizationTransaction(mine.id, {}, (run) =>
      run(
        { statement: { name: 'test_facts', text: "SELECT set_config('vitrine.chain_facts', 'on', true)" }, values: [] },
        holdCall({ organizationId: mine.id, id: suspended.collectionId }, [newHoldOf(suspended)], new Date()),
      ),
    )
    expect(await refusalOf(refused)).toMatchObject({ code: 'VT005' })
  })

  test('of which one is suspended requests no mint of any, and one that is completed is entered', async () => {
    const { transaction_id: transactionId } = await makeRows(mine)
    const { db } = mine.ctx
    const requestOf = ({ collectionId, itemId }: Place, state: 'WAITING' | 'COMPLETED') => ({
      id: newId(),
      organizationId: mine.id,
      collectionId,
      itemId,
      transactionId: transactionId!,
      toAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      quantity: 1n,
      requestNumber: BigInt(Math.floor(Math.random() * 1e12)),
      state,
    })
    const mixed = [requestOf(free, 'WAITING'), requestOf(suspended, 'WAITING')]
    expect(isSuspensionRefused(await refusalOf(db.mintRequest.createMany({ data: mixed })))).toBe(true)
    expect(await db.mintRequest.count({ where: { id: { in: mixed.map(({ id }) => id) } } })).toBe(0)
    const past = [requestOf(free, 'WAITING'), requestOf(suspended, 'COMPLETED')]
    expect((await db.mintRequest.createMany({ data: past })).count).toBe(2)
  })
})

const newHoldOf = ({ itemId }: Place, quantity = 1n): NewHold => ({
  id: newId(),
  itemId,
  holder: { type: 'MINT_REQUEST', id: newId() },
  quantity,
})

describe('units that holds take from a listing’s', () => {
  async function makeListed(units: bigint, holderType: 'CLAIM' | 'LISTING' = 'LISTING') {
    const place = await makeEdition(units)
    const hold = await mine.ctx.db.hold.create({ data: rowOf(place, holderType, units) })
    const collection = { organizationId: mine.id, id: place.collectionId }
    const take = (...quantities: bigint[]) =>
      takeFromHoldCalls(
        hold,
        collection,
        quantities.map((quantity) => newHoldOf(place, quantity)),
        new Date(),
      )
    const left = async () => {
      const { quantity } = await systemClient().hold.findUniqueOrThrow({ where: { id: hold.id } })
      const { held, minting } = await systemClient().item.findUniqueOrThrow({ where: { id: place.itemId } })
      return { quantity, held, minting }
    }
    return { place, collection, take, left }
  }

  test('change hands by one update of their item', async () => {
    const { take, left } = await makeListed(10n)
    const updates = () => readStatistic("SELECT n_tup_upd AS value FROM pg_stat_user_tables WHERE relname = 'items'")
    const before = await updates()
    await organizationTransaction(mine.id, {}, (_, last) => last(...take(1n, 2n, 3n)))
    expect((await updates()) - before).toBe(1)
    expect(await left()).toEqual({ quantity: 4n, held: 10n, minting: 6n })
  })

  test('are counted by holds_added, the only function that changes holds: holds_changed counts statements of its callers alone', async () => {
    const writers = await systemClient().$queryRaw`
      SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~* '(UPDATE|INTO|DELETE FROM)\\s+(ONLY\\s+)?"?holds\\M'`
    expect(writers).toEqual([{ proname: 'holds_added' }])
  })

  test('are never more than it has, and then nothing changes', async () => {
    const { take, left } = await makeListed(3n)
    const refusal = await refusalOf(organizationTransaction(mine.id, {}, (run) => run(...take(2n, 2n))))
    expect(refusal).toMatchObject({ code: '23514' })
    expect(await left()).toEqual({ quantity: 3n, held: 3n, minting: 0n })
  })

  test('are taken by one statement: the next one needs free units', async () => {
    const { place, collection, take, left } = await makeListed(3n)
    const again = holdCall(collection, [newHoldOf(place)], new Date())
    const refusal = await refusalOf(organizationTransaction(mine.id, {}, (run) => run(...take(1n), again)))
    expect(refusal).toMatchObject({ code: 'VT001' })
    expect(await left()).toEqual({ quantity: 3n, held: 3n, minting: 0n })
  })

  test('are not taken from a hold of another kind, of another organization, or one that has ended', async () => {
    const claimed = await makeListed(3n, 'CLAIM')
    expect(await refusalOf(organizationTransaction(mine.id, {}, (run) => run(...claimed.take(1n))))).toMatchObject({
      code: 'P0001',
    })
    const listed = await makeListed(3n)
    const { place, collection } = await makeListed(1n)
    const other = await makeOrganization()
    const [takeFrom] = listed.take(1n)
    const foreign = organizationTransaction(other.id, {}, (run) =>
      run(takeFrom!, holdCall(collection, [newHoldOf(place)], new Date())),
    )
    expect(await refusalOf(foreign)).not.toBeNull()
    await systemClient().hold.updateMany({ where: { itemId: listed.place.itemId }, data: { state: 'RELEASED' } })
    expect(await refusalOf(organizationTransaction(mine.id, {}, (run) => run(...listed.take(1n))))).toMatchObject({
      code: 'P0001',
    })
    expect(await listed.left()).toEqual({ quantity: 3n, held: 0n, minting: 0n })
  })
})

test('what a holder doesn’t hold can’t be passed on', async () => {
  const { collectionId, itemId } = await makeEdition(3n)
  const row = rowOf({ collectionId, itemId })
  await systemClient().hold.create({ data: row })
  const to = { type: 'PURCHASE' as const, id: newId() }
  const pass = (id: string, orMinted = false) =>
    inTransaction(mine.ctx, (tx) => passHold(tx, { from: { type: 'CLAIM', id }, orMinted }, to, itemId))
  expect(await refusalOf(pass(newId()))).toMatchObject({ code: 'conflict' })
  await systemClient().hold.update({ where: { id: row.id }, data: { state: 'RELEASED' } })
  expect(await refusalOf(pass(row.holderId))).toMatchObject({ code: 'conflict' })
  // What somebody else's mint took away is passed on only where that is asked for.
  const excepted = { ...rowOf({ collectionId, itemId }), state: 'EXCEPTION' as const }
  await systemClient().hold.create({ data: excepted })
  expect(await refusalOf(pass(excepted.holderId))).toMatchObject({ code: 'conflict' })
  expect(await refusalOf(pass(excepted.holderId, true))).toBeNull()
})

test('a hold moves only to what its state may become', async () => {
  const { collectionId, itemId } = await makeEdition(3n)
  const row = rowOf({ collectionId, itemId })
  await systemClient().hold.create({ data: { ...row, state: 'RELEASED' } })
  const advance = (from: HoldState, to: HoldState) =>
    refusalOf(inTransaction(mine.ctx, (tx) => advanceHolds(tx, [row.id], from, to)))
  for (const to of ['HELD', 'CONSUMED', 'EXCEPTION'] as const)
    expect(await advance('RELEASED', to)).toMatchObject({ code: 'conflict' })
  expect(await advance('HELD', 'RELEASED')).toBeNull()
  expect((await systemClient().hold.findUniqueOrThrow({ where: { id: row.id } })).state).toBe('RELEASED')
})

test('a minted unit can be given again while it is in custody, and no more than that', () => {
  const item = { maxSupply: 1n, minted: 1n, held: 0n }
  const operator = `0x${'1'.repeat(40)}`
  expect([givableUnits({ ...item, custodian: null }), givableUnits({ ...item, custodian: operator })]).toEqual([0n, 1n])
  expect(givableUnits({ ...item, held: 1n, custodian: operator })).toBe(0n)
})

test('reading a custodian for a caller that holds nothing locks the item’s row', async () => {
  const { itemId } = await makeEdition(3n)
  const free = () =>
    systemClient().$queryRaw<unknown[]>`SELECT 1 FROM items WHERE id = ${itemId}::uuid FOR NO KEY UPDATE SKIP LOCKED`
  await inTransaction(mine.ctx, async (tx) => {
    expect(await lockCustody(tx, itemId)).toMatchObject({ custodian: null })
    expect(await free()).toEqual([])
  })
  expect(await free()).toHaveLength(1)
})

test('entering a single move locks its item and the listings that offer it', async () => {
  const listing = await makeListing(mine, { units: 3n })
  const { item_id: itemId, collection_id: collectionId } = listing
  const { tokenId } = await systemClient().item.findUniqueOrThrow({ where: { id: itemId! } })
  const free = (table: string, id: string) =>
    systemClient().$queryRawUnsafe<unknown[]>(`SELECT 1 FROM ${table} WHERE id = $1::uuid FOR UPDATE SKIP LOCKED`, id)
  const freeRows = async () => [(await free('items', itemId!)).length, (await free('listings', listing.id)).length]
  expect(await freeRows()).toEqual([1, 1])
  await inTransaction(worker(), async (tx) => {
    await lockStock(tx, [{ collectionId: collectionId!, tokenId: tokenId! }])
    expect(await freeRows()).toEqual([0, 0])
  })
})
