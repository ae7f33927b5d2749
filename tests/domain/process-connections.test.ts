import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readEnv } from '../../lib/core/env.ts'
import { disconnect } from '../../lib/db/client.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { startChain } from '../support/chain.ts'
import { makeOrganization } from '../support/organization.ts'
import { FREE_PRICE, makeAddressBuyer, makeListing } from '../support/selling.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { spawnWeb } from '../support/web.ts'
import { spawnWorker } from '../support/worker.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const MOST_CONNECTIONS = 36
/** As many requests are under way at once. */
const CLIENTS = 64
const REQUESTS = 400

test('one web process and one worker have at most 36 connections to PostgreSQL together, however much they do', async () => {
  const chain = await startChain({ blockTime: 1 })
  const organization = await makeOrganization()
  const { itemIds, collectionId } = await makeOnChainCollection(organization, chain, {
    variant: 'ERC1155',
    max_supply: 1_000,
  })
  const listing = await makeListing(organization, {
    item_id: itemIds[0]!,
    quantity_listed: 1_000,
    ...FREE_PRICE,
    payment_providers: ['BETA_FREE_MINT'],
  })
  const port = await freePort()
  // As many connections as the settings have by default.
  const asInstalled = {
    DATABASE_POOL: String(readEnv({}).DATABASE_POOL),
    RATE_LIMIT_PUBLIC_READS: '100000',
    RATE_LIMIT_PUBLIC_WRITES: '100000',
    RATE_LIMIT_ADMIN: '100000',
  }
  await spawnWeb(chain, { port, env: asInstalled })
  spawnWorker(chain, { env: asInstalled })
  // From here on only those two are connected.
  await disconnect()
  const client = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL })
  await client.connect()
  onTestFinished(() => client.end())
  const count = async () => {
    const { rows } = await client.query<{ name: string; connections: number }>(
      `SELECT application_name AS name, count(*)::int AS connections FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' GROUP BY 1`,
    )
    return rows
  }

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    await response.text()
    return response.status
  }
  const buy = () =>
    ask('/public/v1/purchase-intents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ listing_id: listing.id, quantity: 1, buyer: makeAddressBuyer() }),
    })
  const asAdmin = { headers: { authorization: `Bearer ${organization.key}` } }
  const requests = [
    buy,
    () => ask(`/public/v1/items/${itemIds[0]}`),
    () => ask(`/v1/collections/${collectionId}`, asAdmin),
    () => ask('/v1/mint-requests', asAdmin),
    () => ask('/v1/email-claims', asAdmin),
  ]
  const statuses = new Set<number>()
  let left = REQUESTS
  const asking = Array.from({ length: CLIENTS }, async (_, at) => {
    for (let next = at; left-- > 0; next++) statuses.add(await requests[next % requests.length]!())
  })
  let most = 0
  let names = ''
  while (left > 0) {
    const rows = await count()
    const sum = rows.reduce((total, { connections }) => total + connections, 0)
    if (sum > most) names = rows.map(({ name, connections }) => `${name} ${connections}`).join(', ')
    most = Math.max(most, sum)
  }
  await Promise.all(asking)
  expect(statuses).toContain(200)
  expect(most, names).toBeGreaterThan(15)
  expect(most, names).toBeLessThanOrEqual(MOST_CONNECTIONS)
})
