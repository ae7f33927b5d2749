import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../lib/platform/auth/context.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { undoLogsAbove } from '../../lib/onchain/indexer/undo-logs.ts'
import { advanceHold } from '../../lib/stock/advance-hold.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import { makeSubmittedMint, makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer721 } from '../support/chain-logs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'

const worker = workerContext()
const project = (...logs: ChainLogRow[]) => inTransaction(worker, (tx) => projectLogs(tx, logs))
const undoAbove = (block: number) => inTransaction(worker, (tx) => undoLogsAbove(tx, 31337, BigInt(block)))

/** Ours, the first with a key, the second from before a rotation: both are remembered. */
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

test('the database itself lets a kept token be promised once, whoever writes, and takes nothing from the pool for it', async () => {
  const { ctx } = organization
  const collection = await makeCollection(organization, { items: 3 })
  const [kept, gone] = collection.itemIds as [string, string, string]
  const pool = () =>
    ctx.db.collection.findUniqueOrThrow({ where: { id: collection.id }, select: { poolFree: true, poolHeld: true } })
  await project(
    makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n),
    makeTransfer721(collection, { block: 1, index: 1 }, ZERO_ADDRESS, makeAddress(1), 2n),
  )
  expect(await itemOf(ctx, kept)).toEqual({ minted: 1n, held: 0n, custodian: OPERATORS[0] })
  // The last free one is offered as any of the collection: what is kept isn't in that pool.
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
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => claim(collection.id, kept)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(claim(collection.id, gone)).rejects.toMatchObject({ code: 'sold_out' })
  await expect(
    worker.sql(Prisma.sql`
    INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
    VALUES (${newId()}::uuid, ${organization.id}::uuid, ${collection.id}::uuid, ${kept}::uuid, 'CLAIM', ${newId()}::uuid, 1, now())`),
  ).rejects.toThrow('VT001')
  expect(await pool()).toEqual({ poolFree: 1n, poolHeld: 1n })
  await undoAbove(-1)
})

test.each([{ tokenType: 'ERC1155' as const }, { soulbound: true }, { deploymentType: 'EXTERNAL' as const }])(
  'where a token can’t be handed over for sure, it isn’t kept: %o',
  async (special) => {
    const { ctx } = organization
    const collection = await makeCollection(organization)
    await ctx.db.collection.update({ where: { id: collection.id }, data: special })
    await project(makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n))
    expect(await itemOf(ctx, collection.itemIds[0]!)).toEqual({ minted: 1n, held: 0n, custodian: null })
    await expect(claim(collection.id, collection.itemIds[0]!)).rejects.toMatchObject({ code: 'sold_out' })
    await undoAbove(-1)
  },
)

test('a token that leaves while it is being promised: the promise waits for what the chain says, and is refused', async () => {
  const collection = await makeCollection(organization)
  const itemId = collection.itemIds[0]!
  await project(makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n))
  const outcome = await inTransaction(worker, async (tx) => {
    await projectLogs(tx, [makeTransfer721(collection, { block: 2 }, OPERATORS[0]!, makeAddress(1), 1n)])
    const promise = claim(collection.id, itemId).then(
      () => 'promised',
      (error: { code: string }) => error.code,
    )
    await until(
      'The promise',
      async () => (await workerContext().sql(Prisma.sql`SELECT 1 FROM pg_locks WHERE NOT granted`)).length > 0,
    )
    return { promise }
  })
  expect(await outcome.promise).toBe('sold_out')
  expect(await itemOf(organization.ctx, itemId)).toEqual({ minted: 1n, held: 0n, custodian: null })
  await undoAbove(-1)
})

test('what somebody was through with before the token came back isn’t promised again', async () => {
  const { ctx } = organization
  const collection = await makeCollection(organization)
  const itemId = collection.itemIds[0]!
  await project(makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, OPERATORS[0]!, 1n))
  const { holdId } = await claim(collection.id, itemId)
  await project(makeTransfer721(collection, { block: 2 }, OPERATORS[0]!, makeAddress(1), 1n))
  await advanceHold(ctx, { id: holdId, state: 'EXCEPTION' }, 'RELEASED')
  await project(makeTransfer721(collection, { block: 3 }, makeAddress(1), OPERATORS[1]!, 1n))
  expect(await itemOf(ctx, itemId)).toEqual({ minted: 1n, held: 0n, custodian: OPERATORS[1] })
  await claim(collection.id, itemId)
  await undoAbove(-1)
})

/** Everything that is projected from a collection's logs. */
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

async function expectSane(ctx: Context, collectionId: string): Promise<void> {
  const items = await ctx.db.item.findMany({ where: { collectionId }, include: { owners: true } })
  for (const { minted, held, custodian, owners } of items) {
    expect(custodian).toBe(owners.find(({ address }) => (OPERATORS as string[]).includes(address))?.address ?? null)
    expect(minted - (custodian === null ? 0n : 1n) + held).toBeLessThanOrEqual(1n)
  }
}

// Hands a token goes through: ours (0, 1) and people's; `ours` is the delivery that was promised, where the token is with us.
const step = fc.record({
  token: fc.integer({ min: 1, max: 2 }),
  kind: fc.constantFrom('move' as const, 'move' as const, 'ours' as const, 'burn' as const),
  to: fc.integer({ min: 0, max: 3 }),
})

test('whatever hands a token goes through: kept is what an operator owns, nothing is promised twice, undoing is the inverse, and rebuilding gives the identical tables', async () => {
  const { ctx } = organization
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      async (blocks) => {
        const run = ++runs
        await undoAbove(-1)
        const collection = await makeCollection(organization, { items: 3 })
        const hands = [...OPERATORS, makeAddress(1), makeAddress(2)]
        for (const token of [1, 2])
          await makeSubmittedMint(organization, collection, {
            itemId: collection.itemIds[token - 1]!,
            to: makeAddress(7),
            tx: `given ${run} ${token}`,
            from: OPERATORS[0]!,
          })
        const owners = new Map<number, string>()
        const given = new Set<number>()
        const logs = blocks.map((steps, at) =>
          steps.flatMap(({ token, kind, to }, index) => {
            const owner = owners.get(token)
            if (owner === ZERO_ADDRESS || (kind === 'burn' && !owner)) return []
            const isOurs = kind === 'ours' && owner === OPERATORS[0] && !given.has(token)
            const next = kind === 'burn' ? ZERO_ADDRESS : isOurs ? makeAddress(7) : hands[to]!
            if (isOurs) given.add(token)
            owners.set(token, next)
            return [
              makeTransfer721(
                collection,
                { block: at + 1, index, tx: isOurs ? `given ${run} ${token}` : `theirs ${run} ${at} ${index}` },
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
          await expectSane(ctx, collection.id)
          snapshots.push(await snapshot(ctx, collection.id))
        }
        await rebuildProjections(worker, collection.id)
        expect(await snapshot(ctx, collection.id)).toEqual(snapshots.at(-1))
        for (let at = blocks.length - 1; at >= 0; at--) {
          await undoAbove(at)
          await expectSane(ctx, collection.id)
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
      kind: fc.constantFrom('promise' as const, 'order' as const),
      token: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deliver' as const), token: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), at: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
)

test('promises made, kept, released and undone in any order: never one too many, whatever a reorg takes back', async () => {
  const { ctx } = organization
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 25 }), async (actions) => {
      await undoAbove(-1)
      const run = ++runs
      const collection = await makeCollection(organization, { items: 2 })
      const hands = [...OPERATORS, makeAddress(1), makeAddress(2)]
      type Chain = { owners: Map<number, string>; delivered: Set<string> }
      const chain: Chain[] = [{ owners: new Map(), delivered: new Set() }]
      const orders: { token: number; tx: string; holdId: string }[] = []
      const claims: string[] = []
      const mine = async (token: number, to: (typeof hands)[number], tx: string, delivered?: string) => {
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
        if (one.kind === 'move') await mine(one.token, hands[one.to]!, `theirs ${run} ${at}`)
        else if (one.kind === 'promise')
          await claim(collection.id, collection.itemIds[one.token - 1]!).then(
            ({ holdId }) => claims.push(holdId),
            soldOutOnly,
          )
        else if (one.kind === 'order') {
          const tx = `order ${run} ${at}`
          await makeSubmittedMint(organization, collection, {
            itemId: collection.itemIds[one.token - 1]!,
            to: makeAddress(7),
            tx,
            from: OPERATORS[0]!,
          }).then(({ holdId }) => orders.push({ token: one.token, tx, holdId }), soldOutOnly)
        } else if (one.kind === 'deliver') {
          const order = orders.find(({ token, tx }) => token === one.token && !delivered.has(tx))
          if (order && owners.get(one.token) === OPERATORS[0]) await mine(one.token, makeAddress(7), order.tx, order.tx)
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
        await expectSane(ctx, collection.id)
        // Whose token has left, or isn't there, has nothing promised of it that counts twice; whose promise was kept, has it used up.
        for (const { tx, holdId } of orders)
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

const soldOutOnly = (error: unknown): void => {
  if (!String(error).includes('VT001') && (error as { code?: string }).code !== 'sold_out') throw error
}
