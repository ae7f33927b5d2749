import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../lib/platform/auth/context.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { undoLogsAbove } from '../../lib/onchain/indexer/undo-logs.ts'
import { releaseHolds } from '../../lib/stock/advance-hold.ts'
import { getCustody } from '../../lib/stock/custody.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import { makeSubmittedMint, makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer721 } from '../support/chain-logs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'

const worker = systemContext()
const project = (...logs: ChainLogRow[]) => inTransaction(worker, (tx) => projectLogs(tx, logs))
const undoAbove = (block: number) => inTransaction(worker, (tx) => undoLogsAbove(tx, 31337, BigInt(block)))

/** Two of our operators: one with a key and one from before a key rotation. Both are custodians. */
const OPERATORS = [makeAddress(90), makeAddress(91)]
let organization: TestOrganization

beforeAll(async () => {
  organization = await makeOrganization()
  for (const operator of OPERATORS)
    await worker.sql(
      Prisma.sql`INSERT INTO operator_lanes (network_id, operator, next_nonce, updated_at) VALUES (31337, ${operator}, 0, now())`,
    )
})

const itemOf = (ctx: Context, id: string) =>
  ctx.db.item.findUniqueOrThrow({ where: { id }, select: { minted: true, held: true, custodian: true } })
const claim = (collectionId: string, itemId: string) =>
  holdUnits(organization.ctx, { type: 'CLAIM', id: newId() }, { collectionId, itemId, quantity: 1n })

test('the database allows one hold on a token in custody, and takes no unit from the pool for it', async () => {
  const { ctx } = organization
  const collection = await makeCollection(organization, { items: 3 })
  const [inCustody, away] = collection.itemIds as [string, string, string]
  const pool = () =>
    ctx.db.collection.findUniqueOrThrow({ where: { id: collection.id }, select: { poolFree: true, poolHeld: true } })
  await project(
    makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n),
    makeTransfer721(collection, { block: 1, index: 1 }, ZERO_ADDRESS, makeAddress(1), 2n),
  )
  expect(await itemOf(ctx, inCustody)).toEqual({ minted: 1n, held: 0n, custodian: OPERATORS[0] })
  expect(await Promise.all([inCustody, away].map((id) => getCustody(ctx, id)))).toEqual([
    { custodian: OPERATORS[0] },
    { custodian: null },
  ])
  // The listing holds the last free unit of the pool; a token in custody isn't in the pool.
  await ctx.db.hold.create({
    data: {
      id: newId(),
      organizationId: organization.id,
      collectionId: collection.id,
      holderType: 'LISTING',
      holderId: newId(),
      quantity: 1n,
    },
  })
  expect(await pool()).toEqual({ poolFree: 1n, poolHeld: 1n })
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => claim(collection.id, inCustody)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(claim(collection.id, away)).rejects.toMatchObject({ code: 'sold_out' })
  await expect(
    worker.sql(Prisma.sql`
    INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
    VALUES (${newId()}::uuid, ${organization.id}::uuid, ${collection.id}::uuid, ${inCustody}::uuid, 'CLAIM', ${newId()}::uuid, 1, now())`),
  ).rejects.toThrow('VT001')
  expect(await pool()).toEqual({ poolFree: 1n, poolHeld: 1n })
  await undoAbove(-1)
})

test.each([{ tokenType: 'ERC1155' as const }, { soulbound: true }, { deploymentType: 'EXTERNAL' as const }])(
  'a token that an operator can’t hand over is not in custody: %o',
  async (change) => {
    const { ctx } = organization
    const collection = await makeCollection(organization)
    await ctx.db.collection.update({ where: { id: collection.id }, data: change })
    await project(makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n))
    expect(await itemOf(ctx, collection.itemIds[0]!)).toEqual({ minted: 1n, held: 0n, custodian: null })
    await expect(claim(collection.id, collection.itemIds[0]!)).rejects.toMatchObject({ code: 'sold_out' })
    await undoAbove(-1)
  },
)

test('a hold placed while the token leaves custody waits for the projection and gets sold_out', async () => {
  const collection = await makeCollection(organization)
  const itemId = collection.itemIds[0]!
  await project(makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n))
  const outcome = await inTransaction(worker, async (tx) => {
    await projectLogs(tx, [makeTransfer721(collection, { block: 2 }, OPERATORS[0]!, makeAddress(1), 1n)])
    const holding = claim(collection.id, itemId).then(
      () => 'held',
      (error: { code: string }) => error.code,
    )
    await until(
      'The hold’s wait for a lock',
      async () => (await systemContext().sql(Prisma.sql`SELECT 1 FROM pg_locks WHERE NOT granted`)).length > 0,
    )
    return { holding }
  })
  expect(await outcome.holding).toBe('sold_out')
  expect(await itemOf(organization.ctx, itemId)).toEqual({ minted: 1n, held: 0n, custodian: null })
  await undoAbove(-1)
})

test('a hold released while in EXCEPTION is not restored when the token returns to custody', async () => {
  const { ctx } = organization
  const collection = await makeCollection(organization)
  const itemId = collection.itemIds[0]!
  await project(makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n))
  const holder = { type: 'CLAIM', id: newId() } as const
  const { holdId } = await holdUnits(ctx, holder, { collectionId: collection.id, itemId, quantity: 1n })
  const stateOfHold = async () => (await ctx.db.hold.findUniqueOrThrow({ where: { id: holdId } })).state
  await project(makeTransfer721(collection, { block: 2 }, OPERATORS[0]!, makeAddress(1), 1n))
  expect(await stateOfHold()).toBe('EXCEPTION')
  await inTransaction(ctx, (tx) => releaseHolds(tx, holder))
  expect(await stateOfHold()).toBe('RELEASED')
  await project(makeTransfer721(collection, { block: 3 }, makeAddress(1), OPERATORS[1]!, 1n))
  expect(await itemOf(ctx, itemId)).toEqual({ minted: 1n, held: 0n, custodian: OPERATORS[1] })
  await claim(collection.id, itemId)
  await undoAbove(-1)
})

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
          select: { id: true, minted: true, burned: true, held: true, minting: true, custodian: true },
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

async function expectConsistent(ctx: Context, collectionId: string): Promise<void> {
  const items = await ctx.db.item.findMany({ where: { collectionId }, include: { owners: true } })
  for (const { minted, held, custodian, owners } of items) {
    expect(custodian).toBe(owners.find(({ address }) => (OPERATORS as string[]).includes(address))?.address ?? null)
    expect(minted - (custodian === null ? 0n : 1n) + held).toBeLessThanOrEqual(1n)
  }
}

// One step of a token: `to` is an index of `addresses` (0 and 1 are operators); `ours` is the delivery of our own
// transfer request.
const step = fc.record({
  token: fc.integer({ min: 1, max: 2 }),
  kind: fc.constantFrom('move' as const, 'move' as const, 'ours' as const, 'burn' as const),
  to: fc.integer({ min: 0, max: 3 }),
})

test('any transfers: custody follows ownership, undo is the inverse, a rebuild gives identical tables', async () => {
  const { ctx } = organization
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      async (blocks) => {
        const run = ++runs
        await undoAbove(-1)
        const collection = await makeCollection(organization, { items: 3 })
        const addresses = [...OPERATORS, makeAddress(1), makeAddress(2)]
        for (const token of [1, 2])
          await makeSubmittedMint(organization, collection, {
            itemId: collection.itemIds[token - 1]!,
            to: makeAddress(7),
            tx: `ours ${run} ${token}`,
            from: OPERATORS[0]!,
          })
        const owners = new Map<number, string>()
        const delivered = new Set<number>()
        const logs = blocks.map((steps, at) =>
          steps.flatMap(({ token, kind, to }, index) => {
            const owner = owners.get(token)
            if (owner === ZERO_ADDRESS || (kind === 'burn' && !owner)) return []
            const isOurs = kind === 'ours' && owner === OPERATORS[0] && !delivered.has(token)
            const next = kind === 'burn' ? ZERO_ADDRESS : isOurs ? makeAddress(7) : addresses[to]!
            if (isOurs) delivered.add(token)
            owners.set(token, next)
            return [
              makeTransfer721(
                collection,
                { block: at + 1, index, tx: isOurs ? `ours ${run} ${token}` : `theirs ${run} ${at} ${index}` },
                (owner ?? ZERO_ADDRESS) as typeof ZERO_ADDRESS,
                next,
                BigInt(token),
              ),
            ]
          }),
        )
        const snapshots = [await snapshot(ctx, collection.id)]
        for (const block of logs) {
          await worker.db.chainLog.createMany({ data: block.map((log) => ({ id: newId(), ...log })) })
          await project(...block)
          await expectConsistent(ctx, collection.id)
          snapshots.push(await snapshot(ctx, collection.id))
        }
        await rebuildProjections(worker, collection.id)
        expect(await snapshot(ctx, collection.id)).toEqual(snapshots.at(-1))
        for (let at = blocks.length - 1; at >= 0; at--) {
          await undoAbove(at)
          await expectConsistent(ctx, collection.id)
          expect(await snapshot(ctx, collection.id)).toEqual(snapshots[at])
        }
        await worker.sql(Prisma.sql`DELETE FROM chain_logs WHERE collection_id = ${collection.id}::uuid`)
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
}, 120_000)

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      token: fc.integer({ min: 1, max: 2 }),
      to: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('claim' as const, 'request' as const),
      token: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deliver' as const), token: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), at: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
)

test('holds made, consumed, released and undone in any order never exceed the supply, reorgs included', async () => {
  const { ctx } = organization
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 25 }), async (actions) => {
      await undoAbove(-1)
      const run = ++runs
      const collection = await makeCollection(organization, { items: 2 })
      const addresses = [...OPERATORS, makeAddress(1), makeAddress(2)]
      type Chain = { owners: Map<number, string>; delivered: Set<string> }
      const chain: Chain[] = [{ owners: new Map(), delivered: new Set() }]
      const requests: { token: number; tx: string; holdId: string }[] = []
      const claims: string[] = []
      const mineTransfer = async (token: number, to: (typeof addresses)[number], tx: string, delivered?: string) => {
        const tip = chain.at(-1)!
        const log = makeTransfer721(
          collection,
          { block: chain.length, tx },
          (tip.owners.get(token) ?? ZERO_ADDRESS) as typeof ZERO_ADDRESS,
          to,
          BigInt(token),
        )
        chain.push({
          owners: new Map(tip.owners).set(token, to),
          delivered: new Set(delivered ? [...tip.delivered, delivered] : tip.delivered),
        })
        await worker.db.chainLog.createMany({ data: [{ id: newId(), ...log }] })
        await project(log)
      }
      for (const [at, one] of actions.entries()) {
        const { owners, delivered } = chain.at(-1)!
        if (one.kind === 'move') await mineTransfer(one.token, addresses[one.to]!, `theirs ${run} ${at}`)
        else if (one.kind === 'claim')
          await claim(collection.id, collection.itemIds[one.token - 1]!).then(
            ({ holdId }) => claims.push(holdId),
            ignoreSoldOut,
          )
        else if (one.kind === 'request') {
          const tx = `request ${run} ${at}`
          await makeSubmittedMint(organization, collection, {
            itemId: collection.itemIds[one.token - 1]!,
            to: makeAddress(7),
            tx,
            from: OPERATORS[0]!,
          }).then(({ holdId }) => requests.push({ token: one.token, tx, holdId }), ignoreSoldOut)
        } else if (one.kind === 'deliver') {
          const request = requests.find(({ token, tx }) => token === one.token && !delivered.has(tx))
          if (request && owners.get(one.token) === OPERATORS[0])
            await mineTransfer(one.token, makeAddress(7), request.tx, request.tx)
        } else if (one.kind === 'release') {
          const id = claims[one.at]
          if (id)
            await ctx.db.hold.updateMany({
              where: { id, state: { in: ['HELD', 'EXCEPTION'] } },
              data: { state: 'RELEASED' },
            })
        } else if (one.kind === 'reorg') {
          const to = Math.max(0, chain.length - 1 - one.depth)
          await undoAbove(to)
          await worker.sql(
            Prisma.sql`DELETE FROM chain_logs WHERE collection_id = ${collection.id}::uuid AND block_number > ${to}`,
          )
          chain.length = to + 1
        } else await rebuildProjections(worker, collection.id)
        await expectConsistent(ctx, collection.id)
        // A request's hold is CONSUMED exactly while its transfer is on the chain.
        for (const { tx, holdId } of requests)
          expect((await ctx.db.hold.findUniqueOrThrow({ where: { id: holdId } })).state === 'CONSUMED').toBe(
            chain.at(-1)!.delivered.has(tx),
          )
      }
      await worker.sql(Prisma.sql`DELETE FROM chain_logs WHERE collection_id = ${collection.id}::uuid`)
    }),
    { numRuns: 15, endOnFailure: true },
  )
  await undoAbove(-1)
}, 120_000)

const ignoreSoldOut = (error: unknown): void => {
  if (!String(error).includes('VT001') && (error as { code?: string }).code !== 'sold_out') throw error
}
