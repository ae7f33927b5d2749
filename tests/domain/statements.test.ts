import pg from 'pg'
import { expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { publishedScope } from '../../lib/db/published-scope.ts'
import { organizationScope } from '../../lib/db/scope.ts'
import { connectionsOf, disconnect, limitStatements } from '../../lib/db/client.ts'
import { loginUrl } from '../../lib/db/logins.ts'
import { organizationTransaction } from '../../lib/db/organization-transaction.ts'
import { call, runAlone, runTogether, type Statement } from '../../lib/db/statements.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext, organizationContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction, within } from '../../lib/platform/auth/context.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { asAppError } from '../../lib/platform/http/problem.ts'
import { makeOrganization } from '../support/organization.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'

const CAMPAIGNS: Statement = { name: 'test_campaigns', text: 'SELECT name FROM campaigns ORDER BY name' }
const ADD: Statement = {
  name: 'test_add_campaign',
  text: 'INSERT INTO campaigns (id, organization_id, name, updated_at) VALUES ($1, $2, $3, now()) RETURNING name',
}

test('a statement of a scope sees its organization only and writes nothing', async () => {
  const [mine, other] = await Promise.all([makeOrganization(), makeOrganization()])
  for (const { ctx, id } of [mine, other])
    await ctx.db.campaign.create({ data: { id: newId(), organizationId: id, name: id } })
  expect(await mine.ctx.rows(CAMPAIGNS)).toEqual([{ name: mine.id }])
  await expect(mine.ctx.rows(ADD, newId(), mine.id, 'New')).rejects.toThrow('read-only')
})

test('values of each kind arrive as they were sent', async () => {
  const { ctx } = await makeOrganization()
  const statement: Statement = {
    name: 'test_values',
    text: `SELECT $1::text AS text, $2::int8 AS big, $3::bytea AS bytes, $4::timestamptz AS at, $5::text[] AS texts,
      $6::jsonb AS json, $7::bool AS yes, $8::text AS nothing, encode(($9::bytea[])[1], 'hex') AS first`,
  }
  const texts = ['a "quoted" \\ one', 'NULL', '', null, '{,}']
  const at = new Date('2026-05-06T07:08:09.123Z')
  const [row] = await ctx.rows(
    statement,
    'é',
    2n ** 62n,
    Buffer.from('ff00', 'hex'),
    at,
    texts,
    { a: [1] },
    true,
    null,
    [Buffer.from('ab', 'hex')],
  )
  const bytes = Buffer.from('ff00', 'hex')
  expect(row).toEqual({
    text: 'é',
    big: 2n ** 62n,
    bytes,
    at,
    texts,
    json: { a: [1] },
    yes: true,
    nothing: null,
    first: 'ab',
  })
})

test('a transaction that fails in its last statement leaves nothing, and its connection can be used again', async () => {
  const { id, ctx } = await makeOrganization()
  const add = (name: string) => call(ADD, newId(), id, name)
  await expect(
    organizationTransaction(id, {}, async (run, last) => {
      await run(add('One'))
      await last(add('Two'), add('Two'))
    }),
  ).rejects.toMatchObject({ code: '23505' })
  await expect(
    organizationTransaction(id, {}, async (run) => {
      await run(add('One'))
      throw new Error('Changed my mind.')
    }),
  ).rejects.toThrow('Changed my mind.')
  expect(await ctx.rows(CAMPAIGNS)).toEqual([])
  await organizationTransaction(id, {}, async (run, last) => {
    expect(await run(add('One'), call(CAMPAIGNS))).toEqual([[{ name: 'One' }], [{ name: 'One' }]])
    await last(add('Two'))
  })
  expect(await ctx.rows(CAMPAIGNS)).toEqual([{ name: 'One' }, { name: 'Two' }])
})

test('a transaction that catches the failure of a statement fails all the same, and nothing of it is left', async () => {
  const { id, ctx } = await makeOrganization()
  const campaignId = newId()
  for (const ends of [false, true])
    await expect(
      organizationTransaction(id, {}, async (run, last) => {
        await run(call(ADD, campaignId, id, 'One'))
        await run(call(ADD, campaignId, id, 'Again')).catch(() => undefined)
        if (ends) await last()
        return 'done'
      }),
    ).rejects.toThrow('its error was caught')
  expect(await ctx.rows(CAMPAIGNS)).toEqual([])
})

test('a transaction on keys plans a statement once, for any value, by an index, and its connection plans as before afterwards', async () => {
  const { id } = await makeOrganization()
  const find: Statement = { name: 'test_by_key', text: 'SELECT name FROM campaigns WHERE id = $1::uuid' }
  const plans: Statement = {
    name: 'test_plans',
    text: `SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'test_by_key'`,
  }
  const explain: Statement = { name: 'test_explain', text: `EXPLAIN (COSTS OFF) ${find.text}` }
  await organizationTransaction(id, {}, async (run) => {
    await run(call(plans)) // A connection is known to keep names from its second round trip on.
    for (const key of [newId(), newId(), newId()]) await run(call(find, key))
    const [counts, plan] = await run(call(plans), call(explain, newId()))
    expect(counts).toEqual([{ generic_plans: 3n, custom_plans: 0n }])
    // A table with so few rows would be read as a whole.
    expect(JSON.stringify(plan)).toContain('Index')
    expect(JSON.stringify(plan)).not.toContain('Seq Scan')
  })
  const names = ['plan_cache_mode', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
  const settings: Statement = {
    name: 'test_settings',
    text: 'SELECT name FROM pg_settings WHERE name = ANY ($1::text[]) AND setting <> reset_val',
  }
  const all = await Promise.all(
    Array.from({ length: env.DATABASE_POOL }, () => runAlone(connectionsOf('vitrine_app'), [call(settings, names)])),
  )
  expect(all.flat(2)).toEqual([])
})

test('two statements with one name are refused', async () => {
  const { ctx } = await makeOrganization()
  await ctx.rows(CAMPAIGNS)
  await expect(ctx.rows({ ...CAMPAIGNS, text: 'SELECT 1' })).rejects.toThrow('Two statements are named test_campaigns.')
})

test('a statement whose parsing failed once is parsed again', async () => {
  const client = new pg.Client({ connectionString: loginUrl(process.env.DATABASE_URL!, 'vitrine_system') })
  await client.connect()
  const divide: Statement = { name: 'test_divide', text: 'SELECT 1 / $1::int AS result' }
  const missing: Statement = { name: 'test_missing', text: 'SELECT 1 FROM no_such_table' }
  const run = (...calls: Parameters<typeof call>[]) =>
    runTogether(
      client,
      calls.map((each) => call(...each)),
    )
  expect(await run([divide, 1])).toEqual([[{ result: 1 }]])
  await expect(run([missing], [{ name: 'test_after', text: 'SELECT 2 AS result' }])).rejects.toThrow('no_such_table')
  await expect(run([{ name: 'test_other', text: 'SELECT 1 / $1::int AS result' }, 0])).rejects.toThrow(
    'division by zero',
  )
  expect(await run([{ name: 'test_other', text: 'SELECT 1 / $1::int AS result' }, 1], [divide, 1])).toEqual([
    [{ result: 1 }],
    [{ result: 1 }],
  ])
  expect(await run([{ name: 'test_after', text: 'SELECT 2 AS result' }])).toEqual([[{ result: 2 }]])
  await client.end()
})

test('a value that can’t be sent is refused, also behind another statement, and the connection serves on', async () => {
  const client = new pg.Client({ connectionString: loginUrl(process.env.DATABASE_URL!, 'vitrine_system') })
  await client.connect()
  const json: Statement = { name: 'test_json', text: 'SELECT $1::jsonb AS json' }
  const outcomes = await Promise.allSettled(
    [{ a: 1 }, { big: 1n }, { b: 2 }].map((value) => runTogether(client, [call(json, value)])),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await runTogether(client, [call(json, { c: 3 })])).toEqual([[{ json: { c: 3 } }]])
  await client.end()
})

test('a transaction whose connection lost its names is tried again', async () => {
  const { id } = await makeOrganization()
  await disconnect()
  const add = (name: string) =>
    organizationTransaction(id, {}, async (_, last) => void (await last(call(ADD, newId(), id, name))))
  for (const name of ['a', 'b']) await add(name)
  const client = await connectionsOf('vitrine_app').connect()
  await client.query('DEALLOCATE ALL')
  client.release()
  await add('c')
  expect(await organizationContext(id).rows(CAMPAIGNS)).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
})

test('behind a pooler statements have no names, and a name that was lost is not missed', async () => {
  const url = loginUrl(await startPgBouncer(), 'vitrine_system')
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  const statement: Statement = { name: 'test_pooled', text: 'SELECT $1::int AS result' }
  const results = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => (await runAlone(pool, [call(statement, at)]))[0]),
  )
  expect(results).toEqual(Array.from({ length: 200 }, (_, at) => [{ result: at }]))
  await pool.end()

  const direct = new pg.Pool({ connectionString: loginUrl(process.env.DATABASE_URL!, 'vitrine_system'), max: 1 })
  const once = () => runAlone(direct, [call(statement, 1)])
  await once()
  await once()
  await direct.query('DEALLOCATE ALL')
  expect(await once()).toEqual([[{ result: 1 }]])
  await direct.end()
})

const LATER: Statement = {
  name: 'test_later_campaign',
  text: 'INSERT INTO campaigns (id, organization_id, name, updated_at) VALUES ($1::uuid, $2::uuid, $3, now())',
}

const tripsOf = async (work: () => Promise<unknown>) => (await countRoundTrips(work)).roundTrips.length

test('a read of a scope takes a round trip for each statement, a statement one, and a transaction one for its end', async () => {
  const { ctx, id: organizationId } = await makeOrganization()
  const campaign = () => ({ id: newId(), organizationId, name: newId() })
  await ctx.db.campaign.create({ data: campaign() })
  expect(await tripsOf(() => ctx.db.campaign.findMany())).toBe(1)
  expect(await tripsOf(() => ctx.db.emailClaim.findFirst({ include: { item: true } }))).toBe(2)
  expect(await tripsOf(() => ctx.sql(Prisma.sql`UPDATE campaigns SET name = ${newId()}`))).toBe(1)
  expect(await tripsOf(() => ctx.db.campaign.create({ data: campaign() }))).toBe(2)
  expect(
    await tripsOf(() =>
      ctx.transaction(async ({ db }) => {
        await db.campaign.create({ data: campaign() })
        await db.campaign.count()
      }),
    ),
  ).toBe(3)
  expect(await tripsOf(() => ctx.transaction(() => Promise.resolve()))).toBe(0)
})

test('statements outside a transaction see and change their organization only, however many run at once', async () => {
  const organizations = await Promise.all(Array.from({ length: 4 }, () => makeOrganization()))
  for (const { ctx, id } of organizations)
    await ctx.db.campaign.create({ data: { id: newId(), organizationId: id, name: id } })
  const rounds = Array.from({ length: 100 }, (_, at) => organizations[at % organizations.length]!)
  const seen = await Promise.all(
    rounds.flatMap(({ ctx, id }, at) => [
      ctx.db.campaign.findMany().then((rows) => rows.map(({ name }) => name)),
      ctx.sql<{ name: string }>(Prisma.sql`SELECT name FROM campaigns`).then((rows) => rows.map(({ name }) => name)),
      ctx
        .sql<{ name: string }>(Prisma.sql`UPDATE campaigns SET updated_at = now() RETURNING name`)
        .then((rows) => rows.map(({ name }) => name)),
      ctx
        .transaction(async ({ db, sql }) => {
          if (at % 3 === 0) await sql(Prisma.sql`SELECT 1 / 0`).catch(() => undefined)
          return (await db.campaign.findMany().catch(() => [{ name: id }])).map(({ name }) => name)
        })
        .catch(() => [id]),
    ]),
  )
  for (const [at, names] of seen.entries()) expect(names).toEqual([rounds[Math.floor(at / 4)]!.id])
  const [row] = await publishedScope({ listed: true }).rows<{ organization: string | null }>({
    name: 'test_organization',
    text: "SELECT current_setting('vitrine.organization_id', true) AS organization",
  })
  expect(row!.organization ?? '').toBe('')
})

test('what a read set for itself does not hold for the next statement of its connection', async () => {
  const { ctx } = await makeOrganization()
  const nothing = { where: { id: newId() } }
  expect(await ctx.db.campaign.findFirst(nothing)).toBeNull()
  const [row] = await ctx.sql<{ only: string; organization: string }>(
    Prisma.sql`SELECT current_setting('transaction_read_only') AS only, current_setting('vitrine.organization_id') AS organization`,
  )
  expect(row).toEqual({ only: 'off', organization: ctx.organizationId })
})

test('a statement that fails outside a transaction leaves its connection as it was', async () => {
  const { ctx, id: organizationId } = await makeOrganization()
  await Promise.all(
    Array.from({ length: 20 }, () => expect(ctx.sql(Prisma.sql`SELECT 1 / ${0}::int`)).rejects.toThrow('division')),
  )
  await Promise.all(
    Array.from({ length: 20 }, () => ctx.db.campaign.create({ data: { id: newId(), organizationId, name: newId() } })),
  )
  expect(await ctx.db.campaign.count()).toBe(20)
})

test('what is written later goes out with the next statement or the end, in its order', async () => {
  const { ctx, id } = await makeOrganization()
  const names = () =>
    ctx.db.campaign.findMany({ orderBy: { name: 'asc' } }).then((rows) => rows.map(({ name }) => name))
  const trips = await tripsOf(() =>
    ctx.transaction(async ({ db, later }) => {
      await later(LATER, newId(), id, 'a')
      expect(await db.campaign.count()).toBe(1)
      await later(LATER, newId(), id, 'b')
      await later(LATER, newId(), id, 'c')
    }),
  )
  expect([trips, await names()]).toEqual([2, ['a', 'b', 'c']])
  expect(await tripsOf(() => ctx.transaction(({ later }) => later(LATER, newId(), id, 'd')))).toBe(1)
  expect(await tripsOf(() => ctx.later(LATER, newId(), id, 'e'))).toBe(1)
  expect(await names()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('what is written later and fails undoes its transaction, and the connections can be used again', async () => {
  const { ctx, id } = await makeOrganization()
  const [twice, other] = [newId(), await makeOrganization()]
  const failing = (write: (reach: Pick<typeof ctx, 'later' | 'db'>) => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: 10 }, () =>
        expect(
          ctx.transaction(async (reach) => {
            await reach.db.campaign.create({ data: { id: newId(), organizationId: id, name: 'Undone' } })
            await write(reach)
          }),
        ).rejects.toThrow(),
      ),
    )
  await failing(async ({ later }) => {
    await later(LATER, twice, id, 'Twice')
    await later(LATER, twice, id, 'Twice')
  })
  await failing(({ later }) => later(LATER, newId(), other.id, 'Foreign'))
  await failing(async ({ later, db }) => {
    await later(LATER, newId(), other.id, 'Foreign')
    await db.campaign.count().catch(() => undefined)
    await later(LATER, newId(), id, 'After')
  })
  expect([await ctx.db.campaign.count(), await other.ctx.db.campaign.count()]).toEqual([0, 0])
})

test('a transaction is not reported as done when a statement of it failed and somebody caught that', async () => {
  const { ctx, id: organizationId } = await makeOrganization()
  const failing = (scope: Pick<typeof ctx, 'transaction'>) =>
    scope.transaction(async ({ db, sql }) => {
      await db.campaign.create({ data: { id: newId(), organizationId, name: 'Undone' } })
      await sql(Prisma.sql`SELECT 1 / ${0}::int`).catch(() => undefined)
    })
  await expect(failing(ctx)).rejects.toThrow('rolled back')
  await expect(failing(systemContext('test'))).rejects.toThrow('rolled back')
  expect(await ctx.db.campaign.count()).toBe(0)
})

test('a rollback to a savepoint undoes what was held back since, and what of it would have failed', async () => {
  const { ctx, id } = await makeOrganization()
  const twice = newId()
  await inTransaction(systemContext('test'), async (tx) => {
    await tx.later(LATER, newId(), id, 'Before')
    await tx.sql(Prisma.sql`SAVEPOINT attempt`)
    await tx.later(LATER, twice, id, 'Undone')
    await tx.later(LATER, twice, id, 'Undone')
    await tx.sql(Prisma.sql`ROLLBACK TO SAVEPOINT attempt`)
    await tx.later(LATER, newId(), id, 'After')
  })
  expect(await ctx.rows(CAMPAIGNS)).toEqual([{ name: 'After' }, { name: 'Before' }])
})

test('what an organization writes later in a worker’s transaction is written with its rights', async () => {
  const [mine, other] = await Promise.all([makeOrganization(), makeOrganization()])
  const writing = (owner: string) =>
    inTransaction(systemContext('test'), (tx) =>
      within(tx, mine.id, (own) => own.later(LATER, newId(), owner, 'Later')),
    )
  await expect(writing(other.id)).rejects.toThrow('row-level security')
  await writing(mine.id)
  expect([await mine.ctx.db.campaign.count(), await other.ctx.db.campaign.count()]).toEqual([1, 0])
})

test('a statement that waits longer than a process allows is given up, whoever sent it, and its connection serves on', async () => {
  const { id } = await makeOrganization()
  await disconnect()
  limitStatements(500)
  const ctx = organizationContext(id)
  const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await owner.connect()
  try {
    await owner.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE')
    const works = [
      () => ctx.db.item.count({}),
      () => ctx.sql(Prisma.sql`SELECT count(*) FROM items`),
      () => ctx.rows({ name: 'test_locked_items', text: 'SELECT count(*) FROM items' }),
      () => inTransaction(ctx, (tx) => tx.db.item.count({})),
    ]
    for (const work of works) {
      const failure = await work().then(() => null, asAppError)
      expect(failure, String(failure?.cause)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    }
    await owner.query('COMMIT')
    for (const work of works) await work()
  } finally {
    await owner.end()
    limitStatements(0)
    await disconnect()
  }
})

test('a wait for a connection ends with its request, and the connection goes back to the pool', async () => {
  const pool = connectionsOf('vitrine_app')
  const taken = await Promise.all(Array.from({ length: env.DATABASE_POOL }, () => pool.connect()))
  const gone = new AbortController()
  const scope = organizationScope(newId(), { signal: gone.signal })
  const waiting = scope.rows({ name: 'test_one', text: 'SELECT 1 AS one' })
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  for (const client of taken) client.release()
  const [other] = await organizationScope(newId()).rows({ name: 'test_one', text: 'SELECT 1 AS one' })
  expect(other).toEqual({ one: 1 })
  expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0])
})
