import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Address } from 'viem'

const postgres = await vi.hoisted(async () => {
  Object.assign(process.env, { PROOF_OF_WORK: 'off', OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' })
  const { startOwnPostgres } = await import('../support/own-postgres.ts')
  return startOwnPostgres({ durable: true })
})

import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { until } from '../faults/matrix/stage.ts'
import { expectNoNonceGap, findings, unfinished } from '../faults/matrix/settled.ts'
import { startActors } from '../faults/soak/actors.ts'
import { startWorld, type World } from '../faults/soak/world.ts'
import { randomFrom } from '../support/lying-node.ts'
import { unitsOf } from '../support/sending.ts'

// npm run soak -- --minutes 30: everybody at once on a system whose nodes lie and whose processes are killed; in the
// end all is as it should be.
const MINUTES = Number(process.env.SOAK_MINUTES ?? 2)
const SEED = Number(process.env.SOAK_SEED ?? 1)
/** From one kill or reorg to the next. */
const CHAOS_MS = { least: 8_000, most: 25_000 }
const SAMPLE_MS = 5_000
const SETTLE_MS = 600_000
const FINAL_DEPTH = 70
/** What the memory that is in use may grow over the second half: a share of it, or what a process varies by anyway. */
const GROWTH = { share: 0.1, bytes: 4_000_000 }
/** A process loads code and fills its caches for some minutes: shorter soaks print its memory without judging it. */
const MINUTES_TO_JUDGE_MEMORY = 10

type Sample = Awaited<ReturnType<World['memory']>>

vi.setConfig({ testTimeout: MINUTES * 60_000 + 1_200_000, hookTimeout: 240_000 })

test('everybody at once, through lies, kills and reorgs: all is delivered, records agree, memory stays', async () => {
  const random = randomFrom(SEED)
  const world = await startWorld(postgres, SEED)
  const actors = await startActors(world, random)
  const { db } = actors.organization.ctx
  world.lie()
  const end = Date.now() + MINUTES * 60_000
  const samples: Sample[] = []
  const sampling = repeatUntil(end, SAMPLE_MS, async () => void samples.push(await world.memory()))
  const struck = await strike(world, random, end)
  await sampling

  await actors.stop()
  world.tellTheTruth()
  // Whoever hasn't paid by now doesn't.
  await db.purchaseIntent.updateMany({ where: { status: 'PENDING' }, data: { expiresAt: new Date() } })
  const settlingSince = Date.now()
  let left: object[] = []
  await until(
    'The end of all work',
    async () => {
      await world.chain.node.mine({ blocks: FINAL_DEPTH })
      await wait(3_000)
      left = await unfinished(actors.organization)
      return left.length === 0 && (await isEachPurchaseOver())
    },
    SETTLE_MS,
  ).catch(() => undefined)
  const settledIn = Date.now() - settlingSince

  async function isEachPurchaseOver(): Promise<boolean> {
    const open = {
      OR: [
        { status: 'PENDING' as const },
        { status: 'CONFIRMED' as const, fulfillmentStatus: { not: 'COMPLETED' as const } },
      ],
    }
    return (await db.purchaseIntent.count({ where: open })) === 0
  }

  const purchases = new Map((await db.purchaseIntent.findMany()).map((row) => [row.id, row]))
  const growth = growthOf(samples)
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1)
  console.log(`
Soak: ${MINUTES} minutes, seed ${SEED}
  answers: ${[...world.statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')}
  purchases ${actors.bought.length}, redeemed claims ${actors.redeemed.length}, mints ${actors.minted.length}
  killed: ${Object.entries(struck)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')}; lies of nodes: ${world.lies()}
  settled in ${Math.round(settledIn / 1000)} s
  memory in use, start of the second half → end: ${Object.entries(growth)
    .map(([kind, { from, to }]) => `${kind} ${mb(from)} → ${mb(to)} MB`)
    .join(', ')}
  surprises: ${actors.surprises.length}, errors of 500: ${world.faults.length}, without an answer: ${world.unanswered()}`)

  expect.soft(left).toEqual([])
  expect.soft(world.faults).toEqual([])
  expect.soft(actors.surprises).toEqual([])
  expect.soft(await findings()).toEqual([])
  await expectNoNonceGap(world.chain)

  // Whoever was promised a token has exactly one, and whoever wasn't has none.
  const edition = { contract: actors.editions.contract, variant: 'ERC1155' as const }
  const has = async (owner: Address, ids: readonly bigint[]) => {
    const units = await Promise.all(ids.map((tokenId) => unitsOf(world.chain, edition, { owner, tokenId })))
    return Number(units.reduce((sum, count) => sum + count, 0n))
  }
  for (const { id, owner } of actors.bought) {
    const { status, fulfillmentStatus } = purchases.get(id)!
    expect.soft(['CONFIRMED', 'REFUNDED', 'EXPIRED', 'CANCELLED']).toContain(status)
    expect.soft([id, await has(owner, [2n])]).toEqual([id, fulfillmentStatus === 'COMPLETED' ? 1 : 0])
  }
  for (const owner of actors.redeemed) expect.soft([owner, await has(owner, [1n])]).toEqual([owner, 1])
  const singles = await db.itemOwner.findMany({ where: { address: { in: actors.minted } } })
  expect.soft(singles.map(({ address }) => address).sort()).toEqual(actors.minted.toSorted())

  // Every purchase by card has one payment, and every refund is one.
  const payments = await openSandboxStore().db.sandboxPaymentIntent.findMany({
    where: { accountId: actors.account },
    include: { refunds: true },
  })
  expect.soft(payments).toHaveLength(actors.bought.filter(({ isCard }) => isCard).length)
  expect.soft(payments.filter(({ refunds }) => refunds.length > 1)).toEqual([])

  if (MINUTES < MINUTES_TO_JUDGE_MEMORY) return
  for (const { from, to } of Object.values(growth))
    expect.soft(to - from).toBeLessThan(Math.max(GROWTH.bytes, from * GROWTH.share))
})

/** Kills processes and PostgreSQL and undoes blocks, at times that the seed says. */
async function strike(world: World, random: () => number, end: number): Promise<Record<string, number>> {
  const ways: Record<string, () => Promise<unknown>> = {
    web: () => world.kill('web'),
    worker: () => world.kill('worker'),
    PostgreSQL: () => world.killPostgres(),
    reorgs: () => world.reorg(1 + Math.floor(random() * 6)),
  }
  const names = Object.keys(ways)
  const done = Object.fromEntries(names.map((name) => [name, 0]))
  for (let at = 0; ; at++) {
    const pause = CHAOS_MS.least + random() * (CHAOS_MS.most - CHAOS_MS.least)
    if (Date.now() + pause > end) break
    await wait(pause)
    // Each comes first once, in turn, so that a short soak has all of them.
    const name = names[at < names.length ? at : Math.floor(random() * names.length)]!
    await ways[name]!()
    done[name]!++
  }
  await wait(Math.max(0, end - Date.now()))
  return done
}

async function repeatUntil(end: number, everyMs: number, work: () => Promise<void>): Promise<void> {
  while (Date.now() < end) {
    await work()
    await wait(everyMs)
  }
}

/** The line through the samples of the second half, at its start and at its end. */
function growthOf(samples: readonly Sample[]): Record<keyof Sample, { from: number; to: number }> {
  const half = samples.slice(Math.floor(samples.length / 2))
  const lineOf = (kind: keyof Sample) => {
    const values = half.map((sample) => sample[kind])
    const middle = (values.length - 1) / 2
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const spread = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
    const slope = spread === 0 ? 0 : values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / spread
    return { from: mean - slope * middle, to: mean + slope * middle }
  }
  return { web: lineOf('web'), worker: lineOf('worker') }
}
