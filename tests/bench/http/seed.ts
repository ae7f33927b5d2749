import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { until } from '../../../scripts/launcher/processes.ts'
import type { Stack } from './sides.ts'

/** `edition`: an ERC-1155 item without an end, offered free and by voucher. */
export type Seeded = {
  items: string[]
  collections: string[]
  big: string
  edition: { item: string; free: string; voucher: string; soldOut: string }
}

const ITEMS = 100_000
const PER_COLLECTION = 100
const COLLECTIONS = 1_000

/** Copies the demo's collection and item: 100,000 items in one collection, and 1,000 collections of 100 items. */
export async function seed(stack: Stack): Promise<Seeded> {
  const client = new pg.Client({ connectionString: stack.database_url })
  await client.connect()
  const column = async (text: string, values: unknown[] = []): Promise<string[]> =>
    (await client.query<{ id: string }>(text, values)).rows.map(({ id }) => id)
  const copied = (count: number) => `
    INSERT INTO collections
    SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'name', 'Bench ' || n || ' of ${count}', 'is_public', true,
      'contract_address', '0x' || substr(encode(sha256(('c${count}' || n)::bytea), 'hex'), 1, 40), 'pool_free', 0, 'pool_held', 0))).*
    FROM collections c, generate_series(1, ${count}) n WHERE c.id = $1 RETURNING id`
  const filled = (count: number) => `
    INSERT INTO items
    SELECT (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'collection_id', c.id, 'token_id', n::text, 'held', 0, 'minting', 0,
      'minted', 0, 'burned', 0, 'custodian', NULL, 'kept_by', NULL, 'attributes', i.attributes || jsonb_build_object('title', 'Item ' || n, 'colour',
      (ARRAY['red', 'green', 'blue'])[1 + n % 3], 'size', n % 50)))).*
    FROM items i, generate_series(1, ${count}) n, unnest($2::uuid[]) AS c(id) WHERE i.id = $1 RETURNING id`
  const demoItem = stack.demo.item_ids[0]!
  // The triggers would count the pool up row by row.
  await client.query('SET session_replication_role = replica')
  const [big] = await column(copied(1), [stack.demo.collection_id])
  const collections = await column(copied(COLLECTIONS), [stack.demo.collection_id])
  const items = await column(filled(ITEMS), [demoItem, [big]])
  await column(filled(PER_COLLECTION), [demoItem, collections])
  await client.query('SET session_replication_role = origin')
  await client.query(
    "UPDATE collections c SET pool_free = (SELECT count(*) FROM items i WHERE i.collection_id = c.id) WHERE token_type = 'ERC721' AND id = ANY ($1)",
    [[big, ...collections]],
  )
  // Triggers count rows for the totals of lists and the sums of collections too.
  await client.query(
    `INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount, folded)
    SELECT organization_id, table_name, parent_id, traits, amount, true FROM row_counts_missing`,
  )
  await client.query(
    `INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
    SELECT organization_id, collection_id, kind, name, value, amount FROM collection_sums_missing`,
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
  await assertTotal(stack, big!, ITEMS)
  await assertTotal(stack, collections.at(-1)!, PER_COLLECTION)
  const some = Array.from({ length: 300 }, (_, at) => items[Math.floor((at * items.length) / 300)]!)
  return { items: some, collections, big: big!, edition: await makeEdition(stack) }
}

async function assertTotal(stack: Stack, collection: string, wanted: number): Promise<void> {
  const response = await fetch(`${stack.origin}/public/v1/items?collection_ids=${collection}&limit=1`)
  const { total_results } = (await response.json()) as { total_results: number }
  if (total_results !== wanted) throw new Error(`A list of ${wanted} items gives ${total_results} as its total.`)
}

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>

/** Asks the API of organizations. */
export const askOf =
  (stack: Stack): Ask =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${stack.api_key}`, 'content-type': 'application/json' }
    const response = await fetch(`${stack.origin}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

/** Makes a collection and waits until its contract is on the chain. */
export async function deployCollection(stack: Stack, ask: Ask, variant: 'ERC721' | 'ERC1155'): Promise<string> {
  const { id } = await ask<{ id: string }>('POST', '/collections', { name: `${variant} ${randomUUID()}` })
  await ask('POST', `/collections/${id}/deployment-request`, {
    network_id: stack.chain_id,
    platform: { symbol: 'ED', variant },
  })
  await until(
    'The collection',
    async () => (await ask<{ contract: string | null }>('GET', `/collections/${id}`)).contract !== null,
  )
  return id
}

async function makeEdition(stack: Stack): Promise<Seeded['edition']> {
  const ask = askOf(stack)
  const collection = await deployCollection(stack, ask, 'ERC1155')
  const makeItem = async (max_supply: number): Promise<string> => {
    const { id } = await ask<{ id: string }>('POST', '/items', {
      collection_id: collection,
      attributes: { title: 'Edition' },
    })
    await ask('POST', '/items/lock', { item_id: id, max_supply })
    return id
  }
  const offer = async (item_id: string, quantity_listed: number, provider: string): Promise<string> =>
    (
      await ask<{ id: string }>('POST', '/listings', {
        item_id,
        quantity_listed,
        price: 0,
        currency: 'ETH',
        payment_providers: [provider],
      })
    ).id
  const item = await makeItem(10_000_000)
  const soldOut = await offer(await makeItem(1), 1, 'BETA_FREE_MINT')
  await ask('POST', '/../public/v1/purchase-intents', {
    listing_id: soldOut,
    buyer: { eth_address: `0x${'12'.repeat(20)}` },
  })
  return {
    item,
    free: await offer(item, 1_000_000, 'BETA_FREE_MINT'),
    voucher: await offer(item, 1_000_000, 'MINT_VOUCHER'),
    soldOut,
  }
}

/** Gives the rows of these collections' items new versions, so that no kept body of them is the current one. */
export async function touch(stack: Stack, collections: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: stack.database_url })
  await client.connect()
  await client.query('UPDATE items SET updated_at = now() WHERE collection_id = ANY ($1)', [collections])
  await client.query('VACUUM ANALYZE items')
  await client.query('CHECKPOINT') // whoever is asked first doesn't pay for what the update left to write
  await client.end()
}
