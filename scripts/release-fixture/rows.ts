import type pg from 'pg'

export type Manifest = {
  release: string
  made_at: string
  /** The release's migrations in their order, with the SHA-256 of each. */
  migrations: Record<string, string>
  /** How many rows each table has, by schema and name. */
  rows: Record<string, number>
  sequences: Record<string, string>
  /** The key of the sandbox it was made of, so that what is sealed opens. Nothing else uses it. */
  settings: { SERVER_KEY: string }
  facts: Record<string, unknown>
}

const SCHEMAS = ['public']

/** Every row as a line: its table, a tab, and the row as JSON by PostgreSQL. Tables and rows have a fixed order. */
export async function dumpRows(
  client: pg.Client,
): Promise<{ lines: string[] } & Pick<Manifest, 'rows' | 'sequences' | 'migrations'>> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const tables = await client.query<{ name: string; columns: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE n.nspname = ANY($1) AND c.relkind = 'r' AND c.relname <> '_prisma_migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY 1 ORDER BY 1`,
    [SCHEMAS],
  )
  const lines: string[] = []
  const rows: Record<string, number> = {}
  for (const { name, columns } of tables.rows) {
    const found = await client.query<{ row: string }>(
      `SELECT row_to_json(r)::text AS row FROM (SELECT ${columns} FROM ${name}) r ORDER BY 1`,
    )
    if (found.rows.length > 0) rows[name] = found.rows.length
    for (const { row } of found.rows) lines.push(`${name}\t${row}`)
  }
  const sequences = await client.query<{ name: string; last: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = ANY($1) AND last_value IS NOT NULL ORDER BY 1`,
    [SCHEMAS],
  )
  const migrations = await client.query<{ name: string; checksum: string }>(
    'SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1',
  )
  await client.query('COMMIT')
  return {
    lines,
    rows,
    sequences: Object.fromEntries(sequences.rows.map(({ name, last }) => [name, last])),
    migrations: Object.fromEntries(migrations.rows.map(({ name, checksum }) => [name, checksum])),
  }
}
