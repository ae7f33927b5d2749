import { createHash, createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import pg from 'pg'
import { readOrCreateSecrets } from '../../../scripts/launcher/secrets.ts'
import type { Load } from './load.ts'
import { BARE_KEY } from './rows.ts'
import { askOf, deployCollection } from './seed.ts'
import type { Stack } from './sides.ts'

type Requests = Load['requests']

/** Claims are spread over so many collections. */
const COLLECTIONS = 8
const bareHash = (claimId: string, pin: string) => createHmac('sha256', BARE_KEY).update(`${claimId}${pin}`).digest()

const SEED = [
  `INSERT INTO items
    SELECT (jsonb_populate_record(i, to_jsonb(w) || jsonb_build_object('held', 1, 'minting', 0, 'minted', 0, 'burned', 0, 'kept_by', NULL))).*
    FROM items i, jsonb_to_recordset($2::jsonb) AS w(id uuid, collection_id uuid, token_id text) WHERE i.id = $1::uuid`,
  `INSERT INTO email_claims (id, organization_id, collection_id, item_id, email, quantity, tx_payer, updated_at)
    SELECT w.claim_id, i.organization_id, w.collection_id, w.id, w.claim_id || '@example.com', 1, 'SELLER', now()
    FROM items i, jsonb_to_recordset($2::jsonb) AS w(id uuid, collection_id uuid, claim_id uuid) WHERE i.id = $1::uuid`,
  `INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
    SELECT gen_random_uuid(), i.organization_id, w.collection_id, w.id, 'CLAIM', w.claim_id, 1, now()
    FROM items i, jsonb_to_recordset($2::jsonb) AS w(id uuid, collection_id uuid, claim_id uuid) WHERE i.id = $1::uuid`,
  `INSERT INTO claim_tokens (hash, organization_id, claim_id, generation)
    SELECT decode(w.token_hash, 'hex'), i.organization_id, w.claim_id, 1
    FROM items i, jsonb_to_recordset($2::jsonb) AS w(claim_id uuid, token_hash text) WHERE i.id = $1::uuid`,
  `INSERT INTO pins (id, organization_id, claim_id, hash, expires_at)
    SELECT gen_random_uuid(), i.organization_id, w.claim_id, decode(w.pin_hash, 'hex'), now() + interval '1 hour'
    FROM items i, jsonb_to_recordset($2::jsonb) AS w(claim_id uuid, pin_hash text) WHERE i.id = $1::uuid`,
]

/** A transaction that nobody sends: the bare server's mint requests are on it. */
const CARRIER = `INSERT INTO transactions (id, organization_id, collection_id, network_id, tx_type, state, closed_at, updated_at)
  SELECT $2::uuid, organization_id, id, network_id, 'ADMIN_MINT', 'CANCELLED', now(), now() FROM collections WHERE id = $1::uuid`

/**
 * Makes claims that wait for their PIN. Each call of what it returns writes `count` for each side, and gives the
 * requests that redeem them; the collections are on the chain, since the worker mints meanwhile.
 */
export async function redemptionsOf(
  stack: Stack,
  folder: string,
  count: number,
): Promise<() => Promise<{ vitrine: Requests; bare: Requests }>> {
  const { SERVER_KEY } = readOrCreateSecrets(folder)
  Object.assign(process.env, { DATABASE_URL: stack.runtime_database_url, SERVER_KEY })
  // It reads the settings when it is imported.
  const { hmac } = await import('../../../lib/core/secrets.ts')
  const ask = askOf(stack)
  const collections: { id: string; carrier: string; tokens: number }[] = []
  for (let at = 0; at < COLLECTIONS; at++)
    collections.push({ id: await deployCollection(stack, ask, 'ERC721'), carrier: randomUUID(), tokens: 0 })
  /** Without the triggers, which would count row by row. */
  const write = async (statements: readonly (readonly [text: string, values: unknown[]])[]): Promise<void> => {
    const client = new pg.Client({ connectionString: stack.database_url })
    await client.connect()
    await client.query('SET session_replication_role = replica')
    for (const [text, values] of statements) await client.query(text, values)
    await client.end()
  }
  await write(collections.map(({ id, carrier }) => [CARRIER, [id, carrier]]))

  const make = (isBare: boolean) => {
    const collection = collections[randomInt(COLLECTIONS)]!
    const claimId = randomUUID()
    const pin = String(randomInt(1_000_000)).padStart(6, '0')
    const token = hmac('claim-token', claimId, 1).toString('base64url')
    const row = {
      id: randomUUID(),
      collection_id: collection.id,
      token_id: String(++collection.tokens),
      claim_id: claimId,
      token_hash: createHash('sha256').update(token).digest('hex'),
      pin_hash: (isBare ? bareHash(claimId, pin) : hmac('pin', claimId, pin)).toString('hex'),
    }
    const address = `0x${randomBytes(20).toString('hex')}`
    const request = {
      method: 'POST' as const,
      path: isBare ? '/redeem' : `/public/v1/email-claims/${token}/redeem`,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(
        isBare ? { claim_id: claimId, pin, address, carrier_id: collection.carrier } : { pin, address },
      ),
    }
    return { row, request }
  }
  return async () => {
    const sides = [false, true].map((isBare) => Array.from({ length: count }, () => make(isBare)))
    const rows = JSON.stringify(sides.flat().map(({ row }) => row))
    await write(SEED.map((text) => [text, [stack.demo.item_ids[0], rows]]))
    const [vitrine, bare] = sides.map((side) => side.map(({ request }) => request))
    return { vitrine: vitrine!, bare: bare! }
  }
}
