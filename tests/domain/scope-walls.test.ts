import { beforeAll, describe, expect, test } from 'vitest'
import type { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { appClient, systemClient } from '../../lib/db/client.ts'
import { confine } from '../../lib/db/confine.ts'
import { withModelCalls } from '../../lib/db/model-calls.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

// Two walls keep organizations apart. Each hides the other's gaps, so each is tested without the other.
let mine: TestOrganization
let other: TestOrganization

beforeAll(async () => {
  ;[mine, other] = await Promise.all([makeOrganization(), makeOrganization()])
})

type Client = Pick<Prisma.TransactionClient, 'campaign'>

/** The scoped client's model calls, by a login that sees every organization's rows. */
const byScope = <T>(work: (db: Client) => Promise<T>): Promise<T> =>
  work(
    withModelCalls(systemClient(), (delegate, model, operation, args) =>
      delegate[operation]!(confine(mine.id, model, operation, args)),
    ),
  )

/** Prisma's own client under row-level security, in a transaction of one organization. */
const byRowSecurity = <T>(work: (db: Client) => Promise<T>): Promise<T> =>
  appClient().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT set_config('vitrine.organization_id', ${mine.id}, true)`
    return work(tx)
  })

async function makeTwo() {
  const campaigns = []
  for (const { id: organizationId } of [mine, other])
    campaigns.push(
      await systemClient().campaign.create({ data: { id: newId(), organizationId, name: `Spring ${newId()}` } }),
    )
  const [own, foreign] = campaigns
  return { own: own!, foreign: foreign!, both: { id: { in: campaigns.map(({ id }) => id) } } }
}
const nameOf = async (id: string) => (await systemClient().campaign.findUnique({ where: { id } }))?.name

describe.each([
  ['the scoped client alone', byScope],
  ['row-level security alone', byRowSecurity],
])('%s', (_, by) => {
  test('reads its organization’s rows only', async () => {
    const { own, foreign, both } = await makeTwo()
    const where = { id: foreign.id }
    const found = await by(async ({ campaign }) => ({
      many: await campaign.findMany({ where: both }),
      first: await campaign.findFirst({ where }),
      unique: await campaign.findUnique({ where }),
      count: await campaign.count({ where: both }),
      sum: (await campaign.aggregate({ where: both, _count: true }))._count,
      groups: (await campaign.groupBy({ by: ['id'], where: both })).map(({ id }) => id),
    }))
    expect(found).toEqual({ many: [own], first: null, unique: null, count: 1, sum: 1, groups: [own.id] })
    await expect(by(({ campaign }) => campaign.findFirstOrThrow({ where }))).rejects.toThrow()
    await expect(by(({ campaign }) => campaign.findUniqueOrThrow({ where }))).rejects.toThrow()
  })

  test('changes its organization’s rows only', async () => {
    const { own, foreign, both } = await makeTwo()
    const data = { name: newId() }
    const { count } = await by(({ campaign }) => campaign.updateMany({ where: both, data }))
    const changed = await by(({ campaign }) => campaign.updateManyAndReturn({ where: both, data }))
    expect([count, changed.map(({ id }) => id)]).toEqual([1, [own.id]])
    await expect(by(({ campaign }) => campaign.update({ where: { id: foreign.id }, data }))).rejects.toThrow()
    expect([await nameOf(own.id), await nameOf(foreign.id)]).toEqual([data.name, foreign.name])
  })

  test('deletes its organization’s rows only', async () => {
    const { own, foreign, both } = await makeTwo()
    await expect(by(({ campaign }) => campaign.delete({ where: { id: foreign.id } }))).rejects.toThrow()
    expect(await by(({ campaign }) => campaign.deleteMany({ where: both }))).toEqual({ count: 1 })
    expect([await nameOf(own.id), await nameOf(foreign.id)]).toEqual([undefined, foreign.name])
  })
})

test('the scoped client alone makes rows of its organization only, whatever they say', async () => {
  const { foreign } = await makeTwo()
  const row = (id = newId()) => ({ id, organizationId: other.id, name: id })
  const [one, several, returned, upserted] = [row(), row(), row(), row()]
  await byScope(async ({ campaign }) => {
    await campaign.create({ data: one })
    await campaign.createMany({ data: [several] })
    await campaign.createManyAndReturn({ data: [returned] })
    await campaign.upsert({ where: { id: upserted.id }, create: upserted, update: {} })
  })
  const ids = [one, several, returned, upserted].map(({ id }) => id)
  expect(await systemClient().campaign.count({ where: { id: { in: ids }, organizationId: mine.id } })).toBe(4)
  await expect(
    byScope(({ campaign }) =>
      campaign.upsert({ where: { id: foreign.id }, create: { ...foreign }, update: { name: 'Taken' } }),
    ),
  ).rejects.toThrow()
  expect(await nameOf(foreign.id)).toBe(foreign.name)
})

test('the scoped client reaches no model that belongs to no organization', () => {
  for (const model of ['User', 'Session', 'VerificationToken'] as const)
    expect(() => confine(mine.id, model, 'findMany', {})).toThrow(`${model} belongs to no organization`)
})

test('row-level security alone refuses rows of another organization', async () => {
  const { own } = await makeTwo()
  const row = { id: newId(), organizationId: other.id, name: 'Made' }
  await expect(byRowSecurity(({ campaign }) => campaign.create({ data: row }))).rejects.toThrow()
  await expect(
    byRowSecurity(({ campaign }) => campaign.updateMany({ where: { id: own.id }, data: { organizationId: other.id } })),
  ).rejects.toThrow()
  expect(await systemClient().campaign.findUnique({ where: { id: row.id } })).toBeNull()
})
