import pg from 'pg'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'

/**
 * Copies everything that the books have of an organization, as a backup does. Returns what puts the copy back: what
 * happened since is lost here, while card provider and chain still know it.
 */
export async function takeBackup(organizationId: string): Promise<() => Promise<void>> {
  const schema = `backup_${newId().replaceAll('-', '')}`
  const tables = await query(`
    SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') FILTER (WHERE is_generated = 'NEVER') AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY table_name
    HAVING bool_or(column_name = 'organization_id')`)
  const own = `organization_id = '${organizationId}'`
  await query(
    [
      // All tables at one moment, as pg_dump copies them: the worker moves figures between them meanwhile.
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
      `CREATE SCHEMA ${schema}`,
      ...tables.map(
        ({ name, columns }) => `CREATE TABLE ${schema}.${name} AS SELECT ${columns} FROM public.${name} WHERE ${own}`,
      ),
      'COMMIT',
    ].join(';'),
  )
  return async () =>
    void (await query(
      [
        'BEGIN',
        // Neither triggers nor foreign keys act on rows that are put back.
        'SET LOCAL session_replication_role = replica',
        ...tables.flatMap(({ name, columns }) => [
          `DELETE FROM public.${name} WHERE ${own}`,
          `INSERT INTO public.${name} (${columns}) SELECT ${columns} FROM ${schema}.${name}`,
        ]),
        'COMMIT',
      ].join(';'),
    ))
}

/**
 * Runs statements as the database's owner, whom row-level security doesn't confine. Returns the rows of the last one.
 */
async function query(statements: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  try {
    const result = await client.query<Record<string, string>>(statements)
    return result.rows ?? []
  } finally {
    await client.end()
  }
}
