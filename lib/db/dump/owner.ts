import type pg from 'pg'
import { DatabaseClient } from '../database-client.ts'
import { ownerOptions } from '../session.ts'

/**
 * A connection of the tables' owner for work that takes long: nothing of it is ended because it waits for the other
 * side.
 */
export async function connectOwner(databaseUrl: string, name: string): Promise<pg.Client> {
  const client = new DatabaseClient({ connectionString: databaseUrl, options: ownerOptions(), application_name: name })
  await client.connect()
  await client.query('SET idle_in_transaction_session_timeout = 0')
  await client.query('SET statement_timeout = 0')
  return client
}
