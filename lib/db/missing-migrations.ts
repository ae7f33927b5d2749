import { DatabaseClient } from './database-client.ts'
import { readApplied, readMigrations } from './migrations.ts'

const TIMEOUT_MS = 5_000

/**
 * `unknown`: applied by a newer version of the code. `canMigrate`: the login owns every table and may create more.
 * `canRead`: it sees the list.
 */
export type MigrationState = {
  missing: string[]
  changed: string[]
  unknown: string[]
  canMigrate: boolean
  canRead: boolean
}

/**
 * Reads the state in which `npm run migrate` would find the database of this URL. Changes nothing. Throws when the
 * database doesn't answer in time.
 */
export async function readMigrationState(databaseUrl: string): Promise<MigrationState> {
  const client = new DatabaseClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'vitrine-doctor',
  })
  try {
    await client.connect()
    const { rows } = await client.query<{ reads: boolean | null; owns: boolean }>(`
      SELECT has_table_privilege(to_regclass('public._prisma_migrations'), 'SELECT') AS reads,
        has_schema_privilege('public', 'CREATE') AND NOT EXISTS (
          SELECT 1 FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
            AND NOT pg_has_role(c.relowner, 'USAGE')) AS owns`)
    const { reads, owns } = rows[0]!
    const applied = reads ? await readApplied(client) : new Map<string, string>()
    const own = readMigrations()
    return {
      missing: own.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
      changed: own
        .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
        .map(({ name }) => name),
      unknown: [...applied.keys()].filter((name) => !own.some((each) => each.name === name)),
      canMigrate: owns,
      canRead: reads !== false,
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}
