import net from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { AppError } from '../../lib/core/errors.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import {
  appClient,
  connectionsOf,
  disconnect,
  leasePool,
  limitStatements,
  publicClient,
  rateLimitPool,
  systemClient,
} from '../../lib/db/client.ts'
import { databaseFaultOf } from '../../lib/db/errors.ts'
import { ownerOptions } from '../../lib/db/session.ts'
import { organizationContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { asAppError } from '../../lib/platform/http/problem.ts'
import { sweep } from '../../lib/platform/jobs/sweep.ts'
import { asOwner } from '../support/as-owner.ts'
import { makeOrganization } from '../support/organization.ts'

const LIMITS = `SELECT name, setting::int AS ms FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout')`
const original = pg.Client.prototype.query
type Limit = { name: string; ms: number }

const CONNECTIONS: Record<string, () => Promise<Limit[]>> = {
  vitrine_app: () => appClient().$queryRawUnsafe(LIMITS),
  vitrine_system: () => systemClient().$queryRawUnsafe(LIMITS),
  vitrine_public: () => publicClient().$queryRawUnsafe(LIMITS),
  'the rate limits': async () => (await rateLimitPool().query<Limit>(LIMITS)).rows,
  'the leases': async () => (await leasePool().query<Limit>(LIMITS)).rows,
}

test.each(Object.entries(CONNECTIONS))(
  'connections of %s wait for no lock, no client and no statement without end',
  async (_, read) => {
    const limits = Object.fromEntries((await read()).map(({ name, ms }) => [name, ms]))
    for (const name of ['idle_in_transaction_session_timeout', 'lock_timeout']) {
      expect(limits[name]).toBeGreaterThan(0)
      expect(limits[name]).toBeLessThanOrEqual(10_000)
    }
    expect(limits.statement_timeout).toBeGreaterThan(0)
    expect(limits.statement_timeout).toBeLessThanOrEqual(3_600_000)
  },
)

test('connections that change the schema have limits, too, which leave time for the biggest tables', async () => {
  const client = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL, options: ownerOptions() })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query<Limit>(LIMITS)
  expect(Object.fromEntries(rows.map(({ name, ms }) => [name, ms]))).toEqual({
    idle_in_transaction_session_timeout: 8_000,
    lock_timeout: 30_000,
    statement_timeout: 86_400_000,
  })
})

test.each(Object.entries(CONNECTIONS))(
  'in the web process, connections of %s wait for no statement without end, and notice a server that is gone',
  async (_, read) => {
    const keptAlive = vi.spyOn(net.Socket.prototype, 'setKeepAlive')
    await disconnect()
    limitStatements(4_321)
    onTestFinished(async () => {
      limitStatements(0)
      await disconnect()
    })
    const limits = Object.fromEntries((await read()).map(({ name, ms }) => [name, ms]))
    expect(limits.statement_timeout).toBe(4_321)
    expect(keptAlive).toHaveBeenCalledWith(true, 10_000)
    keptAlive.mockRestore()
  },
)

test.each([
  ['the requests', () => connectionsOf('vitrine_app')],
  ['the rate limits', rateLimitPool],
  ['the leases', leasePool],
] as const)(
  'a connection of %s that is lost while it is lent ends no process, and others take its place',
  async (_, pool) => {
    const client = await pool().connect()
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const ended = new Promise((resolve) => client.once('end', () => resolve(true)))
    await asOwner(`SELECT pg_terminate_backend(${rows[0]!.pid})`)
    await ended
    const error = await client.query('SELECT 1').catch((thrown: unknown) => thrown)
    expect(databaseFaultOf(error)).toBe('away')
    client.release(true)
    expect((await pool().query('SELECT 1')).rowCount).toBe(1)
  },
)

test('a database without a free connection is unavailable for a moment, and no internal error', async () => {
  const { id } = await makeOrganization()
  const admin = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL })
  await admin.connect()
  const database = new URL(process.env.MIGRATE_DATABASE_URL!).pathname.slice(1)
  const limit = (connections: number) => admin.query(`ALTER DATABASE ${database} CONNECTION LIMIT ${connections}`)
  onTestFinished(async () => {
    await limit(-1)
    await admin.end()
  })
  await disconnect()
  await limit(0)
  const ctx = organizationContext(id, 'test')
  const reads = [
    () => systemClient().organization.count(),
    () => inTransaction(ctx, (tx) => tx.db.item.count()),
    () => ctx.rows({ name: 'one', text: 'SELECT 1' }),
  ]
  for (const read of reads) expect(asAppError(await read().catch((error: unknown) => error)).code).toBe('unavailable')
})

test('in a transaction, the relations of a row are read one statement after another', async () => {
  const { ctx, id } = await makeOrganization()
  const waiting: number[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client & { _queryQueue?: unknown[] },
    ...args: unknown[]
  ) {
    waiting.push(this._queryQueue!.length)
    return (original as (...args: unknown[]) => unknown).apply(this, args)
  } as never)
  onTestFinished(() => query.mockRestore())
  const read = await inTransaction(ctx, async (tx) => {
    const { id: campaignId } = await tx.db.campaign.create({
      data: { id: newId(), organizationId: id, name: 'Relations' },
    })
    return Promise.all([
      tx.db.campaign.findFirstOrThrow({
        where: { id: campaignId },
        include: { claims: true, listings: true, templates: true },
      }),
      tx.db.campaign.count(),
    ])
  })
  expect(read).toMatchObject([{ claims: [], listings: [] }, 1])
  expect(waiting.length).toBeGreaterThan(4)
  expect(Math.max(...waiting)).toBe(0)
})

/** A campaign whose row another connection has locked until `release`. */
async function makeLockedCampaign() {
  const { ctx, id: organizationId } = await makeOrganization()
  const { id } = await ctx.db.campaign.create({ data: { id: newId(), organizationId, name: 'Locked' } })
  const client = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM campaigns WHERE id = $1 FOR UPDATE', [id])
  let tries = 0
  const rename = (before: (tries: number) => Promise<unknown>) =>
    inTransaction(ctx, async (tx) => {
      await tx.sql(Prisma.sql`SELECT set_config('lock_timeout', '50ms', true)`)
      await before(++tries)
      return tx.db.campaign.update({ where: { id, organizationId }, data: { name: 'Renamed' } })
    })
  return { id, organizationId, rename, release: () => client.query('ROLLBACK'), tries: () => tries }
}

test('a transaction that waited too long for a lock is tried again', async () => {
  const { rename, release, tries } = await makeLockedCampaign()
  const row = await rename(async (count) => count === 3 && release())
  expect([row.name, tries()]).toEqual(['Renamed', 3])
})

test('a request that never gets its lock is answered with 503 and when to try again', async () => {
  const { rename } = await makeLockedCampaign()
  const error = asAppError(await rename(() => Promise.resolve()).catch((failure: unknown) => failure))
  expect([error.code, error.status, error.retryAfterSeconds]).toEqual(['unavailable', 503, 2])
})

test('a row that a task of the worker never gets the lock of is tried again later, and then done', async () => {
  const { id, organizationId, rename, release, tries } = await makeLockedCampaign()
  onTestFinished(resetClock)
  const worker = systemContext('test')
  const round = () =>
    sweep(worker, { kind: 'run imports', failure: 'It can’t be renamed.' }, [{ id, organizationId }], () =>
      rename(() => Promise.resolve()),
    )
  expect(await round()).toBe(0)
  expect(tries()).toBe(5)
  expect(await worker.db.rowTry.findMany({ where: { kind: 'run imports' } })).toMatchObject([
    { rowId: id, attempts: 1 },
  ])
  await release()
  moveClock(6_000)
  expect(await round()).toBe(1)
  expect(await worker.db.rowTry.count({ where: { kind: 'run imports' } })).toBe(0)
})

test('a refusal that another evaluation of lib made is shown as what it is', async () => {
  vi.resetModules()
  const other = await import('../../lib/core/errors.ts')
  const refusal = new other.AppError('sold_out', 'None is left.')
  expect(refusal).not.toBeInstanceOf(AppError)
  expect(asAppError(refusal)).toBe(refusal)
})
