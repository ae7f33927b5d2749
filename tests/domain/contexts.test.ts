import { expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Context, inTransaction, within, withinTransaction } from '../../lib/platform/auth/context.ts'
import { raiseAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { makeOrganization } from '../support/organization.ts'

const seenBy = async (ctx: Pick<Context, 'sql'>) => {
  const [row] = await ctx.sql<{ role: string; organization: string }>(
    Prisma.sql`SELECT current_user::text AS role, current_setting('vitrine.organization_id', true) AS organization`,
  )
  return row!
}
const addCampaign = (ctx: Context, name: string) =>
  ctx.db.campaign.create({ data: { id: newId(), organizationId: ctx.organizationId, name } })

test('within sets the role vitrine_app and the organization, and restores the worker’s login after', async () => {
  const mine = await makeOrganization()
  await inTransaction(systemContext('test'), async (tx) => {
    expect((await seenBy(tx)).role).toBe('test_system')
    const seen = await within(tx, mine.id, (own) => seenBy(own))
    expect(seen).toEqual({ role: 'vitrine_app', organization: mine.id })
    expect(await seenBy(tx)).toEqual({ role: 'test_system', organization: '' })
  })
})

test('within sees and writes rows of its organization only, by model calls and by statements', async () => {
  const [mine, other] = await Promise.all([makeOrganization(), makeOrganization()])
  await addCampaign(other.ctx, 'Theirs')
  await inTransaction(systemContext('test'), async (tx) => {
    await within(tx, mine.id, async (own) => {
      await addCampaign(own, 'Mine')
      expect(await own.db.campaign.findMany({ select: { name: true } })).toEqual([{ name: 'Mine' }])
      expect(await own.sql(Prisma.sql`SELECT name FROM campaigns`)).toEqual([{ name: 'Mine' }])
      expect(await own.sql(Prisma.sql`UPDATE campaigns SET name = 'Taken' WHERE name = 'Theirs' RETURNING id`)).toEqual(
        [],
      )
      const written = await own.db.campaign.create({ data: { id: newId(), organizationId: other.id, name: 'Foreign' } })
      expect(written.organizationId).toBe(mine.id)
      await expect(own.db.campaign.updateMany({ data: { organizationId: other.id } })).rejects.toThrow()
      await expect(own.db.user.findMany()).rejects.toThrow()
    })
    expect(await tx.db.campaign.count({ where: { organizationId: other.id } })).toBe(1)
  })
})

test('within joins the worker’s transaction: what it wrote is undone with it', async () => {
  const mine = await makeOrganization()
  const failed = inTransaction(systemContext('test'), async (tx) => {
    await within(tx, mine.id, (own) => inTransaction(own, (inner) => addCampaign(inner, 'Undone')))
    throw new Error('later')
  })
  await expect(failed).rejects.toThrow('later')
  expect(await mine.ctx.db.campaign.count()).toBe(0)
})

test('within outside a transaction opens none, and withinTransaction opens the organization’s own', async () => {
  const mine = await makeOrganization()
  const worker = systemContext('test')
  expect(await within(worker, mine.id, (own) => Promise.resolve(own.isInTransaction))).toBe(false)
  await withinTransaction(worker, mine.id, (own) => addCampaign(own, 'Mine'))
  expect(await mine.ctx.db.campaign.count()).toBe(1)
})

test('a second organization in the same transaction at the same time is refused', async () => {
  const [mine, other] = await Promise.all([makeOrganization(), makeOrganization()])
  await inTransaction(systemContext('test'), async (tx) => {
    await within(tx, mine.id, async () => {
      await expect(within(tx, other.id, () => Promise.resolve())).rejects.toThrow(mine.id)
    })
    expect(await within(tx, other.id, (own) => seenBy(own))).toMatchObject({ organization: other.id })
  })
})

test('while an organization is open, the worker’s own context can’t be used', async () => {
  const mine = await makeOrganization()
  await inTransaction(systemContext('test'), async (tx) => {
    await within(tx, mine.id, async () => {
      await expect(tx.sql(Prisma.sql`SELECT 1`)).rejects.toThrow(mine.id)
      await expect(tx.db.campaign.count()).rejects.toThrow(mine.id)
      await expect(tx.rows({ name: 'one', text: 'SELECT 1' })).rejects.toThrow(mine.id)
    })
    expect(await tx.db.campaign.count({ where: { organizationId: mine.id } })).toBe(0)
  })
})

test('an error within gives the worker its role back, after a rollback to a savepoint too', async () => {
  const mine = await makeOrganization()
  await inTransaction(systemContext('test'), async (tx) => {
    await expect(within(tx, mine.id, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await seenBy(tx)).toEqual({ role: 'test_system', organization: '' })

    await tx.sql(Prisma.sql`SAVEPOINT before`)
    await expect(within(tx, mine.id, (own) => own.sql(Prisma.sql`SELECT no_such_column`))).rejects.toThrow()
    await tx.sql(Prisma.sql`ROLLBACK TO SAVEPOINT before`)
    expect((await seenBy(tx)).role).toBe('test_system')
  })
})

test('an alarm raised within belongs to the organization, one raised by the worker to the installation', async () => {
  const mine = await makeOrganization()
  const subject = newId()
  await inTransaction(systemContext('test'), async (tx) => {
    await within(tx, mine.id, (own) => raiseAlarm(own, 'foreign_mint', subject, 'Mine.'))
    await raiseAlarm(tx, 'chain_down', subject, 'The installation’s.')
  })
  const alarms = await systemContext('test').db.alarm.findMany({ where: { subject }, orderBy: { kind: 'asc' } })
  expect(Object.fromEntries(alarms.map(({ kind, organizationId }) => [kind, organizationId]))).toEqual({
    foreign_mint: mine.id,
    chain_down: null,
  })
})

test('a worker’s context is not accepted as an organization’s context', () => {
  const takesOne = (ctx: Context) => ctx.organizationId
  // @ts-expect-error A worker's context is no organization's: this line must not compile.
  expect(takesOne(systemContext('test'))).toBeUndefined()
})

test('policies name the organization by the function itself, so that the planner knows whose rows are asked for', async () => {
  const named = await inTransaction(systemContext('test'), (tx) =>
    tx.sql<{ policy: string; said: string }>(Prisma.sql`
      SELECT tablename || '.' || policyname AS policy, concat_ws(' ', qual, with_check) AS said FROM pg_policies
      WHERE schemaname = 'public' AND concat_ws(' ', qual, with_check) LIKE '%current_organization%'`),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({ said }) => /SELECT current_organization/i.test(said))).toEqual([])
})
