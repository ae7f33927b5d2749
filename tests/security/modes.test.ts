import { beforeAll, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { authenticate } from '../../lib/platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../lib/platform/auth/context.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { OWNER } from '../../lib/db/confine.ts'
import { isModeRefused } from '../../lib/db/errors.ts'
import { ports } from '../../lib/ports/ports.ts'
import { type ApiResponse, call, callerOf } from '../support/call.ts'
import { contentsOf } from '../support/contents.ts'
import { caller, installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

type Rows = Record<string, string>

const writes: readonly Endpoint[] = endpoints.filter(({ method, auth }) => auth === 'api_key' && method !== 'GET')

/**
 * Writes that touch no collection, sale, card account or key that exists, and nothing that belongs to the whole
 * organization.
 */
const TOUCHES_NOTHING: Record<string, string> = {
  'create-collection': 'A new collection is on no network; with a deployment request, it is asked separately below.',
  'create-email-claims': 'Each claim has a verdict of its own; it is asked in tests/api/claims-in-bulk.test.ts.',
  'create-item-type': 'A new type is used by no item.',
  A6: 'A new campaign has no claims.',
  'upload-media': 'A file is used where another write refers to it.',
  'create-api-key': 'A TEST key makes TEST keys only.',
  'leave-organization': 'Only a session leaves.',
  'choose-member-locale': 'Only a session chooses.',
}

/** Bodies that name rows, for the writes whose path doesn't. */
const BODIES: Record<string, (rows: Rows) => object> = {
  'create-email-claim': ({ item_id }) => ({ email: 'ada@example.com', item_id }),
  'import-items': ({ collection_id }) => ({ collection_id, csv: 'title\nNew\n', dry_run: false }),
  'import-email-claims': ({ item_id }) => ({ csv: `email,item_id\ngrace@example.com,${item_id}\n`, dry_run: false }),
  'create-item': ({ collection_id }) => ({ collection_id, attributes: { title: 'New' } }),
  'create-items': ({ collection_id }) => ({ items: [{ collection_id, attributes: { title: 'New' } }] }),
  'lock-items': ({ unlocked_item_id }) => ({ item_id: unlocked_item_id }),
  'create-listing': ({ item_id }) => ({
    item_id,
    quantity_listed: 1,
    price: 0,
    currency: 'ETH',
    payment_providers: ['ORGANIZATION'],
  }),
  'create-mint-requests': ({ item_id }) => ({ item_id, to_address: makeRandomAddress() }),
  'create-perk': ({ item_id }) => ({ item_id, title: 'New', text: 'New' }),
  'create-snapshot': ({ collection_id }) => ({ name: 'Now', collection_id, block_number: 1 }),
  'create-payment-integration': () => ({ mode: 'LIVE' }),
}

/** An organization of which everything is LIVE, and whose rows refer to each other. */
async function makeLive(): Promise<{ organization: TestOrganization; rows: Rows }> {
  const organization = await makeOrganization()
  const rows = await makeRows(organization, 'LIVE')
  const { db } = organization.ctx
  const [minter] = ports().keys.operators
  await db.collection.update({
    where: { id: rows.collection_id! },
    data: { following: true, minter: minter ?? null },
  })
  await db.item.update({ where: { id: rows.item_id! }, data: { itemTypeId: rows.item_type_id! } })
  await db.emailClaim.update({ where: { id: rows.email_claim_id! }, data: { campaignId: rows.campaign_id! } })
  await db.import.update({ where: { id: rows.import_id! }, data: { options: { collection_id: rows.collection_id! } } })
  const unlocked = await db.item.create({
    data: {
      id: newId(),
      organizationId: organization.id,
      collectionId: rows.collection_id!,
      attributes: { title: 'Not locked' },
    },
  })
  const live = await makeKey(organization, { mode: 'LIVE' })
  return { organization, rows: { ...rows, unlocked_item_id: unlocked.id, api_key_id: live.keyId } }
}

const send = (endpoint: Endpoint, rows: Rows, key: string): Promise<ApiResponse> => {
  const body = BODIES[endpoint.id]?.(rows) ?? endpoint.example
  return call(
    endpoint.method,
    endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => rows[name]!),
    { key, ...(body !== undefined && { body }) },
  )
}

beforeAll(() => void installFakeChain())

describe('a TEST key', () => {
  let live: Awaited<ReturnType<typeof makeLive>>
  beforeAll(async () => {
    live = await makeLive()
  })

  const named = writes
    .filter(({ id }) => !(id in TOUCHES_NOTHING))
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
  test.each(named)('%s is refused where everything is LIVE, and nothing changes', async (_, endpoint) => {
    const before = await contentsOf(live.organization)
    const answer = await send(endpoint, live.rows, live.organization.key)
    expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([422, 'mode_mismatch'])
    expect(await contentsOf(live.organization)).toEqual(before)
  })

  test.each(named)('%s is not refused for its mode where everything is TEST', async (_, endpoint) => {
    const organization = await makeOrganization()
    const rows = await makeRows(organization)
    const answer = await send(endpoint, { ...rows, unlocked_item_id: rows.item_id! }, organization.key)
    if (endpoint.id === 'create-payment-integration') expect(answer.body.code).toBe('mode_mismatch')
    else expect(answer.body.code).not.toBe('mode_mismatch')
  })

  test('it reads LIVE rows as before', async () => {
    const reads = endpoints.filter(({ method, auth, stream }) => auth === 'api_key' && method === 'GET' && !stream)
    for (const endpoint of reads) {
      const answer = await send(endpoint, live.rows, live.organization.key)
      expect(answer.body.code, endpoint.path).not.toBe('mode_mismatch')
    }
  })

  test('a body that names TEST and LIVE rows changes neither', async () => {
    const { organization, rows } = live
    const { collectionId } = await makeItem(organization)
    const before = await contentsOf(organization)
    const item = (collection_id: string) => ({ collection_id, attributes: { title: 'New' } })
    const answer = await callerOf(organization.key).post('/v1/items/bulk', {
      items: [item(collectionId), item(rows.collection_id!)],
    })
    expect(answer.body.code).toBe('mode_mismatch')
    expect(await contentsOf(organization)).toEqual(before)
  })

  test('an import of a LIVE item by the lines of its file is neither made, started nor cancelled', async () => {
    const { organization, rows } = live
    const csv = `email,item_id\ngrace@example.com,${rows.item_id}\n`
    const maker = callerOf((await makeKey(organization, { mode: 'LIVE' })).key)
    const made = await maker.post('/v1/email-claims/import', { csv })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const api = callerOf(organization.key)
    for (const answer of [
      await api.post('/v1/email-claims/import', { csv }),
      await api.post(`/v1/imports/${made.body.id}/start`, { skip_invalid: true }),
      await api.post(`/v1/imports/${made.body.id}/cancel`),
    ])
      expect(answer.body.code).toBe('mode_mismatch')
    expect((await api.get(`/v1/imports/${made.body.id}`)).body.state).toBe('JUDGED')
  })

  test('what belongs to the whole organization is open to it until a collection or card account is LIVE', async () => {
    const organization = await makeOrganization()
    const { db } = organization.ctx
    const payout = () =>
      callerOf(organization.key).patch(`/v1/organizations/${organization.id}`, { payout_address: makeRandomAddress() })
    expect((await payout()).status).toBe(200)
    const account = await db.paymentIntegration.create({
      data: { id: newId(), organizationId: organization.id, mode: 'LIVE', adapter: 'STRIPE', requirements: [] },
    })
    expect((await payout()).body.code).toBe('mode_mismatch')
    await db.paymentIntegration.update({ where: { id: account.id }, data: { status: 'DISCONNECTED' } })
    expect((await payout()).status).toBe(200)
    const { collectionId } = await makeItem(organization)
    expect((await payout()).status).toBe(200)
    await db.collection.update({ where: { id: collectionId }, data: { mode: 'LIVE' } })
    expect((await payout()).body.code).toBe('mode_mismatch')
    const key = await makeKey(organization, { mode: 'LIVE' })
    const answer = await callerOf(key.key).patch(`/v1/organizations/${organization.id}`, { name: 'Renamed' })
    expect(answer.status).toBe(200)
  })
})

describe('the database', () => {
  /** The context that a request with this key gets. */
  const contextOf = (key: string): Promise<Context> =>
    authenticate(
      'api_key',
      new Request('http://localhost/v1/me', { headers: { authorization: `Bearer ${key}` } }),
      {},
      caller,
    )

  test('refuses a LIVE row whichever statement of a TEST key’s request writes it', async () => {
    const { organization, rows } = await makeLive()
    const id = rows.item_id!
    const ctx = await contextOf(organization.key)
    const spare = { id: newId(), collectionId: rows.collection_id!, attributes: {}, organizationId: organization.id }
    await organization.ctx.db.item.create({ data: spare })
    const attempts = [
      () => ctx.db.item.update({ where: { id }, data: { attributes: {} } }),
      () => ctx.db.item.create({ data: { ...spare, id: newId() } }),
      () => ctx.db.item.delete({ where: { id: spare.id } }),
      () => ctx.sql(Prisma.sql`UPDATE items SET minted = 1 WHERE id = ${id}::uuid`),
      () =>
        ctx.later(
          { name: 'delete_tokens', text: 'DELETE FROM claim_tokens WHERE claim_id = $1::uuid' },
          rows.email_claim_id!,
        ),
      () =>
        inTransaction(ctx, (tx) =>
          tx.db.collection.update({ where: { id: rows.collection_id! }, data: { mode: 'TEST' } }),
        ),
    ]
    for (const attempt of attempts) {
      const error: unknown = await attempt().then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(isModeRefused(error), String(error)).toBe(true)
    }
    const liveCtx = await contextOf((await makeKey(organization, { mode: 'LIVE' })).key)
    await liveCtx.db.item.update({ where: { id }, data: { attributes: {} } })
    await organization.ctx.db.item.update({ where: { id }, data: { attributes: {} } })
  })

  test('reads little for each item that a TEST key changes', async () => {
    const organization = await makeOrganization()
    const { collectionId } = await makeItem(organization)
    await organization.ctx.db.item.createMany({
      data: Array.from({ length: 300 }, () => ({
        id: newId(),
        organizationId: organization.id,
        collectionId,
        attributes: { title: 'One of many' },
      })),
    })
    const pagesIn = async (ctx: Context) => {
      const [explained] = await ctx.sql<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(Prisma.sql`
        EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) UPDATE items SET updated_at = now() WHERE collection_id = ${collectionId}::uuid`)
      return explained!['QUERY PLAN'][0].Plan['Shared Hit Blocks']
    }
    await pagesIn(organization.ctx)
    const without = await pagesIn(organization.ctx)
    expect(await pagesIn(await contextOf(organization.key))).toBeLessThan(without + 300 * 5)
  })

  /** How often a trigger that keeps TEST keys from LIVE rows was called for these items. */
  async function callsFor(
    ctx: Context,
    { id, organizationId, count }: { id: string; organizationId: string; count: number },
  ) {
    const [explained] = await ctx.sql<{
      'QUERY PLAN': [{ Triggers: { 'Trigger Name': string; Calls: number }[] }]
    }>(Prisma.sql`
      EXPLAIN (ANALYZE, FORMAT JSON) INSERT INTO items (id, organization_id, collection_id, attributes, updated_at)
      SELECT uuidv7(), ${organizationId}::uuid, ${id}::uuid, '{"title":"One of many"}', now() FROM generate_series(1, ${count})`)
    const triggers = explained!['QUERY PLAN'][0].Triggers.filter((each) =>
      each['Trigger Name'].startsWith('refuse_live'),
    )
    return triggers.reduce((calls, each) => calls + each.Calls, 0)
  }

  test('a collection is asked for its mode once in a transaction of a TEST key, and never for a LIVE key', async () => {
    const organization = await makeOrganization()
    const { collectionId: id } = await makeItem(organization)
    const rows = { id, organizationId: organization.id, count: 300 }
    const test = await contextOf(organization.key)
    expect(await inTransaction(test, async (tx) => [await callsFor(tx, rows), await callsFor(tx, rows)])).toEqual([
      1, 0,
    ])
    expect(await callsFor(test, rows)).toBe(1) // in another transaction
    expect(await callsFor(await contextOf((await makeKey(organization, { mode: 'LIVE' })).key), rows)).toBe(0)
  })

  test('a transaction that wrote to a TEST collection is refused the LIVE ones, and a row that moves to one', async () => {
    const { organization, rows } = await makeLive()
    const { collectionId, itemId } = await makeItem(organization)
    const live = { id: rows.collection_id!, organizationId: organization.id, count: 1 }
    const ctx = await contextOf(organization.key)
    const attempts: ((tx: Context) => Promise<unknown>)[] = [
      (tx) => callsFor(tx, live),
      (tx) => tx.sql(Prisma.sql`UPDATE items SET updated_at = now() WHERE collection_id = ${live.id}::uuid`),
      (tx) => tx.sql(Prisma.sql`DELETE FROM items WHERE collection_id = ${live.id}::uuid`),
      (tx) => tx.sql(Prisma.sql`UPDATE items SET collection_id = ${live.id}::uuid WHERE id = ${itemId}::uuid`),
    ]
    for (const attempt of attempts) {
      const error: unknown = await inTransaction(ctx, async (tx) => {
        await callsFor(tx, { ...live, id: collectionId })
        await attempt(tx)
      }).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(isModeRefused(error), String(error)).toBe(true)
    }
  })

  /** Tables that a request may write for a row of any mode, or that are guarded by their permission's area. */
  const WITHOUT: Record<string, string> = {
    members: 'whole organization',
    saved_views: 'a member’s own',
    email_integrations: 'whole organization',
    suppressions: 'whole organization',
    email_templates: 'whole organization',
    email_template_versions: 'whole organization',
    webhooks: 'whole organization',
    webhook_deliveries: 'written with every event',
    webhook_attempts: 'written by the worker',
    mail_events: 'written for the mail provider',
    claim_handovers: 'written for whoever has the link',
    mail_opt_outs: 'written for whoever unsubscribes',
    signed_transfers: 'written for holders',
    perk_codes: 'written with their perk, or for holders',
    perk_file_parts: 'written with their perk',
    transfer_budgets: 'whole organization',
    events: 'written with every change',
    audit_entries: 'written with every change',
    row_counts: 'written with every change',
    collection_sums: 'written with every change of an item',
    collection_owners: 'written with the owners of its items',
    reveal_proofs: 'written with its collection',
    alarms: 'written with every change',
    media_files: 'a file belongs to no collection',
    chain_logs: 'a request can’t write it',
    voucher_facts: 'a request can’t write it',
    unmatched_mints: 'written by the worker',
    lost_payments: 'written by the worker',
    used_challenges: 'written for buyers',
    suspensions: 'written by the operator',
    abuse_reports: 'written for whoever reports',
    claim_changes: 'written with every change of a claim',
    claim_figures: 'written by the worker',
    claim_days: 'written by the worker',
    sale_changes: 'written with every change of a purchase',
    sale_days: 'written by the worker',
  }

  test('each table of an organization’s rows refuses LIVE rows to TEST keys, or is listed with its reason', async () => {
    // 28: on INSERT, UPDATE and DELETE. Lines of imports are only inserted.
    const guarded = await systemClient().$queryRaw<{ name: string }[]>`
      SELECT tgrelid::regclass::text AS name FROM pg_trigger
      WHERE tgname IN ('refuse_live', 'refuse_live_insert', 'refuse_live_update', 'refuse_live_delete')
      GROUP BY tgrelid HAVING bit_or(tgtype) & 28 = 28 OR tgrelid = 'import_rows'::regclass ORDER BY 1`
    const models = Object.entries(OWNER).filter(([, owner]) => owner === 'organization')
    const tables = await systemClient().$queryRaw<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.columns c
      WHERE table_schema = 'public' AND column_name = 'organization_id' AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = table_name::regclass AND p.polname = 'organization')
      ORDER BY 1`
    expect(tables.length).toBeGreaterThanOrEqual(models.length)
    expect([...guarded.map(({ name }) => name), ...Object.keys(WITHOUT)].sort()).toEqual(
      tables.map(({ name }) => name).sort(),
    )
  })
})
