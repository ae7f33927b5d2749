import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { now } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { asOwner } from '../support/as-owner.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { mailbox, run } from '../support/imports.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
beforeEach(() => void installFakeChain())

const mailboxes = (count: number) => Array.from({ length: count }, mailbox)

/** An import of claims that runs, and the ids that its lines name. */
async function startClaims(lines: readonly (readonly [email: string, itemId: string])[]): Promise<string> {
  const { status, body } = await api.post('/v1/email-claims/import', {
    csv: ['email,item_id', ...lines.map((cells) => cells.join(','))].join('\n'),
    dry_run: false,
  })
  expect([status, body.ok_count], JSON.stringify(body)).toEqual([201, lines.length])
  return body.id
}

const edition = () => makeItem(mine, { tokenType: 'ERC1155', maxSupply: 10_000n })
const statesOf = async (importId: string) => {
  const rows = await mine.ctx.db.importRow.groupBy({ by: ['state'], where: { importId }, _count: true })
  return Object.fromEntries(rows.map(({ state, _count }) => [state, _count]))
}

test('two hundred lines of claims take as many statements as ten', async () => {
  const roundTrips = async (count: number) => {
    const { itemId } = await edition()
    await startClaims(mailboxes(count).map((email) => [email, itemId]))
    const counted = await countRoundTrips(run)
    expect(counted.result).toBe(count)
    return counted.roundTrips.length
  }
  await roundTrips(10)
  const [few, many] = [await roundTrips(10), await roundTrips(200)]
  expect(many).toBeLessThanOrEqual(few + 2)
  expect(many).toBeLessThan(60)
})

test('two hundred lines of items, each locked with its token id, take as many statements as ten', async () => {
  const roundTrips = async (count: number) => {
    const { body } = await api.post('/v1/collections', { name: newId() })
    await mine.ctx.db.collection.update({ where: { id: body.id as string }, data: { tokenIdAssignment: 'MANUAL' } })
    const csv = Array.from({ length: count }, (_, at) => `Bird,${at + 1},https://example.com/${at}.png,x${at}`)
    const started = await api.post('/v1/items/import', {
      collection_id: body.id,
      csv: ['title,token_id,image_url,external_id', ...csv].join('\n'),
      dry_run: false,
    })
    expect(started.status, JSON.stringify(started.body)).toBe(201)
    const counted = await countRoundTrips(run)
    expect(counted.result).toBe(count)
    const where = { collectionId: body.id as string, lockedAt: { not: null } }
    expect(await mine.ctx.db.item.count({ where })).toBe(count)
    return counted.roundTrips.length
  }
  await roundTrips(10)
  const [few, many] = [await roundTrips(10), await roundTrips(200)]
  expect(many).toBeLessThanOrEqual(few + 2)
  expect(many).toBeLessThan(60)
})

test('a line that can’t be carried out fails alone, and the lines of its batch are done', async () => {
  const [good, bad] = [await edition(), await edition()]
  const emails = mailboxes(300)
  const id = await startClaims(
    emails.map((email, at) => [email, at === 77 || at === 250 ? bad.itemId : good.itemId] as const),
  )
  await mine.ctx.db.collection.update({ where: { id: bad.collectionId }, data: { deploymentStatus: 'PENDING' } })
  await run()
  expect(await statesOf(id)).toEqual({ DONE: 298, FAILED: 2 })
  const failed = await mine.ctx.db.importRow.findMany({
    where: { importId: id, state: 'FAILED' },
    orderBy: { line: 'asc' },
  })
  expect(failed.map(({ line }) => line)).toEqual([79, 252])
  expect(failed[0]!.failure).toMatch(/^Deploy the collection first/)
  expect((await api.get(`/v1/imports/${id}`)).body).toMatchObject({
    state: 'COMPLETED',
    done_count: 298,
    failed_count: 2,
  })
  const claims = await mine.ctx.db.emailClaim.findMany({ where: { itemId: good.itemId } })
  expect(new Set(claims.map(({ email }) => email)).size).toBe(298)
  const held = await mine.ctx.db.item.findFirstOrThrow({ where: { id: good.itemId } })
  expect(held.held).toBe(298n)
})

test('claims of an organization that waits for approval are made as far as its quota of mails goes, and the other lines wait', async () => {
  const { NEWCOMER_MAILS_PER_DAY } = env
  onTestFinished(() => void Object.assign(env, { NEWCOMER_MAILS_PER_DAY }))
  env.NEWCOMER_MAILS_PER_DAY = 3
  const newcomer = await makeOrganization()
  const { itemId } = await makeItem(newcomer, { tokenType: 'ERC1155', maxSupply: 100n })
  await systemClient().organization.updateMany({ where: { id: newcomer.id }, data: { newcomerSince: now() } })
  const { status, body } = await callerOf(newcomer.key).post('/v1/email-claims/import', {
    csv: ['email,item_id', ...mailboxes(5).map((email) => `${email},${itemId}`)].join('\n'),
    dry_run: false,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  await run()
  const rows = await newcomer.ctx.db.importRow.groupBy({ by: ['state'], where: { importId: body.id }, _count: true })
  expect(Object.fromEntries(rows.map(({ state, _count }) => [state, _count]))).toEqual({ DONE: 3, WAITING: 2 })
})

test('a transaction that PostgreSQL ends within a batch leaves no line half done, and the import goes on', async () => {
  const { itemId } = await edition()
  const emails = mailboxes(450)
  const fatal = emails[300]!
  const id = await startClaims(emails.map((email) => [email, itemId] as const))
  await asOwner(`
    CREATE SEQUENCE terminations;
    GRANT USAGE ON SEQUENCE terminations TO vitrine_app;
    CREATE FUNCTION end_backend() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('terminations') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER end_backend BEFORE INSERT ON email_claims FOR EACH ROW WHEN (NEW.email = '${fatal}') EXECUTE FUNCTION end_backend()`)
  await expect(run()).rejects.toThrow()
  expect(await statesOf(id)).toEqual({ DONE: 200, WAITING: 250 })
  expect((await api.get(`/v1/imports/${id}`)).body).toMatchObject({
    state: 'RUNNING',
    done_count: 200,
    waiting_count: 250,
  })
  expect(await mine.ctx.db.emailClaim.count({ where: { itemId } })).toBe(200)
  await run()
  expect(await statesOf(id)).toEqual({ DONE: 450 })
  const claims = await mine.ctx.db.emailClaim.findMany({ where: { itemId } })
  expect(claims.map(({ email }) => email).sort()).toEqual([...emails].sort())
  const ids = claims.map((claim) => claim.id)
  expect(await mine.ctx.db.outboxMessage.count({ where: { claimId: { in: ids }, nextAt: { not: null } } })).toBe(450)
  expect(await mine.ctx.db.claimToken.count({ where: { claimId: { in: ids } } })).toBe(450)
  expect(await mine.ctx.db.event.count({ where: { type: 'claim.created', key: { in: ids } } })).toBe(450)
  const audited = { action: 'email_claim.created', subjectId: { in: ids } }
  expect(await mine.ctx.db.auditEntry.count({ where: audited })).toBe(450)
  const held = await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })
  expect(held.held).toBe(450n)
})

test('the outcome of a long file is read in pages, with each line once', async () => {
  const { itemId } = await edition()
  const emails = mailboxes(1_203)
  const id = await startClaims(emails.map((email) => [email, itemId] as const))
  const { result, roundTrips } = await countRoundTrips(() => api.get(`/v1/imports/${id}/result.csv`))
  const rows = (result.body as string).trimEnd().split('\r\n').slice(1)
  expect(rows).toEqual(emails.map((email, at) => `${email},${itemId},${at + 2},OK,WAITING,,`))
  expect(roundTrips.filter((text) => text.includes('"import_rows"')).length).toBe(2)
  await api.post(`/v1/imports/${id}/cancel`, {})
})
