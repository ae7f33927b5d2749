import { beforeAll, expect, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import { newId } from '../../lib/core/id.ts'
import { asOwner } from '../support/as-owner.ts'
import { call } from '../support/call.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'
import { FREE_PRICE, makeListing, setPayoutAddress } from '../support/selling.ts'
import { readStatistic } from '../support/statistics.ts'

/** More than a connection needs to keep a plan for good. */
const CALLS = 6
const MANY = 5000
const BOUND = 1000
const READ = `SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid) AS value
  FROM pg_stat_user_tables t WHERE relname = 'purchase_intents'`

let listings: string[]
beforeAll(async () => {
  installFakeChain()
  const organization = await makeOrganization()
  await setPayoutAddress(organization)
  const list = async (terms: object) => {
    const item = { tokenType: 'ERC1155' as const, maxSupply: 50n }
    return (await makeListing(organization, { ...terms, quantity_listed: 50, item })).id as string
  }
  listings = [
    await list({ ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] }),
    await list({ price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }),
  ]
  await asOwner('ALTER TABLE purchase_intents SET (autovacuum_enabled = off)')
})

const buy = async (listingId: string) => {
  const { status, body } = await call('POST', '/public/v1/purchase-intents', {
    body: { listing_id: listingId, buyer: { eth_address: makeRandomAddress() } },
    headers: { 'idempotency-key': newId() },
  })
  expect(status, JSON.stringify(body)).toBe(201)
}

const buyOften = async () => {
  for (const id of listings) for (let calls = 0; calls < CALLS; calls++) await buy(id)
}

test('purchases are made by keys, also where the table was never analyzed', async () => {
  await buyOften()
  await asOwner(`SET session_replication_role = replica;
    INSERT INTO purchase_intents SELECT (jsonb_populate_record(NULL::purchase_intents, to_jsonb(i) ||
      jsonb_build_object('id', gen_random_uuid(), 'request_key', gen_random_uuid(), 'buyer_address', gen_random_uuid()))).*
    FROM (SELECT DISTINCT ON (listing_id) * FROM purchase_intents) i, generate_series(1, ${MANY})`)
  await buyOften()
  const read = await readStatistic(READ)
  await asOwner(
    `SET session_replication_role = replica; DELETE FROM purchase_intents WHERE buyer_address NOT LIKE '0x%'`,
  )
  expect(read).toBeLessThan(BOUND)
})
