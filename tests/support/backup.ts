import pg from 'pg'
import { disconnect } from '../../lib/db/client.ts'
import { rightsIn } from '../../lib/db/logins.ts'
import { closeQueue } from '../../lib/platform/jobs/queue.ts'
import { STEM } from './prepare-database.ts'

const databaseUrl = (name: string): string =>
  Object.assign(new URL(process.env.MIGRATE_DATABASE_URL!), { pathname: `/${name}` }).toString()
const own = (): string => new URL(process.env.MIGRATE_DATABASE_URL!).pathname.slice(1)

async function query(database: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Nobody may be connected to a database that is copied or renamed. */
async function leave(): Promise<string> {
  await closeQueue()
  await disconnect()
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${own()}' AND pid <> pg_backend_pid()`
}

/** Copies this test file's database, as a backup does. */
export async function takeBackup(): Promise<void> {
  await query(
    'postgres',
    'SELECT pg_advisory_lock(1)',
    await leave(),
    `CREATE DATABASE ${own()}_backup TEMPLATE ${own()}`,
  )
}

/** The tables of the built-in card provider: they stand for another company's books, which no backup of ours puts back. */
const OUTSIDE = ['sandbox_accounts', 'sandbox_payment_intents', 'sandbox_refunds', 'sandbox_events']

/** Puts the backup back in place of the database, whose rows since then are lost. */
export async function putBackupBack(): Promise<void> {
  await query(
    'postgres',
    await leave(),
    `ALTER DATABASE ${own()} RENAME TO ${own()}_lost`,
    `ALTER DATABASE ${own()}_backup RENAME TO ${own()}`,
    ...rightsIn(own(), STEM),
  )
  const lost = new pg.Client({ connectionString: databaseUrl(`${own()}_lost`) })
  const restored = new pg.Client({ connectionString: databaseUrl(own()) })
  await Promise.all([lost.connect(), restored.connect()])
  try {
    await restored.query(`TRUNCATE ${OUTSIDE.join(', ')}`)
    for (const table of OUTSIDE) {
      const { rows } = await lost.query<{ rows: unknown }>(`SELECT coalesce(json_agg(t), '[]') AS rows FROM ${table} t`)
      await restored.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
        JSON.stringify(rows[0]!.rows),
      ])
    }
  } finally {
    await Promise.all([lost.end(), restored.end()])
  }
  await query('postgres', `DROP DATABASE ${own()}_lost WITH (FORCE)`)
}
