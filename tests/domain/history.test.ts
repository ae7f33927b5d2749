import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Context, inTransaction, type SystemContext } from '../../lib/platform/auth/context.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { matchMoves } from '../../lib/onchain/indexer/match-moves.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { undoLogsAbove } from '../../lib/onchain/indexer/undo-logs.ts'
import {
  hashOf,
  makeSubmittedMint,
  makeCollection,
  ZERO_ADDRESS,
  makeAddress,
  makeTransfer1155,
  makeTransfer721,
  makeVoucherRedeemed,
} from '../support/chain-logs.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeVoucher } from '../support/voucher-rows.ts'

const worker = systemContext()
const project = (...logs: ChainLogRow[]) => inTransaction(worker, (tx) => projectLogs(tx, logs))
const applyFacts = () => applyVoucherFacts(worker, { network: { id: 31337 } } as Chain)
const undoAbove = (block: number) => inTransaction(worker, (tx) => undoLogsAbove(tx, 31337, BigInt(block)))

const itemOf = (ctx: Context, id: string) =>
  ctx.db.item.findUniqueOrThrow({ where: { id }, select: { minted: true, burned: true, held: true, minting: true } })
const ownersOf = async (ctx: Context, itemId: string) =>
  (await ctx.db.itemOwner.findMany({ where: { itemId }, orderBy: { address: 'asc' } })).map(({ address, quantity }) => [
    address,
    Number(quantity),
  ])
const holdState = async (ctx: Context, id: string) => (await ctx.db.hold.findUniqueOrThrow({ where: { id } })).state

/** All rows projected from a collection's logs. */
async function snapshot(ctx: Context, collectionId: string) {
  const of = { where: { collectionId }, orderBy: { id: 'asc' } } as const
  return JSON.parse(
    JSON.stringify(
      {
        history: await ctx.db.itemHistory.findMany(of),
        owners: await ctx.db.itemOwner.findMany({
          where: { item: { collectionId } },
          orderBy: [{ itemId: 'asc' }, { address: 'asc' }],
        }),
        items: await ctx.db.item.findMany({
          ...of,
          select: { id: true, minted: true, burned: true, held: true, minting: true },
        }),
        holds: await ctx.db.hold.findMany({ ...of, select: { id: true, state: true, quantity: true } }),
        pool: await ctx.db.collection.findUnique({
          where: { id: collectionId },
          select: { poolFree: true, poolHeld: true },
        }),
      },
      (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    ),
  ) as Record<string, unknown[]>
}

const storeLogs = (ctx: SystemContext, logs: readonly ChainLogRow[]) =>
  ctx.db.chainLog.createMany({ data: logs.map((log) => ({ id: newId(), ...log })) })

test('our mint consumes its request’s hold, the same log again changes nothing, and undo restores it', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const collection = await makeCollection(organization)
  const itemId = collection.itemIds[0]!
  const mint = await makeSubmittedMint(organization, collection, { itemId, to: makeAddress(1), tx: 'ours' })
  expect(await itemOf(ctx, itemId)).toEqual({ minted: 0n, burned: 0n, held: 1n, minting: 1n })

  const log = makeTransfer721(collection, { block: 5, tx: 'ours' }, ZERO_ADDRESS, makeAddress(1), 1n)
  await project(log)
  await project(log)
  expect(await itemOf(ctx, itemId)).toEqual({ minted: 1n, burned: 0n, held: 0n, minting: 0n })
  expect(await holdState(ctx, mint.holdId)).toBe('CONSUMED')
  expect(await ownersOf(ctx, itemId)).toEqual([[makeAddress(1), 1]])
  const events = await ctx.db.event.findMany({ where: { type: 'item.minted' } })
  expect(events).toHaveLength(1)
  expect(events[0]!.data).toMatchObject({ item_id: itemId, to: makeAddress(1), quantity: '1', block_number: 5 })

  await undoAbove(4)
  expect(await itemOf(ctx, itemId)).toEqual({ minted: 0n, burned: 0n, held: 1n, minting: 1n })
  expect(await holdState(ctx, mint.holdId)).toBe('HELD')
  expect(await ownersOf(ctx, itemId)).toEqual([])

  // Mined again in another block: the event isn't recorded twice.
  await project(makeTransfer721(collection, { block: 7, index: 3, tx: 'ours' }, ZERO_ADDRESS, makeAddress(1), 1n))
  expect(await holdState(ctx, mint.holdId)).toBe('CONSUMED')
  expect(await ctx.db.event.count({ where: { type: 'item.minted' } })).toBe(1)
})

test('transfers and burns update owners, and a burnt token still counts as minted', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const collection = await makeCollection(organization)
  const itemId = collection.itemIds[1]!
  await project(
    makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, makeAddress(1), 2n),
    makeTransfer721(collection, { block: 2 }, makeAddress(1), makeAddress(2), 2n),
    makeTransfer721(collection, { block: 3 }, makeAddress(2), ZERO_ADDRESS, 2n),
  )
  expect(await ownersOf(ctx, itemId)).toEqual([])
  expect(await itemOf(ctx, itemId)).toMatchObject({ minted: 1n, burned: 1n })
  expect(
    (await ctx.db.itemHistory.findMany({ where: { itemId }, orderBy: { id: 'asc' } })).map(({ type }) => type),
  ).toEqual(['MINT', 'TRANSFER', 'BURN'])
  await undoAbove(2)
  expect(await ownersOf(ctx, itemId)).toEqual([[makeAddress(2), 1]])
  expect(await itemOf(ctx, itemId)).toMatchObject({ minted: 1n, burned: 0n })
  await undoAbove(-1)
})

test('a foreign mint of a held unit: the hold becomes EXCEPTION with an alarm, and a reorg restores it', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const collection = await makeCollection(organization)
  const itemId = collection.itemIds[0]!
  const mint = await makeSubmittedMint(organization, collection, { itemId, to: makeAddress(1), tx: 'never mined' })
  await project(makeTransfer721(collection, { block: 9 }, ZERO_ADDRESS, makeAddress(66), 1n))
  expect(await holdState(ctx, mint.holdId)).toBe('EXCEPTION')
  expect(await itemOf(ctx, itemId)).toMatchObject({ minted: 1n, held: 0n })
  expect(await ctx.db.alarm.count({ where: { kind: 'foreign_mint', subject: itemId, resolvedAt: null } })).toBe(1)
  expect(await ownersOf(ctx, itemId)).toEqual([[makeAddress(66), 1]])

  await undoAbove(8)
  expect(await holdState(ctx, mint.holdId)).toBe('HELD')
  expect(await itemOf(ctx, itemId)).toMatchObject({ minted: 0n, held: 1n, minting: 1n })
  expect(await ctx.db.alarm.count({ where: { subject: itemId, resolvedAt: null } })).toBe(0)
})

test('a foreign mint to the same recipient doesn’t consume our mint request’s hold', async () => {
  const organization = await makeOrganization()
  const collection = await makeCollection(organization)
  const mint = await makeSubmittedMint(organization, collection, {
    itemId: collection.itemIds[0]!,
    to: makeAddress(1),
    tx: 'ours too',
  })
  await project(makeTransfer721(collection, { block: 9, tx: 'theirs' }, ZERO_ADDRESS, makeAddress(1), 1n))
  expect(await holdState(organization.ctx, mint.holdId)).toBe('EXCEPTION')
  await undoAbove(-1)
})

test('editions: a foreign mint turns only the newest holds to EXCEPTION, and only as many as needed', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: 10n })
  const itemId = collection.itemIds[0]!
  const holds: string[] = []
  for (const quantity of [4n, 3n, 2n])
    holds.push(
      (
        await makeSubmittedMint(organization, collection, {
          itemId,
          to: makeAddress(1),
          quantity,
          tx: `edition ${quantity}`,
        })
      ).holdId,
    )
  const states = () => Promise.all(holds.map((id) => holdState(ctx, id)))

  await project(makeTransfer1155(collection, { block: 1 }, ZERO_ADDRESS, makeAddress(5), [1n], [1n]))
  expect(await states()).toEqual(['HELD', 'HELD', 'HELD'])
  await project(makeTransfer1155(collection, { block: 2 }, ZERO_ADDRESS, makeAddress(5), [1n], [2n]))
  expect(await states()).toEqual(['HELD', 'HELD', 'EXCEPTION'])
  await project(makeTransfer1155(collection, { block: 3 }, ZERO_ADDRESS, makeAddress(5), [1n], [50n]))
  expect(await states()).toEqual(['EXCEPTION', 'EXCEPTION', 'EXCEPTION'])
  expect(await itemOf(ctx, itemId)).toMatchObject({ minted: 53n, held: 0n })
  await undoAbove(2)
  expect(await states()).toEqual(['HELD', 'HELD', 'EXCEPTION'])
  await undoAbove(1)
  expect(await states()).toEqual(['HELD', 'HELD', 'HELD'])
  await undoAbove(-1)
})

test('a reorg gives a hold back even where a foreign mint left it no unit: it is an EXCEPTION again', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: 2n })
  const itemId = collection.itemIds[0]!
  const make = (tx: string) => makeSubmittedMint(organization, collection, { itemId, to: makeAddress(1), tx })
  await make('first of two')
  const { holdId } = await make('second of two')
  const mint = (block: number, to: number, tx: string) =>
    project(makeTransfer1155(collection, { block, tx }, ZERO_ADDRESS, makeAddress(to), [1n], [1n]))
  await mint(1, 1, 'first of two')
  await mint(2, 66, 'theirs')
  expect(await holdState(ctx, holdId)).toBe('EXCEPTION')
  await mint(3, 1, 'second of two')
  expect(await holdState(ctx, holdId)).toBe('CONSUMED')
  expect(await itemOf(ctx, itemId)).toMatchObject({ minted: 3n, held: 0n })

  await undoAbove(2)
  expect(await holdState(ctx, holdId)).toBe('EXCEPTION')
  expect(await itemOf(ctx, itemId)).toMatchObject({ minted: 2n, held: 0n })
  await undoAbove(-1)
})

test('two equal mint requests in one transaction: both holds are consumed', async () => {
  const organization = await makeOrganization()
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: null })
  const itemId = collection.itemIds[0]!
  const first = await makeSubmittedMint(organization, collection, {
    itemId,
    to: makeAddress(1),
    quantity: 2n,
    tx: 'twins',
  })
  const second = await makeSubmittedMint(organization, collection, {
    itemId,
    to: makeAddress(1),
    quantity: 2n,
    tx: 'twin',
  })
  await organization.ctx.db.signedTransaction.updateMany({
    where: { hash: hashOf('twins') },
    data: { mintRequestIds: [first.id, second.id] },
  })
  await project(
    makeTransfer1155(collection, { block: 1, index: 0, tx: 'twins' }, ZERO_ADDRESS, makeAddress(1), [1n], [2n]),
    makeTransfer1155(collection, { block: 1, index: 1, tx: 'twins' }, ZERO_ADDRESS, makeAddress(1), [1n], [2n]),
  )
  expect(await holdState(organization.ctx, first.holdId)).toBe('CONSUMED')
  expect(await holdState(organization.ctx, second.holdId)).toBe('CONSUMED')
  expect(await itemOf(organization.ctx, itemId)).toEqual({ minted: 4n, burned: 0n, held: 0n, minting: 0n })
  await undoAbove(-1)
})

test('a voucher mint delivers its claim, and a reorg undoes that', async () => {
  const organization = await makeOrganization()
  const collection = await makeCollection(organization)
  const { states } = await makeVoucher(organization, collection, 4n)
  await project(makeTransfer721(collection, { block: 3 }, ZERO_ADDRESS, makeAddress(7), 1n))
  await applyFacts()
  expect(await states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
  await undoAbove(2)
  await applyFacts()
  expect(await states()).toEqual(['PENDING', 'OPEN', 'HELD'])
})

test('of an edition’s vouchers the one with the logged nonce is redeemed', async () => {
  const organization = await makeOrganization()
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: 10n })
  const one = await makeVoucher(organization, collection, 4n)
  const two = await makeVoucher(organization, collection, 5n)
  await project(
    makeVoucherRedeemed(collection, { block: 3, index: 0, tx: 'voucher' }, 5n),
    makeTransfer1155(collection, { block: 3, index: 1, tx: 'voucher' }, ZERO_ADDRESS, makeAddress(7), [1n], [1n]),
    makeTransfer1155(collection, { block: 3, index: 2, tx: 'other' }, ZERO_ADDRESS, makeAddress(7), [1n], [1n]),
  )
  await applyFacts()
  expect(await one.states()).toEqual(['PENDING', 'OPEN', 'HELD'])
  expect(await two.states()).toEqual(['REDEEMED', 'CLAIMED', 'CONSUMED'])
  await undoAbove(-1)
})

test('excessive amounts, senders without tokens, uneven batches and undecodable logs don’t stop projection', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 2, maxSupply: null })
  const most = 2n ** 256n - 1n
  await project(
    makeTransfer1155(collection, { block: 1, index: 0 }, ZERO_ADDRESS, makeAddress(1), [1n, 1n, 2n], [most, most, 1n]),
    makeTransfer1155(collection, { block: 1, index: 1 }, makeAddress(3), makeAddress(4), [1n, 99n], [5n, 1n]),
    makeTransfer1155(collection, { block: 1, index: 2 }, ZERO_ADDRESS, makeAddress(4), [1n, 2n], [5n]),
    {
      ...makeTransfer721(collection, { block: 1, index: 3 }, ZERO_ADDRESS, makeAddress(4), 1n),
      data: '0x1234',
      topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
    },
    { ...makeTransfer721(collection, { block: 1, index: 4 }, ZERO_ADDRESS, makeAddress(4), 1n), topics: [] },
  )
  const owners = await ctx.db.itemOwner.findMany({
    where: { itemId: collection.itemIds[0]! },
    orderBy: { address: 'asc' },
  })
  expect(owners.map(({ quantity }) => quantity.toFixed())).toEqual([(2n * most).toString(), '-5', '5'])
  expect((await itemOf(ctx, collection.itemIds[0]!)).minted).toBe(2n * 10n ** 12n)
  expect(await ctx.db.itemHistory.count({ where: { collectionId: collection.id, itemId: null } })).toBe(1)
  await undoAbove(0)
  expect(await snapshot(ctx, collection.id)).toMatchObject({ history: [], owners: [] })
})

test('a token minted before its item existed is matched to the item later', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const collection = await makeCollection(organization, { items: 1 })
  await project(
    makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, makeAddress(1), 50n),
    makeTransfer721(collection, { block: 2 }, makeAddress(1), makeAddress(2), 50n),
  )
  const id = newId()
  await ctx.db.item.create({
    data: {
      id,
      organizationId: organization.id,
      collectionId: collection.id,
      attributes: { title: 'Late' },
      tokenId: '50',
      lockedAt: new Date(),
      maxSupply: 1n,
    },
  })
  await matchMoves(worker, 31337)
  expect(await ownersOf(ctx, id)).toEqual([[makeAddress(2), 1]])
  expect(await itemOf(ctx, id)).toMatchObject({ minted: 1n })
  const before = await snapshot(ctx, collection.id)
  await matchMoves(worker, 31337)
  expect(await snapshot(ctx, collection.id)).toEqual(before)
  await undoAbove(-1)
})

test('projecting one organization’s logs changes no rows of another', async () => {
  const [one, other] = [await makeOrganization(), await makeOrganization()]
  const [mine, theirs] = [await makeCollection(one), await makeCollection(other)]
  const before = await snapshot(other.ctx, theirs.id)
  await project(makeTransfer721(mine, { block: 1 }, ZERO_ADDRESS, makeAddress(1), 1n))
  expect(await snapshot(other.ctx, theirs.id)).toEqual(before)
  expect(await other.ctx.db.event.count()).toBe(0)
  await undoAbove(-1)
})

// One log in a block: our own mint, a foreign mint, a transfer or a burn, possible or not.
const logEntry = fc.record({
  kind: fc.constantFrom('ours' as const, 'mint' as const, 'transfer' as const, 'burn' as const),
  token: fc.integer({ min: 1, max: 4 }),
  from: fc.integer({ min: 1, max: 3 }),
  to: fc.integer({ min: 1, max: 3 }),
  amount: fc.integer({ min: 1, max: 4 }),
})

test('undoing a block is the inverse of projecting it, and a rebuild gives identical tables', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(logEntry, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (blocks) => {
        const run = ++runs
        const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 3, maxSupply: 6n })
        for (const token of [1, 2])
          await makeSubmittedMint(organization, collection, {
            itemId: collection.itemIds[token - 1]!,
            to: makeAddress(1),
            quantity: 3n,
            tx: `ours ${run} ${token}`,
          })
        const mined = new Set<number>()
        const logs = blocks.map((entries, at) =>
          entries.map(({ kind: drawn, token, from, to, amount }, index) => {
            // A transaction is mined once.
            const kind = drawn === 'ours' && mined.has(token) ? 'mint' : drawn
            if (kind === 'ours') mined.add(token)
            const place = {
              block: at + 1,
              index,
              tx: kind === 'ours' ? `ours ${run} ${token}` : `theirs ${run} ${at} ${index}`,
            }
            if (kind === 'ours')
              return makeTransfer1155(collection, place, ZERO_ADDRESS, makeAddress(1), [BigInt(token)], [3n])
            return makeTransfer1155(
              collection,
              place,
              kind === 'mint' ? ZERO_ADDRESS : makeAddress(from),
              kind === 'burn' ? ZERO_ADDRESS : makeAddress(to),
              [BigInt(token)],
              [BigInt(amount)],
            )
          }),
        )
        const snapshots = [await snapshot(ctx, collection.id)]
        for (const block of logs) {
          await storeLogs(worker, block)
          await project(...block)
          snapshots.push(await snapshot(ctx, collection.id))
        }
        await rebuildProjections(worker, collection.id)
        expect(await snapshot(ctx, collection.id)).toEqual(snapshots.at(-1))
        for (let at = blocks.length - 1; at >= 0; at--) {
          await undoAbove(at)
          expect(await snapshot(ctx, collection.id)).toEqual(snapshots[at])
        }
        await worker.sql(Prisma.sql`DELETE FROM chain_logs WHERE collection_id = ${collection.id}::uuid`)
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
}, 120_000)
