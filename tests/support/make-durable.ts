import pg from 'pg'

/** Turns on the durable writes that tests run without, so that figures are realistic. */
export async function makeDurable(): Promise<void> {
  const client = new pg.Client({
    connectionString: process.env.TEST_DATABASE_TEMPLATE!.replace(/\/[^/]*$/, '/postgres'),
  })
  await client.connect()
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`ALTER SYSTEM SET ${setting} = on`)
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}
