import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { rightsIn } from '../../lib/db/logins.ts'
import { STEM } from './prepare-database.ts'

/** So many are made ahead: more than test files begin at once. */
const READY = 4
const CHANNEL = 'test_databases'

const connect = async (template: URL): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(template), { pathname: '/postgres' }).toString(),
  })
  await client.connect()
  return client
}

/** Copies the template; its name is the copy's. A copy has neither the rights nor the settings of its original. */
async function make(client: pg.Client, template: URL): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Only one session may copy a template at a time; an advisory lock makes the others wait.
  await client.query('SELECT pg_advisory_lock(1)')
  // Copying its files takes half of the processor time that writing them to the log does.
  const copy = `CREATE DATABASE ${name} TEMPLATE "${template.pathname.slice(1)}" STRATEGY file_copy`
  for (const statement of [copy, ...rightsIn(name, STEM)]) await client.query(statement)
  await client.query('SELECT pg_advisory_unlock(1)')
  return name
}

/**
 * Makes databases for test files ahead, and drops those of files that have ended, beside the tests. The result stops
 * it.
 */
export async function keepDatabasesReady(templateUrl: string): Promise<() => Promise<void>> {
  const template = new URL(templateUrl)
  const client = await connect(template)
  await client.query('CREATE TABLE ready_databases (name text PRIMARY KEY)')
  await client.query(`LISTEN ${CHANNEL}`)
  let isStopped = false
  const fill = async (): Promise<void> => {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM ready_databases')
    for (let count = rows[0]!.count; count < READY && !isStopped; count++)
      await client.query('INSERT INTO ready_databases VALUES ($1)', [await make(client, template)])
  }
  let work = fill()
  client.on('notification', ({ payload: used }) => {
    work = work.then(async () => {
      await fill() // a file may be waiting
      if (used && !isStopped) await client.query(`DROP DATABASE IF EXISTS ${used} WITH (FORCE)`)
    })
  })
  return async () => {
    isStopped = true
    await work
    await client.end()
  }
}

/** Takes a database for a test file: one that was made ahead, or a new one. */
export async function takeDatabase(templateUrl: string): Promise<string> {
  const template = new URL(templateUrl)
  const client = await connect(template)
  try {
    const { rows } = await client.query<{ name: string }>(
      `DELETE FROM ready_databases
       WHERE name = (SELECT name FROM ready_databases LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING name`,
    )
    await client.query(`NOTIFY ${CHANNEL}`)
    return rows[0]?.name ?? (await make(client, template))
  } finally {
    await client.end()
  }
}

/** Ends all connections to a test file's database, which is dropped soon. */
export async function giveUpDatabase(templateUrl: string, name: string): Promise<void> {
  const client = await connect(new URL(templateUrl))
  try {
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    await client.query('SELECT pg_notify($1, $2)', [CHANNEL, name])
  } finally {
    await client.end()
  }
}
