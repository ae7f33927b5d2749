import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { finishDeletions } from '../../lib/messaging/deletions/finish-deletions.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { asOwner } from '../support/as-owner.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { deliverDue, makeWebhook, recordTestEvent } from '../support/webhooks.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const finish = () => finishDeletions(systemContext())
const ROWS = 2_500
/**
 * A statement of a request that deletes reads none of what belongs to the deleted: there may be hundreds of thousands.
 */
const READS_ROWS = /\b(FROM|JOIN|UPDATE|INTO)\s+("public"\.)?"?(email_claims|webhook_deliveries|webhook_attempts)\b/i

/** PostgreSQL ends the connection of the first transaction that changes such a row. */
const endOnce = (event: string, table: string, condition: string) =>
  asOwner(`
    CREATE SEQUENCE IF NOT EXISTS ends_of_${table};
    GRANT USAGE ON SEQUENCE ends_of_${table} TO vitrine_app;
    CREATE FUNCTION end_at_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('ends_of_${table}') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN coalesce(NEW, OLD);
    END $$;
    CREATE TRIGGER end_once BEFORE ${event} ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION end_at_${table}()`)

/** A campaign with many claims of one item; their emails sort as they were made. */
async function makeCampaign(mine: TestOrganization, idsFrom = 'ffffffff') {
  const api = callerOf(mine.key)
  const { itemId, collectionId } = await makeItem(mine, { tokenType: 'ERC1155', maxSupply: 10_000n })
  const name = newId()
  const { id } = (await api.post('/v1/marketing-campaigns', { name })).body as { id: string }
  const claim = (await api.post('/v1/email-claims', { email: 'ada@example.com', item_id: itemId, campaign_id: id }))
    .body
  await mine.ctx.sql(Prisma.sql`
    INSERT INTO email_claims (id, organization_id, collection_id, item_id, campaign_id, email, quantity, tx_payer, expires_at, updated_at)
    SELECT (${idsFrom} || '-ffff-7fff-8fff-' || lpad(at::text, 12, '0'))::uuid, ${mine.id}::uuid, ${collectionId}::uuid, ${itemId}::uuid, ${id}::uuid,
      at || '@example.com', 1, 'SELLER', now() + interval '30 days', now()
    FROM generate_series(1, ${ROWS - 1}) AS at`)
  return { id, name, claim: claim as { id: string; claim_url: string }, itemId }
}

test('a deleted campaign is gone for everybody at once, and its claims leave it in batches, also after a broken connection', async () => {
  const { id, name, claim, itemId } = await makeCampaign(mine)
  const claimsOf = () => mine.ctx.db.emailClaim.count({ where: { campaignId: id } })
  expect((await api.get(`/v1/email-claims?campaign_id=${id}`)).body.total_results).toBe(ROWS)
  const deletion = await countRoundTrips(() => api.delete(`/v1/marketing-campaigns/${id}`))
  expect([deletion.result.status, deletion.result.body]).toEqual([204, ''])
  expect(await claimsOf(), 'none of them is changed in the request').toBe(ROWS)
  expect(deletion.roundTrips.filter((text) => READS_ROWS.test(text))).toEqual([])
  const [entry] = (await api.get(`/v1/audit-entries?subject_id=${id}&action=campaign.deleted`)).body.results
  expect(entry.before.email_claims, 'their number is in the audit log').toBe(ROWS)

  const answers = [
    await api.get(`/v1/marketing-campaigns/${id}`),
    await api.patch(`/v1/marketing-campaigns/${id}`, { name: 'x' }),
    await api.delete(`/v1/marketing-campaigns/${id}`),
    await api.get(`/v1/analytics/claims?campaign_id=${id}`),
    await api.post('/v1/email-claims', { email: 'b@example.com', item_id: itemId, campaign_id: id }),
    await api.post('/v1/email-claims/import', { item_id: itemId, campaign_id: id, csv: 'email\nb@example.com' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404))
  expect((await api.get('/v1/marketing-campaigns')).body.results).toEqual([])
  expect((await api.get(`/v1/email-claims?campaign_id=${id}`)).body).toMatchObject({ results: [], total_results: 0 })
  expect((await api.get(`/v1/email-claims/${claim.id}`)).body.campaign_id).toBeNull()
  expect((await api.get('/v1/exports/claims.csv')).body).not.toContain(id)
  const token = claim.claim_url.split('/').at(-1)!
  expect((await callerOf().get(`/public/v1/email-claims/${token}`)).body.campaign_id).toBeNull()
  const again = await api.post('/v1/marketing-campaigns', { name })
  expect(again.status, 'its name is free').toBe(201)

  await endOnce('UPDATE', 'email_claims', "OLD.email = '1500@example.com'")
  await expect(finish()).rejects.toThrow()
  expect(await claimsOf()).toBe(ROWS - 1_000)
  expect(await finish()).toBe(1)
  expect(await claimsOf()).toBe(0)
  expect(await mine.ctx.db.emailClaim.count({ where: { itemId } })).toBe(ROWS)
  expect((await api.get('/v1/marketing-campaigns')).body.results).toEqual([again.body])
  expect(await finish()).toBe(0)
})

test('a TEST key is told whether a campaign has claims of a LIVE collection without reading its claims', async () => {
  const both = await makeOrganization()
  const { id, itemId } = await makeCampaign(both, 'eeeeeeee')
  const { collectionId: live } = await makeItem(both)
  await asOwner(`SET session_replication_role = replica; UPDATE collections SET mode = 'LIVE' WHERE id = '${live}'`)
  const READ = Prisma.sql`SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'email_claims'`
  const asked = () =>
    inTransaction(both.ctx, async (tx) => {
      const [before] = await tx.sql<{ rows: number }>(READ)
      const [answer] = await tx.sql<{ live: boolean }>(
        Prisma.sql`SELECT is_live('campaigns', to_jsonb(c)) AS live FROM campaigns c WHERE id = ${id}::uuid`,
      )
      const [after] = await tx.sql<{ rows: number }>(READ)
      return [answer!.live, after!.rows - before!.rows]
    })
  expect(await asked()).toEqual([false, 0])
  await asOwner(
    `SET session_replication_role = replica; UPDATE collections SET mode = 'LIVE' FROM items i WHERE i.id = '${itemId}' AND collections.id = i.collection_id`,
  )
  expect(await asked()).toEqual([true, 0])
})

test('a deleted webhook is gone and posts nothing at once, and its deliveries are removed in batches, also after a broken connection', async () => {
  const { id, receiver } = await makeWebhook(mine)
  await recordTestEvent(mine)
  await deliverDue()
  const [first] = await mine.ctx.db.webhookDelivery.findMany({ where: { webhookId: id } })
  await mine.ctx.sql(Prisma.sql`
    WITH made AS (
      INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_type, message_id, payload, next_at)
      SELECT ('ffffffff-ffff-7fff-8fff-' || lpad(at::text, 12, '0'))::uuid, organization_id, webhook_id, event_type, message_id, payload, now()
      FROM webhook_deliveries, generate_series(1, ${ROWS - 1}) AS at WHERE id = ${first!.id}::uuid
      RETURNING id, organization_id
    )
    INSERT INTO webhook_attempts (id, organization_id, delivery_id, status, milliseconds) SELECT id, organization_id, id, 500, 1 FROM made`)
  const deliveries = () => mine.ctx.db.webhookDelivery.count({ where: { webhookId: id } })
  const posted = receiver.received.length
  const deletion = await countRoundTrips(() => api.delete(`/v1/webhooks/${id}`))
  expect(deletion.result.status).toBe(204)
  expect(await deliveries(), 'none of them is removed in the request').toBe(ROWS)
  expect(deletion.roundTrips.filter((text) => READS_ROWS.test(text))).toEqual([])

  await recordTestEvent(mine)
  await deliverDue()
  expect([receiver.received.length, await deliveries()]).toEqual([posted, ROWS])
  const answers = [
    await api.get(`/v1/webhooks/${id}`),
    await api.patch(`/v1/webhooks/${id}`, { status: 'ENABLED' }),
    await api.delete(`/v1/webhooks/${id}`),
    await api.get(`/v1/webhooks/${id}/deliveries`),
    await api.post(`/v1/webhooks/${id}/test`, {}),
    await api.get(`/v1/webhook-deliveries/${first!.id}`),
    await api.post(`/v1/webhook-deliveries/${first!.id}/replay`, {}),
  ]
  expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(404))
  expect((await api.get('/v1/webhooks')).body.results).toEqual([])

  await endOnce('DELETE', 'webhook_deliveries', "OLD.id = 'ffffffff-ffff-7fff-8fff-000000001500'")
  await expect(finish()).rejects.toThrow()
  expect(await deliveries()).toBe(ROWS - 1_000)
  const finished = await countRoundTrips(finish)
  expect(finished.result).toBe(1)
  expect(finished.roundTrips.length, finished.roundTrips.join('\n')).toBeLessThan(30)
  expect(await deliveries()).toBe(0)
  expect(await mine.ctx.db.webhookAttempt.count()).toBe(0)
})
