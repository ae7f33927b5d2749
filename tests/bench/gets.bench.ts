import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'

/**
 * npm run bench:gets: every GET of both interfaces with every filter, in both orders, first and deep pages, on a database that
 * `npm run seed:big` has filled. BIG_DATABASE_URL and BIG_MIGRATE_DATABASE_URL name it; an API key is
 * made in it. ONLY (a part of a path) narrows it, ROUNDS says how often each is asked. Prints what is above the bound.
 */
const settings = vi.hoisted(() => {
  const { BIG_DATABASE_URL, BIG_MIGRATE_DATABASE_URL, ONLY = '', ROUNDS = '3' } = process.env
  if (BIG_DATABASE_URL && BIG_MIGRATE_DATABASE_URL)
    Object.assign(process.env, { DATABASE_URL: BIG_DATABASE_URL, MIGRATE_DATABASE_URL: BIG_MIGRATE_DATABASE_URL })
  return { owner: BIG_MIGRATE_DATABASE_URL, key: '', only: ONLY, rounds: Number(ROUNDS) }
})

import { endpoints } from '../../lib/platform/api/index.ts'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { call } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeKey } from '../support/organization.ts'

const BOUND_MS = 50
const LIMIT = 100
/** Analytics and what asks a node have bounds of their own. */
const LEFT_OUT = /analytics|stats|\/search$|\.csv|export|\/networks|gas|balance|\/me$|preview/

const db = new pg.Client({ connectionString: settings.owner })
afterAll(() => db.end())

const one = async (sql: string, ...values: unknown[]): Promise<Record<string, string>> =>
  (await db.query<Record<string, string>>(sql, values)).rows[0] ?? {}

/** Values of path parameters and filters: of the organization that has the most items. */
async function readValues(): Promise<Record<string, string[]>> {
  const { organization_id } = await one('SELECT organization_id FROM items GROUP BY 1 ORDER BY count(*) DESC LIMIT 1')
  const of = async (table: string, column = 'id'): Promise<string[]> =>
    (
      await db.query<{ value: string }>(
        `SELECT ${column}::text AS value FROM ${table} WHERE organization_id = $1 AND ${column} IS NOT NULL ORDER BY id DESC OFFSET 3 LIMIT 1`,
        [organization_id],
      )
    ).rows.map(({ value }) => value)
  const most = async (table: string, column: string): Promise<string[]> => {
    const { value } = await one(
      `SELECT ${column}::text AS value FROM ${table} WHERE organization_id = $1 GROUP BY ${column} ORDER BY count(*) DESC LIMIT 1`,
      organization_id,
    )
    return value ? [value] : []
  }
  const collections = await most('items', 'collection_id')
  const { attribute } = await one(
    `SELECT key || ':' || (attributes ->> key) AS attribute FROM items, jsonb_object_keys(attributes) key
     WHERE organization_id = $1 AND key NOT IN ('title', 'description', 'image_url') LIMIT 1`,
    organization_id,
  )
  const { title } = await one(
    `SELECT attributes ->> 'title' AS title FROM items WHERE organization_id = $1 LIMIT 1`,
    organization_id,
  )
  const attributes = [attribute ?? '', `title:${title}`, 'title:absent'].filter(Boolean)
  return {
    organization_id: [organization_id!],
    collection_id: collections,
    collection_ids: collections,
    item_id: [...(await most('item_owners', 'item_id')), ...(await of('items'))],
    listing_id: [
      ...(await most('listing_allowances', 'listing_id')),
      ...(await most('purchase_intents', 'listing_id')),
    ],
    campaign_id: await most('email_claims', 'campaign_id'),
    email_claim_id: await of('email_claims'),
    claim_id: await of('email_claims'),
    purchase_intent_id: await of('purchase_intents'),
    transaction_id: await of('transactions'),
    mint_request_id: await of('mint_requests', 'transaction_id'),
    webhook_id: await most('webhook_deliveries', 'webhook_id'),
    import_id: await most('import_rows', 'import_id'),
    snapshot_id: await most('snapshot_holders', 'snapshot_id'),
    item_type_id: await of('item_types'),
    network_id: ['31337'],
    network_ids: ['31337'],
    token_ids: await of('items', 'token_id'),
    owner: await most('item_owners', 'address'),
    eth_address: await of('purchase_intents', 'buyer_address'),
    email: await of('email_claims', 'email'),
    attribute: attributes,
    attributes,
    search: [title?.slice(0, 5) ?? 'a', 'nowhere to be found'],
    action: ['item', 'nothing'],
    subject_id: await of('audit_entries', 'subject_id'),
    actor_id: await of('audit_entries', 'actor_id'),
    event_type: await of('webhook_deliveries', 'event_type'),
    from: [new Date(Date.now() - 30 * 86_400_000).toISOString()],
    to: [new Date().toISOString()],
  }
}

type Schema = { properties?: Record<string, Schema>; enum?: string[]; anyOf?: Schema[]; items?: Schema }
const optionsOf = ({ enum: options, anyOf, items }: Schema): string[] =>
  [...(options ?? []), ...(anyOf ?? []).flatMap(optionsOf), ...(items ? optionsOf(items) : [])].filter(Boolean)

/** Each filter alone, with each of its values. */
function queriesOf(endpoint: Endpoint, values: Record<string, string[]>): string[] {
  if (!endpoint.query) return ['']
  const { properties = {} } = z.toJSONSchema(endpoint.query, { io: 'input', unrepresentable: 'any' }) as Schema
  const filters = Object.entries(properties)
    .filter(([name]) => !['limit', 'cursor', 'order_direction'].includes(name))
    .flatMap(([name, schema]) => {
      const options = optionsOf(schema)
      return (options.length > 0 ? options : (values[name] ?? [])).map(
        (value) => `${name}=${encodeURIComponent(value)}`,
      )
    })
  const needed =
    'organization_id' in properties && endpoint.path.startsWith('/public')
      ? `organization_id=${values.organization_id![0]}&`
      : ''
  if (!('limit' in properties)) return ['', ...filters]
  const orders = ['ASC', 'DESC'].map((order) => `${needed}limit=${LIMIT}&order_direction=${order}`)
  return [...orders, ...filters.flatMap((filter) => orders.map((order) => `${order}&${filter}`))]
}

const buffers = async (): Promise<number> =>
  Number(
    (
      await one(`SELECT sum(shared_blks_hit + shared_blks_read)::bigint AS read FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    ).read ?? 0,
  )

type Figure = { url: string; status: number; ms: number; buffers: number }

async function measure(url: string): Promise<Figure & { body: { cursor?: string | null } }> {
  const times: number[] = []
  let answer = await call('GET', url, { key: settings.key })
  const before = await buffers()
  for (let round = 0; round < settings.rounds; round++) {
    const started = performance.now()
    answer = await call('GET', url, { key: settings.key })
    times.push(performance.now() - started)
  }
  const read = ((await buffers()) - before) / settings.rounds
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  return { url, status: answer.status, ms: Math.round(median), buffers: Math.round(read), body: answer.body }
}

test.runIf(settings.owner)(
  'every GET on the big database',
  async () => {
    installFakeChain()
    await db.connect()
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const values = await readValues()
    const [id] = values.organization_id!
    const { member } = await one('SELECT id AS member FROM members WHERE organization_id = $1 LIMIT 1', id)
    settings.key = (await makeKey({ id: id!, memberId: member! })).key
    const figures: Figure[] = []
    for (const endpoint of endpoints) {
      if (
        endpoint.method !== 'GET' ||
        endpoint.stream ||
        LEFT_OUT.test(endpoint.path) ||
        !endpoint.path.includes(settings.only)
      )
        continue
      const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
      if (names.some((name) => !values[name]?.length)) continue
      for (const id of names.length > 0 ? values[names[0]!]! : ['']) {
        const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          name === names[0] ? id : values[name]![0]!,
        )
        for (const query of queriesOf(endpoint, values)) {
          const url = query ? `${path}?${query}` : path
          let { body, ...figure } = await measure(url)
          figures.push(figure)
          // The second page is as deep as any: pages begin at a key.
          if (body.cursor) ({ body, ...figure } = await measure(`${url}&cursor=${body.cursor}`))
          if (figure.url !== url) figures.push(figure)
        }
      }
    }
    figures.sort((a, b) => b.ms - a.ms)
    const slow = figures.filter(({ ms }) => ms > BOUND_MS)
    console.table(
      figures.slice(0, Math.max(20, slow.length)).map(({ url, ...rest }) => ({ ...rest, url: url.slice(0, 150) })),
    )
    console.log(`${figures.length} requests, ${slow.length} above ${BOUND_MS} ms`)
    expect(figures.filter(({ status }) => status >= 500)).toEqual([])
  },
  3_600_000,
)
