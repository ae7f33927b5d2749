import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// All buyers come from one client here.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_CLIENT: '0' }))

import { env } from '../../lib/core/env.ts'
import { call } from '../support/call.ts'
import { installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeListing, setPayoutAddress } from '../support/selling.ts'
import { findMostRead } from '../support/statistics.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Thousands of purchases are written past the triggers.')

const OPEN = 5_000
/** Pages of 8 kB that one statement may read for a purchase; what is open takes several hundred. */
const BOUND = 120

let organization: TestOrganization
const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })

beforeAll(async () => {
  installFakeChain()
  await owner.connect()
  await owner.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  organization = await makeOrganization()
  await setPayoutAddress(organization)
})
afterAll(() => owner.end())

const buy = async (listing_id: string) => {
  const { status, body } = await call('POST', '/public/v1/purchase-intents', {
    body: { listing_id, buyer: { eth_address: makeRandomAddress() } },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: string }
}

test('a connection that sold while its tables were empty finds a buyer, and what rows refer to, by keys when thousands are open', async () => {
  const { id: listing } = await makeListing(organization, {
    item: { tokenType: 'ERC1155', maxSupply: 100_000n },
    quantity_listed: 10_000,
    price: 0,
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
  })
  const { id } = await buy(listing) // its plans are made now
  await owner.query('ALTER TABLE purchase_intents SET (autovacuum_enabled = off)') // which would have it analyzed
  await owner.query(
    `INSERT INTO purchase_intents SELECT c.* FROM (SELECT * FROM purchase_intents WHERE id = $1) o, generate_series(1, ${OPEN}) n,
      LATERAL jsonb_populate_record(NULL::purchase_intents, to_jsonb(o) || jsonb_build_object('id', uuidv7(), 'request_key', NULL,
        'buyer_address', '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40))) c`,
    [id],
  )
  const { read, query } = await findMostRead(owner, () => buy(listing)) // those of triggers and foreign keys too
  expect(read, query).toBeLessThanOrEqual(BOUND)
})

test('whether a listing can be bought is told without reading older transactions, or what others sent', async () => {
  const { id: listing } = await makeListing(organization, {
    item: { tokenType: 'ERC1155', maxSupply: 100n },
    quantity_listed: 10,
    price: 0,
    currency: 'ETH',
    payment_providers: ['BETA_FREE_MINT'],
  })
  await buy(listing)
  const other = await makeOrganization()
  const { collectionId } = await makeItem(other)
  const copiesOf = (table: string, changes: string) => `
    INSERT INTO ${table} SELECT t.* FROM (SELECT * FROM transactions WHERE organization_id = '${organization.id}' LIMIT 1) o, generate_series(1, ${OPEN}) n,
      LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(o) || jsonb_build_object('id', uuidv7(), ${changes})) t`
  await owner.query(`
    ALTER TABLE transactions SET (autovacuum_enabled = off);
    SET session_replication_role = replica; -- what was signed belongs to no transaction here
    ${copiesOf('transactions', `'state', 'COMPLETED', 'mint_count', n % 100, 'gas_cost_wei', 1000, 'created_at', now() - interval '25 hours'`)};
    ${copiesOf('signed_transactions', `'organization_id', '${other.id}', 'transaction_id', '${collectionId}', 'operator', '', 'nonce', n, 'hash', n::text, 'raw', '', 'gas_limit', 1, 'max_fee_per_gas', 1, 'max_priority_fee_per_gas', 1, 'cancels', false, 'mint_request_ids', jsonb_build_array(), 'refusals', 0`)};
    SET session_replication_role = origin;
    UPDATE transactions SET gas_cost_wei = 777 WHERE organization_id = '${organization.id}' AND state <> 'COMPLETED'`)
  const facts = `sale_facts('${listing}', true)`
  await owner.query(`SELECT ${facts}`) // which reads the catalogue
  const { rows } = await owner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT ${facts}`)
  const { rows: told } = await owner.query(`SELECT ${facts}->'gas' AS gas`)
  expect(told[0].gas).toEqual({ spent: '777', fee: null })
  expect(rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThanOrEqual(BOUND)
})
