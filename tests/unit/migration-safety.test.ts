import { expect, test } from 'vitest'
import { readMigrations } from '../../lib/db/migrations.ts'
import { splitStatements } from '../../lib/db/split-statements.ts'
import { findHazards } from '../support/migration-hazards.ts'
import { releases } from '../support/release-fixtures.ts'

const first = Object.keys(releases[0]!.migrations)

test('a migration that old processes might not survive says why it is safe', () => {
  const hazards = readMigrations()
    .filter(({ name }) => !first.includes(name))
    .flatMap(({ name, sql }) => findHazards(sql).map((hazard) => `${name}: ${hazard}`))
  expect(hazards, 'give each statement a line `-- safe: <why>` before it (docs/upgrades.md)').toEqual([])
})

/** Tables that grow with use. */
const BIG = (
  'audit_entries card_events chain_logs claim_tokens email_claims events holds import_rows item_history item_owners items ' +
  'listing_allowances mail_events mint_requests outbox_messages payments pins purchase_intents purchase_units rate_limits ' +
  'signed_transactions snapshot_holders transactions vouchers webhook_attempts webhook_deliveries'
).split(' ')
/** Earlier indexes that writers wait for are on the release's page (docs/releases). */
const SINCE = '20261123310000'

test('writers of a big table go on while it gets an index', () => {
  const blocking = readMigrations()
    .filter(({ name }) => name >= SINCE)
    .flatMap(({ name, sql }) =>
      splitStatements(sql).flatMap(({ words }) => {
        const table = /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY\b).*? ON (?:ONLY )?"?(\w+)"?/i.exec(words)?.[1]
        return table && BIG.includes(table) ? [`${name}: ${table}`] : []
      }),
    )
  expect(blocking, 'give each a migration of its own with CREATE INDEX CONCURRENTLY (docs/upgrades.md)').toEqual([])
})

test('an index outside a transaction has a name of its own: one that is there already would be taken for it', () => {
  const made = readMigrations().flatMap(({ sql, outside }) =>
    splitStatements(sql).flatMap(({ words }) => {
      const name = /^CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?"?(\w+)"?/i.exec(words)?.[1]
      return name ? [{ name, outside }] : []
    }),
  )
  const taken = made.filter((each) => each.outside && made.some((other) => other !== each && other.name === each.name))
  expect(taken).toEqual([])
})

test.each([
  'ALTER TABLE items DROP COLUMN title;',
  'ALTER TABLE items RENAME COLUMN title TO name;',
  'ALTER TABLE items RENAME TO things;',
  'ALTER TABLE items ALTER COLUMN title TYPE varchar(10);',
  'ALTER TABLE items ALTER title SET DATA TYPE varchar(10);',
  'ALTER TABLE items ADD COLUMN title text NOT NULL;',
  'ALTER TABLE items ADD COLUMN a text DEFAULT $$x$$ NOT NULL, ADD COLUMN title text NOT NULL;',
  'ALTER TABLE items ALTER COLUMN title SET NOT NULL;',
  'DROP TABLE items;',
  'DROP TYPE "Kind";',
  "ALTER TYPE \"Kind\" RENAME VALUE 'A' TO 'B';",
])('%s needs a reason', (sql) => {
  expect(findHazards(sql)).toHaveLength(1)
  expect(findHazards(`-- safe: nothing reads it since 0.1.0.\n${sql}`)).toEqual([])
  expect(findHazards(`-- safe:\n${sql}`)).toHaveLength(1)
  expect(findHazards(`-- safe: of another statement.\nSELECT 1;\n${sql}`)).toHaveLength(1)
})

test.each([
  'CREATE TABLE things (id uuid NOT NULL);',
  'ALTER TABLE items ADD COLUMN title text;',
  "ALTER TABLE items ADD COLUMN title text NOT NULL DEFAULT '';",
  'ALTER TABLE items ADD COLUMN count bigint DEFAULT 0 NOT NULL, ADD COLUMN at timestamptz;',
  'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE items $$;',
  "-- DROP TABLE items;\nSELECT 'DROP TABLE items';",
])('%s needs none', (sql) => expect(findHazards(sql)).toEqual([]))
