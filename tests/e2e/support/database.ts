import pg from 'pg'
import { stack } from './stack.ts'

/** The rows of a statement in the stack's database, as the owner of its tables. */
export async function inDatabase<Row extends object>(statement: string, values: unknown[]): Promise<Row[]> {
  const database = new pg.Client({ connectionString: stack().database_url })
  await database.connect()
  const { rows } = await database.query<Row>(statement, values)
  await database.end()
  return rows
}
