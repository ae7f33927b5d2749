import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

/** More than a connection needs to keep a plan for good. */
const CALLS = 10
const [FEW, MANY] = [20, 20_000]
const BOUND = 20

const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
beforeAll(() => owner.connect())
afterAll(() => owner.end())

test('what decides a sale is read by keys, also by a connection that planned it while there were few holds', async () => {
  const rows = await makeRows(await makeOrganization())
  await owner.query('SET session_replication_role = replica') // the triggers of stock would run for each row
  const insertHolds = (count: number) =>
    owner.query(`INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, state, updated_at)
      SELECT uuidv7(), organization_id, collection_id, id, 'CLAIM', uuidv7(), 1, 'RELEASED', now()
      FROM items, generate_series(1, ${count}) WHERE id = '${rows.item_id}'`)
  await owner.query(`UPDATE listings SET status = 'ACTIVE' WHERE id = '${rows.listing_id}'`)
  await insertHolds(FEW)
  await owner.query('ALTER TABLE holds SET (autovacuum_enabled = off)') // what is analyzed later is planned for anew
  await owner.query('ANALYZE holds')
  const read = () => owner.query('SELECT sale_facts($1, true)', [rows.listing_id])
  for (let call = 0; call < CALLS; call++) await read()
  await insertHolds(MANY)
  await owner.query('BEGIN')
  await read()
  const { rows: tables } = await owner.query<{ read: number }>(
    `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'holds'`,
  )
  await owner.query('COMMIT')
  expect(tables[0]!.read).toBeLessThanOrEqual(BOUND)
})
