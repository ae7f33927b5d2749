import { beforeEach, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { DAY, moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { BOUNDS, type Rule } from '../../lib/data/retention/bounds.ts'
import { deleteOldRows, deletionOf } from '../../lib/data/retention/delete-old-rows.ts'
import { deleteOldLines } from '../../lib/data/imports/delete-old-lines.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
})

const daysPass = (days: number) => moveClock(days * DAY * 1000)

describe('bounds', () => {
  test('each table says what bounds it, and no other is named', async () => {
    const tables = await systemClient().$queryRaw<{ name: string }[]>`
      SELECT relname::text AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> '_prisma_migrations'`
    expect(Object.keys(BOUNDS).toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  })

  const rules = Object.entries(BOUNDS).flatMap(([table, rules]) =>
    typeof rules === 'string' ? [] : rules.map((rule): [string, Rule] => [table, rule]),
  )
  // Four rows at most: setup_links.
  test.each(rules.filter(([table]) => table !== 'setup_links'))(
    'old rows of %s are found by an index',
    async (table, rule) => {
      const plan = await systemClient().$transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL enable_seqscan = off`
        return tx.$queryRaw<{ 'QUERY PLAN': string }[]>(Prisma.sql`EXPLAIN ${deletionOf(table, rule, now(), 10)}`)
      })
      const text = plan.map((line) => line['QUERY PLAN']).join('\n')
      expect(text).toMatch(/Index Scan|Bitmap Index Scan/)
      expect(text).not.toContain('Seq Scan')
      expect(text).toContain('Index Cond')
    },
  )
})

test('old rows are deleted in batches until none is left, and younger ones stay', async () => {
  const { id, ctx } = await makeOrganization()
  const { claimId } = await makeClaimRow(ctx, id)
  const pin = (age: number) => ({
    id: newId(),
    organizationId: id,
    claimId,
    hash: new Uint8Array(32),
    state: 'USED' as const,
    expiresAt: secondsFrom(now(), -age),
  })
  const young = pin(DAY - 60)
  await ctx.db.pin.createMany({ data: [...Array.from({ length: 5 }, () => pin(DAY + 60)), young] })
  await deleteOldRows(systemContext(), 2)
  expect(await ctx.db.pin.findMany({ select: { id: true } })).toEqual([{ id: young.id }])
})

test('a mail that concerns a claim stays with it; PINs, other mails and nothing that waits are deleted after 30 days', async () => {
  const { id, ctx } = await makeOrganization()
  const { claimId } = await makeClaimRow(ctx, id)
  const mail = (name: string, fields: object) => ({
    id: newId(),
    organizationId: id,
    messageId: `<${newId()}@example.com>`,
    toEmail: `${name}@example.com`,
    templateType: 'ALARM',
    state: 'SENT' as const,
    createdAt: now(),
    ...fields,
  })
  await ctx.db.outboxMessage.createMany({
    data: [
      mail('claim', { claimId, templateType: 'REDEEM_NFT' }),
      mail('pin', { claimId, templateType: 'CLAIM_PINCODE' }),
      mail('other', {}),
      mail('waiting', { state: 'PENDING' }),
      mail('held', { state: 'HELD' }),
    ],
  })
  const left = async () =>
    (await ctx.db.outboxMessage.findMany({ orderBy: { id: 'asc' } })).map(({ toEmail }) => toEmail.split('@')[0])
  daysPass(29)
  await deleteOldRows(systemContext())
  expect(await left()).toEqual(['claim', 'pin', 'other', 'waiting', 'held'])
  daysPass(2)
  await deleteOldRows(systemContext())
  expect(await left()).toEqual(['claim', 'waiting', 'held'])
})

test('an old event is deleted, or emptied where its cause could be reported again', async () => {
  const { id, ctx } = await makeOrganization()
  const event = (type: string) => ({
    id: newId(),
    organizationId: id,
    type,
    key: newId(),
    data: { a: 1 },
    createdAt: now(),
  })
  await ctx.db.event.createMany({ data: [event('claim.created'), event('item.minted')] })
  const left = () => ctx.db.event.findMany({ select: { type: true, data: true }, orderBy: { id: 'asc' } })
  daysPass(90)
  await deleteOldRows(systemContext())
  expect(await left()).toHaveLength(2)
  daysPass(2)
  await deleteOldRows(systemContext())
  expect(await left()).toEqual([{ type: 'item.minted', data: {} }])
})

describe('imports', () => {
  test('lines are deleted 90 days after the end, but those that made an item, whose external ids stay known', async () => {
    const { key } = await makeOrganization()
    const api = callerOf(key)
    const { body: collection } = await api.post('/v1/collections', { name: newId() })
    const csv = 'title,external_id\nMoth,m-1\nMoth,m-1\n'
    const file = { collection_id: collection.id, csv, dry_run: false }
    const { body: made } = await api.post('/v1/items/import', file)
    await runImports(systemContext())
    const rows = async () => (await api.get(`/v1/imports/${made.id}/rows`)).body.results.length as number
    daysPass(89)
    await deleteOldLines(systemContext())
    expect(await rows()).toBe(2)
    daysPass(2)
    await deleteOldLines(systemContext(), 1)
    expect(await rows()).toBe(1)
    const { body } = await api.get(`/v1/imports/${made.id}`)
    expect(body).toMatchObject({ state: 'COMPLETED', row_count: 2, lines_deleted_at: expect.any(String) })
    expect((await api.post('/v1/items/import', { ...file, dry_run: true })).body).toMatchObject({
      ok_count: 0,
      duplicate_count: 2,
    })
  })

  test('an import that was not started for 90 days is cancelled, and its lines are deleted as many days later', async () => {
    const organization = await makeOrganization()
    const api = callerOf(organization.key)
    const { itemId } = await makeItem(organization)
    const { body: made } = await api.post('/v1/email-claims/import', {
      item_id: itemId,
      csv: 'email\nada@example.com\n',
    })
    daysPass(91)
    await deleteOldLines(systemContext())
    expect((await api.get(`/v1/imports/${made.id}`)).body).toMatchObject({ state: 'CANCELLED', lines_deleted_at: null })
    daysPass(91)
    await deleteOldLines(systemContext())
    expect((await api.get(`/v1/imports/${made.id}/rows`)).body.results).toEqual([])
  })
})

type Ctx = Awaited<ReturnType<typeof makeOrganization>>['ctx']

async function makeClaimRow(ctx: Ctx, organizationId: string): Promise<{ claimId: string }> {
  const own = () => ({ id: newId(), organizationId })
  const collection = await ctx.db.collection.create({ data: { ...own(), name: newId(), tokenType: 'ERC721' } })
  const item = await ctx.db.item.create({
    data: { ...own(), collectionId: collection.id, attributes: { title: 'Moth' } },
  })
  const claim = await ctx.db.emailClaim.create({
    data: {
      ...own(),
      collectionId: collection.id,
      itemId: item.id,
      email: 'ada@example.com',
      quantity: 1n,
      txPayer: 'SELLER',
    },
  })
  return { claimId: claim.id }
}
