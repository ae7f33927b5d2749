import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { DatabaseClient } from '../../lib/db/database-client.ts'
import { type Address, getAddress } from 'viem'
import { newId } from '../../lib/core/id.ts'
import { currentKeyId } from '../../lib/core/secrets.ts'
import { ownerOptions } from '../../lib/db/session.ts'
import { foldFigures } from '../../lib/data/analytics/fold-figures.ts'
import { claimTokenOf } from '../../lib/giving/claim-token.ts'
import { newWebhookSecret, sealWebhookSecret } from '../../lib/messaging/webhooks/webhook-secret.ts'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { claimTokenHash, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newKey } from '../../lib/platform/auth/key-format.ts'
import { type Plan, planOf } from './plan.ts'
import { SUMS, TABLES, withoutIndexes } from './set-aside.ts'

/** Rows per statement of what isn't made by SQL. */
const CHUNK_ROWS = 10_000

export type Seeded = {
  organization_id: string
  small_organization_id: string
  /** TEST keys with all permissions. */
  api_key: string
  small_api_key: string
}

/**
 * Fills a migrated database with one big organization and many small ones, as a year of use would leave it: nothing is
 * under way, and the books agree. In one transaction. `say` is told what is being written. Throws an Error where
 * anything is LIVE.
 */
export async function fillDatabase(
  ownerUrl: string,
  { scale = 1, say = (_line: string): void => undefined }: { scale?: number; say?: (line: string) => void } = {},
): Promise<Seeded> {
  const client = new DatabaseClient({
    connectionString: ownerUrl,
    options: ownerOptions(),
    application_name: 'vitrine-seed',
  })
  await client.connect()
  try {
    await client.query('BEGIN')
    await assertNothingLive(client)
    await client.query(
      `SET LOCAL work_mem = '256MB'; SET LOCAL maintenance_work_mem = '512MB'; SET LOCAL synchronous_commit = off;
       SET LOCAL idle_in_transaction_session_timeout = 0`,
    )
    const started = Date.now()
    const tell = (what: string) => say(`${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s  ${what}`)
    const organizations = await withoutIndexes(client, () => load(client, planOf(scale), tell), tell)
    const keys = [await makeKey(client, organizations[0]!), await makeKey(client, organizations[1]!)]
    tell('commit')
    await client.query('COMMIT')
    tell('statistics')
    await client.query(`VACUUM (ANALYZE) ${TABLES.join(', ')}`)
    tell('figures')
    await foldFigures(systemContext('seed'))
    await client.query(`VACUUM (ANALYZE) ${SUMS.join(', ')}`)
    return {
      organization_id: organizations[0]!.id,
      small_organization_id: organizations[1]!.id,
      api_key: keys[0]!,
      small_api_key: keys[1]!,
    }
  } finally {
    await client.end()
  }
}

async function assertNothingLive(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM collections WHERE mode = 'LIVE' UNION ALL SELECT 1 FROM payment_integrations WHERE mode = 'LIVE' LIMIT 1`,
  )
  if (rows.length > 0) throw new Error('This database has something that is LIVE. Fill a sandbox, or one of its own.')
}

type SeedOrganization = { id: string; memberId: string }

async function load(client: pg.Client, plan: Plan, tell: (what: string) => void): Promise<SeedOrganization[]> {
  const run = async (name: string) => {
    tell(name)
    await client.query(fs.readFileSync(path.join(import.meta.dirname, name), 'utf8'))
  }
  await run('1-plan.sql')
  const organizations = await writePlan(client, plan)
  for (const name of ['2-catalog.sql', '3-promises.sql', '4-chain.sql', '5-stock.sql', '6-records.sql']) await run(name)
  tell('claim tokens')
  await writeClaimTokens(client)
  await writeWebhookSecrets(client)
  await run('7-counts.sql')
  return organizations
}

async function writePlan(client: pg.Client, plan: Plan): Promise<SeedOrganization[]> {
  await client.query('INSERT INTO seed_plan VALUES (date_trunc($1, now()), $2, $3, $4, $5, $6, $7, $8, $9)', [
    'second',
    addressOf('operator'),
    plan.addresses,
    plan.editionUnits,
    plan.transfers,
    plan.events,
    plan.mails,
    plan.auditEntries,
    plan.allowances,
  ])
  const organizations = Array.from({ length: plan.smallOrganizations + 1 }, () => ({
    id: newId(),
    userId: newId(),
    memberId: newId(),
  }))
  await client.query(
    `INSERT INTO seed_organizations
     SELECT at - 1, id, CASE WHEN at = 1 THEN 'Big gallery' ELSE 'Small gallery ' || at - 1 END, user_id, member_id
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) WITH ORDINALITY AS o(id, user_id, member_id, at)`,
    [
      organizations.map(({ id }) => id),
      organizations.map(({ userId }) => userId),
      organizations.map(({ memberId }) => memberId),
    ],
  )
  await client.query(
    `INSERT INTO seed_collections
     SELECT at, o, id, kind, coalesce(sum(size) OVER (ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0), size
     FROM unnest($1::int[], $2::uuid[], $3::text[], $4::int[]) WITH ORDINALITY AS c(o, id, kind, size, at)`,
    [
      plan.collections.map(({ organization }) => organization),
      plan.collections.map(() => newId()),
      plan.collections.map(({ kind }) => kind),
      plan.collections.map(({ size }) => size),
    ],
  )
  for (let from = 0; from < plan.addresses; from += CHUNK_ROWS) {
    const numbers = Array.from({ length: Math.min(CHUNK_ROWS, plan.addresses - from) }, (_, at) => from + at)
    await client.query('INSERT INTO seed_addresses SELECT * FROM unnest($1::int[], $2::text[])', [
      numbers,
      numbers.map((n) => addressOf(`holder ${n}`)),
    ])
  }
  await client.query('ANALYZE seed_collections, seed_organizations, seed_addresses')
  return organizations
}

const addressOf = (name: string): Address =>
  getAddress(`0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`)

async function writeClaimTokens(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string; organization_id: string; created: Date }>(
    'SELECT id, organization_id, created FROM seed_claims ORDER BY created',
  )
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const claims = rows.slice(from, from + CHUNK_ROWS)
    await client.query(
      `INSERT INTO claim_tokens (hash, organization_id, claim_id, generation, server_key_id, created_at)
       SELECT hash, organization_id, claim_id, 1, $5, created FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::timestamptz[]) AS t(hash, organization_id, claim_id, created)`,
      [
        claims.map(({ id }) => Buffer.from(claimTokenHash(claimTokenOf({ id, generation: 1 })))),
        claims.map(({ organization_id }) => organization_id),
        claims.map(({ id }) => id),
        claims.map(({ created }) => created),
        currentKeyId(),
      ],
    )
  }
}

async function writeWebhookSecrets(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM webhooks WHERE organization_id IN (SELECT id FROM seed_organizations)',
  )
  for (const { id } of rows)
    await client.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [id, sealWebhookSecret(id, newWebhookSecret())])
}

async function makeKey(client: pg.Client, { id, memberId }: SeedOrganization): Promise<string> {
  const { key, shortId, secretHash, serverKeyId } = newKey('TEST')
  await client.query(
    `INSERT INTO api_keys (id, organization_id, member_id, name, short_id, secret_hash, server_key_id, permissions, mode)
     VALUES ($1, $2, $3, 'Seeded', $4, $5, $6, $7, 'TEST')`,
    [newId(), id, memberId, shortId, secretHash, serverKeyId, [...PERMISSIONS]],
  )
  return key
}
