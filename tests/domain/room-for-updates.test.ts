import { beforeAll, expect, test } from 'vitest'
import { writeMail } from '../../lib/messaging/outbox/write-mail.ts'
import { systemClient } from '../../lib/db/client.ts'
import { newId } from '../../lib/core/id.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

/** What hot rows are updated by most. */
const UPDATES = [
  ['email_claims', 'wrong_pins = wrong_pins + 1, link_wrong_pins = link_wrong_pins + 1, updated_at = now()'],
  ['outbox_messages', 'attempts = attempts + 1'],
  ['listings', 'quantity_confirmed = quantity_confirmed, updated_at = now()'],
  ['collections', 'next_request_id = next_request_id + 1'],
  ['imports', 'done_count = done_count + 1'],
] as const

let mine: TestOrganization
beforeAll(async () => {
  mine = await makeOrganization()
  await makeRows(mine)
  await writeMail(mine.ctx, {
    templateType: 'WEBHOOK_DISABLED',
    to: `${newId()}@example.com`,
    variables: {
      organization_name: 'Test gallery',
      webhook_name: 'Stock',
      webhook_url: 'https://example.com',
      reason: 'It failed for days.',
      dashboard_url: 'https://example.com',
    },
  })
})

test.each(UPDATES)('an update of what changes often in %s writes no index', async (table, changes) => {
  const counted = await systemClient().$transaction(async (tx) => {
    const changed = await tx.$executeRawUnsafe(
      `UPDATE ${table} SET ${changes} WHERE id IN (SELECT id FROM ${table} WHERE organization_id = $1::uuid LIMIT 1)`,
      mine.id,
    )
    const [counts] = await tx.$queryRawUnsafe<{ updates: bigint; hot: bigint }[]>(
      `SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables WHERE relid = '${table}'::regclass`,
    )
    return { changed, ...counts! }
  })
  expect(counted).toEqual({ changed: 1, updates: 1n, hot: 1n })
})

test('the answer of a request is stored in the row of its key without writing an index', async () => {
  const key = newId()
  const counted = await systemClient().$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO idempotency_records (scope, key, body_hash, lease_id, lease_ends, created_at)
      VALUES (${mine.id}, ${key}, ''::bytea, gen_random_uuid(), now(), now())`
    await tx.$executeRaw`
      UPDATE idempotency_records SET status = 201, answer = decode(repeat('ab', 1000), 'hex') WHERE scope = ${mine.id} AND key = ${key}`
    return tx.$queryRaw`SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables WHERE relname = 'idempotency_records'`
  })
  expect(counted).toEqual([{ updates: 1n, hot: 1n }])
})
