import pg from 'pg'

/**
 * Ends every connection to this test's database at any moment, as a restart of PostgreSQL does. Returns how many it
 * ended.
 */
export async function cutConnections(): Promise<number> {
  const own = new URL(process.env.MIGRATE_DATABASE_URL!)
  const admin = new URL(own)
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.toString() })
  await client.connect()
  const { rowCount } = await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    own.pathname.slice(1),
  ])
  await client.end()
  return rowCount ?? 0
}
