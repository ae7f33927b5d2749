import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { isLeaseLost } from '../../lib/db/errors.ts'
import { type Lease, releaseLeases, renewLeases, takeLease } from '../../lib/db/leases.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction, within, withinTransaction } from '../../lib/platform/auth/context.ts'
import { openLeadership } from '../../lib/worker/leadership.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'

let organization: TestOrganization
beforeAll(async () => {
  organization = await makeOrganization()
})

const openForTest = () => {
  const leadership = openLeadership(newId())
  onTestFinished(() => leadership.close())
  return leadership
}

/** Lets a lease end as if its holder had not renewed it in time. */
const expire = (task: string) =>
  systemClient().$executeRaw(Prisma.sql`UPDATE leases SET expires_at = to_timestamp(0) WHERE task = ${task}`)

/** A lease of a task of its own, held by nobody who renews it. */
async function takeForTest(): Promise<Lease> {
  const lease = await takeLease(newId(), newId())
  return lease!
}

/** Takes the task of a lease over, as another process does once the lease has expired. */
async function takeOver({ task }: Lease): Promise<Lease> {
  await expire(task)
  return until('The take-over', () => takeLease(task, newId()))
}

/** Ends every connection that leases are renewed by, as a restart of PostgreSQL does. */
async function terminateConnections(): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL })
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'vitrine_leases'`,
  )
  await client.end()
}

test('a task belongs to one process until that closes, then another takes it with a larger token', async () => {
  const [one, other] = [openForTest(), openForTest()]
  const lease = await one.take('a')
  expect([await other.take('a'), await one.take('a')]).toEqual([null, lease])
  expect(await other.take('b')).toMatchObject({ task: 'b' })
  await one.close()
  expect((await other.take('a'))!.token).toBeGreaterThan(lease!.token)
})

test('a task that was given back is free in the same instant', async () => {
  const task = newId()
  // The end of a lease is rounded to milliseconds, up or down.
  for (let round = 1; round <= 100; round++) {
    const holder = newId()
    expect(await takeLease(task, holder)).toMatchObject({ token: BigInt(round) })
    await releaseLeases(holder)
  }
})

test('a lease holds six seconds from when it was taken or renewed, by PostgreSQL’s clock', async () => {
  const clock = async () =>
    (await systemClient().$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`)[0]!.now.getTime()
  const task = newId()
  const holds = async (work: () => Promise<unknown>) => {
    const before = await clock()
    await work()
    const after = await clock()
    const { expiresAt } = await systemClient().lease.findUniqueOrThrow({ where: { task } })
    expect(expiresAt.getTime()).toBeGreaterThanOrEqual(before + 6_000)
    expect(expiresAt.getTime()).toBeLessThanOrEqual(after + 6_001) // it is rounded to milliseconds
  }
  let lease: Lease | null = null
  await holds(async () => (lease = await takeLease(task, newId())))
  await holds(() => renewLeases([lease!]))
})

test('a task whose lease expired is taken by another process, and its former holder stands by', async () => {
  const [one, other] = [openForTest(), openForTest()]
  await one.take('expired')
  const taken = await until('The take-over', async () => {
    await expire('expired')
    return other.take('expired')
  })
  await until('The former holder stands by', async () => (await one.take('expired')) === null)
  expect(await other.take('expired')).toBe(taken)
})

test('a lease whose holder never learnt of it is not renewed with the others', async () => {
  const holder = newId()
  const one = openLeadership(holder)
  onTestFinished(() => one.close())
  await one.take('known')
  const expiryOf = async (task: string) => (await systemClient().lease.findUniqueOrThrow({ where: { task } })).expiresAt
  const first = await expiryOf('known')
  await takeLease('unknown', holder)
  const expiry = await expiryOf('unknown')
  await until('A renewal', async () => (await expiryOf('known')) > first)
  expect(await expiryOf('unknown')).toEqual(expiry)
})

test('many processes ask for one expired task at once: one of them gets it', async () => {
  const lease = await takeForTest()
  await expire(lease.task)
  const answers = await Promise.all(Array.from({ length: 10 }, () => takeLease(lease.task, newId())))
  expect(answers.filter(Boolean)).toEqual([expect.objectContaining({ token: lease.token + 1n })])
})

test('tasks survive the loss of the connections, under concurrent calls and repeated losses', async () => {
  const one = openForTest()
  const tasks = Array.from({ length: 8 }, (_, at) => `task ${at}`)
  for (let round = 0; round < 6; round++)
    await Promise.all([terminateConnections(), ...tasks.map((task) => one.take(task).catch(() => null))])
  for (const task of tasks) await until(`To hold ${task}`, () => one.take(task).catch(() => null))
  const other = openForTest()
  expect(await Promise.all(tasks.map((task) => other.take(task)))).toEqual(tasks.map(() => null))
})

test('a task is not taken over while a transaction of its holder is open', async () => {
  const lease = await takeForTest()
  const { task } = lease
  await inTransaction(systemContext('test', { lease }), async () => {
    await expire(task)
    expect(await takeLease(task, newId())).toBeNull()
  })
  await withinTransaction(systemContext('test', { lease }), organization.id, async () => {
    expect(await takeLease(task, newId())).toBeNull()
  })
  expect(await takeLease(task, newId())).toMatchObject({ token: lease.token + 1n })
})

test('a lease is renewed while a transaction of its holder is open', async () => {
  const lease = await takeForTest()
  await inTransaction(systemContext('test', { lease }), async () => {
    expect(await renewLeases([lease])).toEqual([lease])
  })
})

/** Every way in which a task can write, each adding one campaign. */
const WRITES: Record<string, (lease: Lease, name: string) => Promise<unknown>> = {
  'a model call': (lease, name) =>
    systemContext('test', { lease }).db.campaign.create({
      data: { id: newId(), organizationId: organization.id, name },
    }),
  'a statement': (lease, name) => systemContext('test', { lease }).sql(insertion(name)),
  'a statement whose answer nobody needs': (lease, name) =>
    systemContext('test', { lease }).later(
      {
        name: 'insert_campaign',
        text: 'INSERT INTO campaigns (id, organization_id, name) VALUES ($1::uuid, $2::uuid, $3)',
      },
      newId(),
      organization.id,
      name,
    ),
  'a transaction': (lease, name) => inTransaction(systemContext('test', { lease }), (tx) => tx.sql(insertion(name))),
  'a model call within an organization': (lease, name) =>
    within(systemContext('test', { lease }), organization.id, (ctx) =>
      ctx.db.campaign.create({ data: { id: newId(), organizationId: ctx.organizationId, name } }),
    ),
  'a statement within an organization': (lease, name) =>
    within(systemContext('test', { lease }), organization.id, (ctx) => ctx.sql(insertion(name))),
  'a transaction within an organization': (lease, name) =>
    withinTransaction(systemContext('test', { lease }), organization.id, (tx) => tx.sql(insertion(name))),
  'an organization within a transaction': (lease, name) =>
    inTransaction(systemContext('test', { lease }), (tx) =>
      within(tx, organization.id, (ctx) => ctx.sql(insertion(name))),
    ),
}
const insertion = (name: string) =>
  Prisma.sql`INSERT INTO campaigns (id, organization_id, name) VALUES (${newId()}::uuid, ${organization.id}::uuid, ${name})`

test.each(Object.entries(WRITES))(
  '%s writes with the current token and nothing with an earlier one',
  async (_, write) => {
    const lease = await takeForTest()
    await write(lease, `${lease.task} first`)
    const next = await takeOver(lease)
    const failure = await write(lease, `${lease.task} stale`).catch((error: unknown) => error)
    expect(isLeaseLost(failure), String(failure)).toBe(true)
    await write(next, `${lease.task} next`)
    const written = await organization.ctx.db.campaign.findMany({
      where: { name: { startsWith: lease.task } },
      select: { name: true },
      orderBy: { name: 'asc' },
    })
    expect(written).toEqual([{ name: `${lease.task} first` }, { name: `${lease.task} next` }])
  },
)

test('a lease of another holder with the same token is refused', async () => {
  const lease = await takeForTest()
  const write = WRITES['a transaction']!({ ...lease, holder: newId() }, newId())
  expect(isLeaseLost(await write.catch((error: unknown) => error))).toBe(true)
})

test('an organization’s context can neither read nor change leases', async () => {
  const { task } = await takeForTest()
  await expect(organization.ctx.sql(Prisma.sql`SELECT 1 FROM leases WHERE task = ${task}`)).rejects.toThrow('42501')
  await expect(organization.ctx.sql(Prisma.sql`UPDATE leases SET token = 9 WHERE task = ${task}`)).rejects.toThrow(
    '42501',
  )
})
