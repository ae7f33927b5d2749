import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { loginOf } from '../../lib/db/logins.ts'
import { MIGRATIONS } from '../../lib/db/migrations.ts'
import { DATABASE_ROLES } from '../../lib/db/session.ts'
import { migrate } from '../../lib/db/migrate.ts'
import type { Manifest } from '../../scripts/release-fixture/rows.ts'

const FOLDER = path.resolve(import.meta.dirname, '../fixtures/releases')

/** The releases of which rows are kept, oldest first. */
export const releases: readonly Manifest[] = fs
  .readdirSync(FOLDER)
  .map((release) => JSON.parse(fs.readFileSync(path.join(FOLDER, release, 'manifest.json'), 'utf8')) as Manifest)
  .sort((a, b) => a.release.localeCompare(b.release, 'en', { numeric: true }))

const read = (release: string, file: string): string =>
  gunzipSync(fs.readFileSync(path.join(FOLDER, release, file))).toString('utf8')

/** The rows of a release as JSON texts, by table. */
export function rowsOf(release: string): Map<string, string[]> {
  const rows = new Map<string, string[]>()
  for (const line of read(release, 'rows.gz').trimEnd().split('\n')) {
    const at = line.indexOf('\t')
    const table = line.slice(0, at)
    rows.set(table, [...(rows.get(table) ?? []), line.slice(at + 1)])
  }
  return rows
}

export const columnsOf = (row: string): string =>
  Object.keys(JSON.parse(row) as object)
    .map((column) => `"${column}"`)
    .join(', ')

/** The schema that release 0.1.0 had for jobs, with the rights that its `npm run migrate` gave. */
export const OLD_JOBS = `${read('0.1.0', 'jobs.sql.gz')};
  GRANT USAGE, CREATE ON SCHEMA pgboss TO vitrine_system;
  GRANT USAGE ON SCHEMA pgboss TO vitrine_app;
  GRANT ALL ON ALL TABLES IN SCHEMA pgboss TO vitrine_system;
  GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA pgboss TO vitrine_app;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO vitrine_system, vitrine_app`

/**
 * A database as the release left it: its migrations, its tables for jobs, and its rows. Its owner is no superuser, as
 * in production. `admin` is a superuser's URL of the same database, `runtime` names logins that are still to be made.
 */
export async function restoreRelease({ release, migrations, sequences }: Manifest) {
  const server = process.env.MIGRATE_DATABASE_URL!
  const name = `upgrade_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  const owner = Object.assign(new URL(admin), { username: name, password: 'test' }).toString()
  const stem = `${name}_run`
  const runtime = Object.assign(new URL(admin), { username: stem, password: 'test-logins' }).toString()
  await execute(
    server,
    `CREATE ROLE ${name} LOGIN PASSWORD 'test' CREATEROLE CREATEDB`,
    `GRANT vitrine_app, vitrine_system, vitrine_public TO ${name} WITH ADMIN TRUE`,
    `CREATE DATABASE ${name} OWNER ${name}`,
  )
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-migrations-'))
  try {
    for (const migration of Object.keys(migrations))
      fs.cpSync(path.join(MIGRATIONS, migration), path.join(folder, migration), { recursive: true })
    await migrate(owner, folder)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  if (fs.existsSync(path.join(FOLDER, release, 'jobs.sql.gz'))) await execute(owner, OLD_JOBS)
  const filled = [...rowsOf(release)].flatMap(([table, rows]) => [
    `DELETE FROM ${table}`, // the tables for jobs and the migrations have rows of their own
    `INSERT INTO ${table} (${columnsOf(rows[0]!)}) SELECT ${columnsOf(rows[0]!)}
     FROM json_populate_recordset(NULL::${table}, ${pg.escapeLiteral(`[${rows.join(',')}]`)})`,
  ])
  const counters = Object.entries(sequences).map(([sequence, last]) => `SELECT setval('${sequence}', ${last})`)
  await execute(admin, 'SET session_replication_role = replica', ...filled, ...counters)
  const drop = () =>
    execute(
      server,
      `DROP DATABASE ${name} WITH (FORCE)`,
      `DROP ROLE IF EXISTS ${DATABASE_ROLES.map((role) => loginOf(stem, role)).join(', ')}`,
      `REVOKE vitrine_app, vitrine_system, vitrine_public FROM ${name} CASCADE`,
      `DROP ROLE ${name}`,
    )
  return { admin, owner, runtime, drop }
}

async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
