import { execFile } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { installLogins } from '../../lib/db/install-logins.ts'
import { findFaultsOf, type Query } from '../../lib/db/login-faults.ts'
import { credentialsOf, loginUrl } from '../../lib/db/logins.ts'
import { asOwner } from '../support/as-owner.ts'
import { atFileEnd } from '../support/file-end.ts'

const root = path.resolve(import.meta.dirname, '../..')
const server = process.env.MIGRATE_DATABASE_URL!

const urlOf = (database: string, username: string, password: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}`, username, password }).toString()
const uniqueName = (prefix: string): string => `${prefix}_${newId().slice(-12)}`

/** What a login sees of itself; the SQLSTATE when it isn't let in. */
async function enter(runtime: string): Promise<string> {
  const client = new pg.Client({ connectionString: loginUrl(runtime, 'vitrine_app') })
  try {
    await client.connect()
    const { rows } = await client.query<{ own: string }>('SELECT session_user::text AS own FROM collections LIMIT 0')
    return rows[0]?.own ?? 'in'
  } catch (error) {
    return (error as pg.DatabaseError).code!
  } finally {
    await client.end()
  }
}

/** Runs statements as the owner of this file's database. */
async function asItsOwner(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(statements)
  await client.end()
}

/** Runs a script of npm with these two settings and nothing else of this database's. */
async function runScript(script: string, settings: { MIGRATE_DATABASE_URL?: string; DATABASE_URL?: string }) {
  const env = { ...process.env, MIGRATE_DATABASE_URL: '', DATABASE_URL: '', ...settings }
  const run = promisify(execFile)(process.execPath, [path.join(root, 'scripts', script)], { cwd: root, env })
  return run.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  )
}

const database = uniqueName('shop')
const otherDatabase = uniqueName('other')
const owner = uniqueName('owner')
const stem = uniqueName('shop')
const ownerUrl = urlOf(database, owner, 'owners')
const passwords = { first: 'first password', second: 'second:p@ssw/rd%' }
const runtime = (password: string) => urlOf(database, stem, password)

let firstRuns: { code: number; output: string }[]

/** An empty database of a login that isn't a superuser, migrated by two processes at once. */
beforeAll(async () => {
  await asOwner(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'owners';
    GRANT vitrine_app, vitrine_system, vitrine_public TO ${owner} WITH ADMIN OPTION`)
  await asOwner(`CREATE DATABASE ${database} OWNER ${owner}`)
  await asOwner(`CREATE DATABASE ${otherDatabase} TEMPLATE template0`)
  atFileEnd(async () => {
    await asOwner(`DROP DATABASE ${database} WITH (FORCE)`)
    await asOwner(`DROP DATABASE ${otherDatabase} WITH (FORCE)`)
    await asOwner(`DROP ROLE ${stem}_app, ${stem}_system, ${stem}_public`)
    await asOwner(`DROP OWNED BY ${owner}`)
    await asOwner(`DROP ROLE ${owner}`)
  })
  const settings = { MIGRATE_DATABASE_URL: ownerUrl, DATABASE_URL: runtime(passwords.first) }
  firstRuns = await Promise.all([runScript('migrate.ts', settings), runScript('migrate.ts', settings)])
}, 120_000)

test('npm run migrate, twice at once, makes tables and logins as an owner who is no superuser', async () => {
  expect(firstRuns.map(({ code }) => code)).toEqual([0, 0])
  const output = firstRuns.map((run) => run.output).join('')
  for (const kind of ['app', 'system', 'public']) expect(output.split(`login ${stem}_${kind} created`)).toHaveLength(2)
  expect(await enter(runtime(passwords.first))).toBe('in')
  expect(await enter(runtime('another password'))).toBe('28P01')
})

test('a second run changes nothing, and one with another password changes it', async () => {
  expect(await installLogins(ownerUrl, runtime(passwords.first))).toEqual([])
  const changed = await installLogins(ownerUrl, runtime(encodeURIComponent(passwords.second)))
  expect(changed).toContain(`password of the login ${stem}_app changed`)
  expect(await enter(runtime(passwords.first))).toBe('28P01')
  expect(await enter(runtime(encodeURIComponent(passwords.second)))).toBe('in')
  expect(await installLogins(ownerUrl, runtime(encodeURIComponent(passwords.second)))).toEqual([])
  await installLogins(ownerUrl, runtime(passwords.first))
})

test('a new user gets logins beside the old ones, which can be dropped then', async () => {
  const next = uniqueName('next')
  await installLogins(ownerUrl, urlOf(database, next, 'next password'))
  expect(await enter(urlOf(database, next, 'next password'))).toBe('in')
  expect(await enter(runtime(passwords.first))).toBe('in')
  const logins = `${next}_app, ${next}_system, ${next}_public`
  await asItsOwner(`REVOKE CONNECT ON DATABASE ${database} FROM ${logins}; DROP ROLE ${logins}`)
  expect(await enter(urlOf(database, next, 'next password'))).toBe('28P01')
})

test('the password is never sent to the server', async () => {
  const { hostname, port } = new URL(server)
  let sent = Buffer.alloc(0)
  const proxy = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname)
    client.on('data', (bytes) => (sent = Buffer.concat([sent, Buffer.from(bytes)])))
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const through = Object.assign(new URL(ownerUrl), { port: String((proxy.address() as net.AddressInfo).port) })
  const password = 'a-secret-that-nobody-sees'
  await installLogins(through.toString(), runtime(password))
  expect(sent.includes('ALTER ROLE')).toBe(true)
  expect(sent.includes(password)).toBe(false)
  expect(await enter(runtime(password))).toBe('in')
  await installLogins(ownerUrl, runtime(passwords.first))
})

test('logins of one database can’t connect to another one of the cluster', async () => {
  const foreign = Object.assign(new URL(runtime(passwords.first)), { pathname: new URL(server).pathname })
  expect(await enter(foreign.toString())).toBe('42501')
})

test('a login that another database uses with another password is left alone', async () => {
  const elsewhere = urlOf(otherDatabase, new URL(server).username, new URL(server).password)
  await expect(installLogins(elsewhere, urlOf(otherDatabase, stem, 'another password'))).rejects.toThrow(
    `The login ${stem}_app has another password and is used by the database ${database} too.`,
  )
  expect(await enter(runtime(passwords.first))).toBe('in')
})

test('a failure that no other database’s installation causes isn’t tried again', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const elsewhere = urlOf(otherDatabase, new URL(server).username, new URL(server).password)
  await expect(installLogins(elsewhere, urlOf(otherDatabase, stem, 'another password'))).rejects.toThrow()
  expect(query.mock.calls.filter(([text]) => (text as unknown) === 'BEGIN')).toHaveLength(1)
})

test('a server of an old version is refused before anything is changed', async () => {
  // The server tells this owner another version.
  await asItsOwner(
    `CREATE SCHEMA old_server;
     CREATE FUNCTION old_server.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '150004' $$;
     ALTER ROLE ${owner} IN DATABASE ${database} SET search_path = old_server, pg_catalog, public`,
  )
  onTestFinished(() => asOwner(`ALTER ROLE ${owner} IN DATABASE ${database} RESET search_path`))
  await expect(installLogins(ownerUrl, urlOf(database, uniqueName('late'), 'password'))).rejects.toThrow(
    'PostgreSQL 16 or newer is needed; this server is version 15.',
  )
})

test('without MIGRATE_DATABASE_URL, npm run migrate says what to set and changes nothing', async () => {
  const { code, output } = await runScript('migrate.ts', { DATABASE_URL: server })
  expect(code).toBe(1)
  expect(output).toContain('move it to MIGRATE_DATABASE_URL, and give DATABASE_URL a new user name and a')
})

test.each(['worker', 'web'])(
  'a %s process whose login can do more than its work doesn’t start, and says what',
  async (name) => {
    await asOwner(`GRANT pg_read_all_data TO ${stem}_app`)
    onTestFinished(() => asOwner(`REVOKE pg_read_all_data FROM ${stem}_app`))
    const { code, output } = await runScript(`${name}.ts`, { DATABASE_URL: runtime(passwords.first) })
    expect(code).toBe(1)
    expect(output).toContain(`The login ${stem}_app is a member of pg_read_all_data.`)
  },
)

test('a login that isn’t a member of its role is named', async () => {
  await asItsOwner(`REVOKE vitrine_app FROM ${stem}_app`)
  onTestFinished(async () => void (await installLogins(ownerUrl, runtime(passwords.first))))
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const query: Query = async (sql, values) => (await client.query<{ fault: string }>(sql, values)).rows
  const faults = await findFaultsOf(query, `${stem}_app`, 'vitrine_app').finally(() => client.end())
  expect(faults).toContain(`The login ${stem}_app isn’t a member of vitrine_app.`)
})

test('a worker whose logins don’t exist says what to run', async () => {
  const { code, output } = await runScript('worker.ts', { DATABASE_URL: urlOf(database, 'nobody', 'knows') })
  expect(code).toBe(1)
  expect(output).toContain('run npm run migrate')
})

test.each([
  ['no password', 'postgresql://shop@host/shop', 'must name a user and a password'],
  ['the name of the shared roles', 'postgresql://vitrine:p@host/shop', 'can’t be vitrine'],
  ['a name too long', `postgresql://${'s'.repeat(57)}:p@host/shop`, '56 bytes'],
  ['a password beyond ASCII', 'postgresql://shop:p%C3%A9@host/shop', 'ASCII'],
])('a DATABASE_URL with %s is refused', (_, url, message) => {
  expect(() => credentialsOf(url)).toThrow(message)
})
