import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { columnsOf, releases, restoreRelease, rowsOf } from '../support/release-fixtures.ts'

// What processes of an earlier release meet while they run beside newer ones, after the migrations (docs/upgrades.md).

/**
 * Values of types that processes of an earlier release can't read, and why they meet none: Prisma fails for the whole
 * list in which one is.
 */
const NEW_VALUES: Record<string, string> = {
  'HolderType ARRIVAL':
    'Only a worker writes it, and workers are replaced first; only for a database that was put back from a backup.',
  'HolderType ESCROW': 'Signed transfers to mailboxes need contracts of the new release.',
  'OutboxState HELD': 'Mails of a suspended organization; npm run admin of the new release suspends.',
  'TransactionType SIGNED_TRANSFER': 'CONTRACTS names contracts that take them once the old processes have stopped.',
}

const LIVE = `(state = ANY (ARRAY['WAITING'::"MintState", 'SUBMITTED'::"MintState", 'COMPLETED'::"MintState"]))`

/** Unique indexes that `ON CONFLICT` of an earlier release may name, which are gone, and why. */
const GONE_KEYS: Record<string, string> = {
  'email_templates (organization_id, campaign_id, template_type) WHERE (campaign_id IS NOT NULL)':
    'Templates have variants: a process of 0.1.0 can’t save one any more, as the release’s page says.',
  'email_templates (organization_id, template_type) WHERE (campaign_id IS NULL)':
    'The same for those without a campaign.',
  [`mint_requests (claim_id) WHERE ${LIVE}`]: 'An index on is_live has its place; no ON CONFLICT names it.',
  [`mint_requests (purchase_intent_id, item_id) WHERE (${LIVE} AND (purchase_intent_id IS NOT NULL))`]:
    'An index on is_live has its place; no ON CONFLICT names it.',
}

/** Columns of another type, and why an earlier release reads and writes them as before. */
const CHANGED_TYPES: Record<string, string> = {
  'snapshot_holders.quantity': 'It takes numbers of 100 digits, of 78 before.',
}

/** Tables whose rows a trigger completes, and how. */
const COMPLETED_BY_TRIGGER: Record<string, string> = {
  'public.sessions': 'It hashes the token.',
}

type Schema = { columns: Map<string, string>; values: string[]; keys: string[] }

async function readSchema(client: pg.Client): Promise<Schema> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  const texts = async (sql: string) => (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text)
  return {
    columns: new Map(columns.map(({ name, type }) => [name, type])),
    values: await texts(
      `SELECT typname || ' ' || enumlabel AS text FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
       WHERE typnamespace = 'public'::regnamespace ORDER BY 1`,
    ),
    keys: await texts(
      `SELECT DISTINCT c.relname || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING btree', '') AS text
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
    ),
  }
}

describe.each(releases.map((manifest) => [manifest.release, manifest] as const))(
  'processes of %s',
  (release, manifest) => {
    let restored: Awaited<ReturnType<typeof restoreRelease>>
    let client: pg.Client
    let before: Schema
    let after: Schema

    beforeAll(async () => {
      restored = await restoreRelease(manifest)
      client = new pg.Client({ connectionString: restored.admin })
      await client.connect()
      before = await readSchema(client)
      await migrate(restored.owner)
      after = await readSchema(client)
    })
    afterAll(async () => {
      await client.end()
      await restored.drop()
    })

    test('find every table and column, of the same type, and every value of a type', () => {
      expect(
        [...before.columns].filter(([name, type]) => after.columns.get(name) !== type && !(name in CHANGED_TYPES)),
      ).toEqual([])
      expect(before.values.filter((value) => !after.values.includes(value))).toEqual([])
    })

    test('meet no value that they can’t read without a reason', () => {
      const types = new Set(before.values.map((value) => value.split(' ')[0]))
      const added = after.values.filter((value) => !before.values.includes(value) && types.has(value.split(' ')[0]))
      expect(added.filter((value) => !(value in NEW_VALUES))).toEqual([])
    })

    test('find every unique index that their ON CONFLICT may name, but those that are known to be gone', () => {
      expect(before.keys.filter((key) => !after.keys.includes(key) && !(key in GONE_KEYS))).toEqual([])
    })

    test('write each kind of row that they have, by the columns that they know', async () => {
      const refused: string[] = []
      for (const [table, rows] of rowsOf(release)) {
        if (!table.startsWith('public.') || table in COMPLETED_BY_TRIGGER) continue
        const columns = columnsOf(rows[0]!)
        await client.query('BEGIN')
        // Without triggers and foreign keys: what those do is played by npm run upgrade:check.
        await client.query('SET LOCAL session_replication_role = replica')
        await client.query(`DELETE FROM ${table}`)
        await client
          .query(
            `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
            [`[${rows.join(',')}]`],
          )
          .catch((error: unknown) => refused.push(`${table}: ${(error as Error).message}`))
        await client.query('ROLLBACK')
      }
      expect(refused).toEqual([])
    })
  },
)
