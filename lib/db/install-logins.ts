import pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { findFaultsOf, GROUPS } from './login-faults.ts'
import { credentialsOf, loginOf, loginUrl, rightsIn } from './logins.ts'
import { scramVerifier } from './scram.ts'
import { DATABASE_ROLES, ownerOptions } from './session.ts'

const OLDEST_VERSION = 16
const LOCK = 72707370
const TRIES = 5
const { escapeIdentifier: name, escapeLiteral: literal } = pg

/**
 * Creates the logins of a runtime URL in the migrated database of `ownerUrl`, or brings their password, settings and
 * rights up to date. Idempotent. Returns what it did, a line each; throws when a login can do more than its work
 * afterwards.
 */
export async function installLogins(ownerUrl: string, runtimeUrl: string): Promise<string[]> {
  const credentials = credentialsOf(runtimeUrl)
  const owner = new DatabaseClient({
    connectionString: ownerUrl,
    options: ownerOptions(),
    application_name: 'vitrine-migrate',
  })
  await owner.connect()
  try {
    await assertCanGrant(owner)
    for (let tries = 1; ; tries++) {
      try {
        const done = await install(owner, credentials)
        await assertNoFaults(owner, credentials.stem)
        return done
      } catch (error) {
        await owner.query('ROLLBACK')
        if (tries === TRIES || !isRace(error)) throw error
      }
    }
  } finally {
    await owner.end()
  }
}

/** Throws an Error unless the logins of a runtime URL reach the database of the owner's. */
export async function assertSameDatabase(ownerUrl: string, runtimeUrl: string): Promise<void> {
  const [own, reached] = await Promise.all([
    identityOf(ownerUrl),
    identityOf(loginUrl(runtimeUrl, 'vitrine_system')).catch(() => null),
  ])
  if (own !== reached)
    throw new Error(
      'DATABASE_URL doesn’t lead to the database of MIGRATE_DATABASE_URL. ' +
        'Correct it and run npm run migrate before anything is started.',
    )
}

/** Tells a database apart from all others, also from its copies. */
async function identityOf(connectionString: string): Promise<string> {
  const client = new DatabaseClient({ connectionString, application_name: 'vitrine-migrate' })
  try {
    await client.connect()
    const { rows } = await client.query<{ identity: string }>(
      `SELECT concat_ws(' ', oid, extract(epoch FROM pg_postmaster_start_time())) AS identity
       FROM pg_database WHERE datname = current_database()`,
    )
    return rows[0]!.identity
  } finally {
    await client.end()
  }
}

/** Another database of the cluster is getting the same logins: the lock holds within one database only. */
const isRace = (error: unknown): boolean =>
  error instanceof Error &&
  (['23505', '42710'].includes((error as pg.DatabaseError).code ?? '') || /tuple concurrently/.test(error.message))

async function assertCanGrant(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ version: number; own: string; missing: string[] }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_user::text AS own,
       ARRAY(SELECT rolname::text FROM pg_roles
         WHERE rolname = ANY ($1) AND NOT pg_has_role(oid, 'MEMBER WITH ADMIN OPTION')) AS missing`,
    [DATABASE_ROLES],
  )
  const { version, own, missing } = rows[0]!
  if (version < OLDEST_VERSION)
    throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is needed; this server is version ${version}.`)
  if (missing.length > 0)
    throw new Error(
      `${own} can’t grant the roles ${missing.join(', ')}. Their creator or a superuser has to run: ` +
        `GRANT ${missing.join(', ')} TO ${name(own)} WITH ADMIN OPTION;`,
    )
}

async function install(owner: pg.Client, { stem, password }: { stem: string; password: string }): Promise<string[]> {
  const done: string[] = []
  await owner.query('BEGIN')
  await owner.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
  for (const role of DATABASE_ROLES) {
    const login = loginOf(stem, role)
    const { rowCount } = await owner.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login])
    if (rowCount === 0) {
      await owner.query(
        `CREATE ROLE ${name(login)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
          PASSWORD ${literal(scramVerifier(password))}`,
      )
      done.push(`login ${login} created`)
    } else if (!(await hasPassword(owner, login, password))) {
      await assertNotAnothers(owner, login)
      await owner.query(`ALTER ROLE ${name(login)} LOGIN PASSWORD ${literal(scramVerifier(password))}`)
      done.push(`password of the login ${login} changed`)
    }
    for (const group of GROUPS[role])
      await owner.query(
        `GRANT ${group} TO ${name(login)}
          WITH ${group === role ? 'INHERIT TRUE, SET FALSE' : 'INHERIT FALSE, SET TRUE'}`,
      )
  }
  const { rows } = await owner.query<{ database: string }>('SELECT current_database() AS database')
  for (const statement of rightsIn(rows[0]!.database, stem)) await owner.query(statement)
  await owner.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
  await owner.query('COMMIT')
  return done
}

/** Whether the login's password is this one. A server that lets it in without asking for the password tells nothing. */
async function hasPassword({ host, port, database, ssl }: pg.Client, login: string, password: string) {
  const client = new DatabaseClient({ host, port, ...(database && { database }), ssl, user: login, password })
  try {
    await client.connect()
    const { rows } = await client.query<{ method: string | null }>('SELECT system_user AS method')
    return rows[0]!.method?.startsWith('scram-sha-256:') ?? false
  } catch (error) {
    // The password was right, and the right to connect to this database is missing so far.
    return (error as pg.DatabaseError).code === '42501'
  } finally {
    await client.end()
  }
}

/**
 * Throws an Error if another database uses this login too: it may be that of another installation, which would lose its
 * access by a change of the password.
 */
async function assertNotAnothers(owner: pg.Client, login: string): Promise<void> {
  const { rows } = await owner.query<{ datname: string }>(
    `SELECT d.datname FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
        JOIN pg_roles r ON r.oid = s.setrole
     WHERE r.rolname = $1 AND d.datname <> current_database()`,
    [login],
  )
  if (rows[0])
    throw new Error(
      `The login ${login} has another password and is used by the database ${rows[0].datname} too. ` +
        'Choose another user for DATABASE_URL, or, if that database is yours to change, run first: ' +
        `ALTER ROLE ${name(login)} IN DATABASE ${name(rows[0].datname)} RESET ALL;`,
    )
}

async function assertNoFaults(owner: pg.Client, stem: string): Promise<void> {
  const faults: string[] = []
  for (const role of DATABASE_ROLES)
    faults.push(
      ...(await findFaultsOf(
        async (sql, values) => (await owner.query<{ fault: string }>(sql, values)).rows,
        loginOf(stem, role),
        role,
      )),
    )
  if (faults.length > 0)
    throw new Error(
      'The logins aren’t as they should be. The database’s owner or a superuser has to change that ' +
        `(docs/database.md):\n${faults.map((each) => `  ${each}`).join('\n')}`,
    )
}
