import pg from 'pg'
import { ownerOptions } from '../session.ts'

/** A connection of the tables' owner for work that takes long: nothing of it is ended because it waits for the other side. */
export async function connectOwner(databaseUrl: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, options: ownerOptions(), application_name: name })
  client.on('error', () => undefined) // what waits for the connection throws
  await client.connect()
  await client.query('SET idle_in_transaction_session_timeout = 0')
  await client.query('SET statement_timeout = 0')
  return client
}

/** The applied migrations, in their order; null where none ever ran. */
export async function readMigrations(client: pg.Client): Promise<{ name: string; checksum: string }[] | null> {
  const known = await client.query(`SELECT to_regclass('public._prisma_migrations') AS found`)
  if (known.rows[0].found === null) return null
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  )
  return rows
}
