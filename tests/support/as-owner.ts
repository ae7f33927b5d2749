import pg from 'pg'
import { onTestFinished } from 'vitest'
import { env } from '../../lib/core/env.ts'

/** Runs statements as the database's owner. */
export async function asOwner(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

/**
 * Makes the database refuse updates of a table's rows that meet a condition on OLD. Returns what permits them again;
 * the test's end does so too.
 */
export async function refuseUpdates(table: string, condition: string): Promise<() => Promise<void>> {
  await asOwner(`
    CREATE OR REPLACE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'This row is refused.'; END $$;
    CREATE TRIGGER refuse_update BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION refuse_update();`)
  const permit = () => asOwner(`DROP TRIGGER IF EXISTS refuse_update ON ${table}`)
  onTestFinished(permit)
  return permit
}
