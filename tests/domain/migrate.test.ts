import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'
import { LOGIN_SETTINGS } from '../../lib/db/session.ts'
import { until } from '../support/until.ts'

/** An empty database and an empty folder of migrations, for one test. */
async function makeEmptyDatabase() {
  const server = process.env.MIGRATE_DATABASE_URL!
  const name = `migrate_${crypto.randomUUID().replaceAll('-', '')}`
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-migrations-'))
  await query(server, `CREATE DATABASE ${name}`)
  onTestFinished(async () => {
    await query(server, `DROP DATABASE ${name} WITH (FORCE)`)
    fs.rmSync(folder, { recursive: true })
  })
  const write = (migration: string, sql: string) => {
    fs.mkdirSync(path.join(folder, migration), { recursive: true })
    fs.writeFileSync(path.join(folder, migration, 'migration.sql'), sql)
  }
  return { url, folder, write, rows: (sql: string) => query(url, sql) }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

test('migrations are applied once and in order, also by several runners at once', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  write('2_more', 'INSERT INTO things VALUES (2);')
  write('1_start', 'CREATE TABLE things (id int); INSERT INTO things VALUES (1);')
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, folder)))
  expect(applied.flat()).toEqual(['1_start', '2_more'])
  expect(await rows('SELECT id FROM things ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }])
  write('3_later', 'INSERT INTO things VALUES (3);')
  expect(await migrate(url, folder)).toEqual(['3_later'])
  expect(
    await rows('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1'),
  ).toHaveLength(3)
})

test('a failed migration is rolled back, and can be applied once corrected', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  write('1_start', 'CREATE TABLE things (id int);')
  write('2_broken', 'INSERT INTO things VALUES (1); SELECT nonsense;')
  await expect(migrate(url, folder)).rejects.toThrow('Migration 2_broken failed and nothing of it remains')
  expect(await rows('SELECT id FROM things')).toEqual([])
  write('2_broken', 'INSERT INTO things VALUES (1);')
  expect(await migrate(url, folder)).toEqual(['2_broken'])
})

test('a migration changed after it was applied is refused by name', async () => {
  const { url, folder, write } = await makeEmptyDatabase()
  write('1_start', 'CREATE TABLE things (id int);')
  await migrate(url, folder)
  write('1_start', 'CREATE TABLE others (id int);')
  await expect(migrate(url, folder)).rejects.toThrow('Migration 1_start was changed after it had been applied.')
})

test('a migration waits for a lock for less time than web and worker do, and leaves no transaction open for long', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  const settings = ['lock_timeout', 'idle_in_transaction_session_timeout']
  write(
    '1_start',
    `CREATE TABLE seen AS ${settings.map((name) => `SELECT current_setting('${name}') AS s`).join(' UNION ALL ')};`,
  )
  await migrate(url, folder)
  expect(await rows('SELECT s FROM seen')).toEqual([{ s: '3s' }, { s: '8s' }])
  expect(LOGIN_SETTINGS.lock_timeout).toBe('5000ms')
})

/** Holds a transaction open that has read the table, and sees it as it is now. Returns what ends it. */
async function readOn(url: string, table: string): Promise<() => Promise<void>> {
  const reader = new pg.Client({ connectionString: url, application_name: 'a long report' })
  reader.on('error', () => undefined)
  await reader.connect()
  await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM ${table}`)
  onTestFinished(() => reader.end())
  return async () => void (await reader.query('COMMIT'))
}

const patience = { lockMs: 300, outsideLockMs: 300, pauseMs: 0, tries: 100 }

test('a migration that gets no lock says who holds it, lets others pass, and is applied once it is free', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  write('1_start', 'CREATE TABLE things (id int);')
  await migrate(url, folder)
  const release = await readOn(url, 'things')
  write('2_more', 'ALTER TABLE things ADD COLUMN name text; INSERT INTO things VALUES (2);')
  const said: string[] = []
  const migrated = migrate(url, folder, {
    patience,
    say: (line) => {
      said.push(line)
      if (said.length === 2) void rows('SELECT * FROM things').then(release)
    },
  })
  expect(await migrated).toEqual(['2_more'])
  expect(said[0]).toMatch(
    /^2_more waits for a lock \(try 1 of 100\): .*lock timeout; process \d+ \(a long report\) holds it, idle in transaction: BEGIN .*; SELECT \* FROM things$/,
  )
  expect(await rows('SELECT id FROM things')).toEqual([{ id: 2 }])
})

test('a migration that never gets its lock fails by name and changes nothing', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  write('1_start', 'CREATE TABLE things (id int);')
  await migrate(url, folder)
  const release = await readOn(url, 'things')
  write('2_more', 'CREATE TABLE others (id int); ALTER TABLE things ADD COLUMN name text;')
  await expect(migrate(url, folder, { patience: { ...patience, tries: 2 } })).rejects.toThrow(
    /^Migration 2_more failed and nothing of it remains: .* \(a long report\) holds it/,
  )
  expect(await rows(`SELECT to_regclass('others') AS others`)).toEqual([{ others: null }])
  await release()
  expect(await migrate(url, folder)).toEqual(['2_more'])
})

const INDEX = '-- outside a transaction\nCREATE UNIQUE INDEX CONCURRENTLY things_id ON things (id);\n'
const indexes = `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('things_id')`

/** Ends the connection of a runner while it makes the index and waits for a reader. */
async function killOnce({ url, folder, rows }: Awaited<ReturnType<typeof makeEmptyDatabase>>): Promise<void> {
  const failed = expect(migrate(url, folder)).rejects.toThrow('can be run again')
  await until('The creation of the index', async () => (await rows(`${indexes} AND NOT indisvalid`)).length === 1)
  await until('The end of the runner', () =>
    rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%INDEX CONCURRENTLY%' AND pid <> pg_backend_pid()`).then(
      (ended) => ended.length > 0,
    ),
  )
  await failed
}

test('an index is made beside writers; after two runners were killed at it, the third makes it anew', async () => {
  const database = await makeEmptyDatabase()
  const { url, folder, write, rows } = database
  write('1_start', 'CREATE TABLE things (id int); INSERT INTO things VALUES (1);')
  await migrate(url, folder)
  write('2_index', INDEX)
  write('3_more', 'INSERT INTO things VALUES (3);')
  const release = await readOn(url, 'things')
  await killOnce(database)
  await killOnce(database)
  await rows('INSERT INTO things VALUES (2)') // not held up by the index that is being made
  expect(await rows(indexes)).toEqual([{ indisvalid: false }])
  await release()
  expect(await migrate(url, folder)).toEqual(['2_index', '3_more'])
  expect(await rows(indexes)).toEqual([{ indisvalid: true }])
  expect(await rows('SELECT id FROM things ORDER BY 1')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('an index that was complete when its runner died is only recorded', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  write('1_start', 'CREATE TABLE things (id int);')
  await migrate(url, folder)
  await rows('CREATE UNIQUE INDEX things_id ON things (id)')
  write('2_index', INDEX)
  expect(await migrate(url, folder)).toEqual(['2_index'])
})

test('runners that wait for another one are not waited for by its index', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  write('1_start', 'CREATE TABLE things (id int);')
  write('2_index', INDEX)
  const applied = await Promise.all([1, 2, 3].map(() => migrate(url, folder)))
  expect(applied.flat()).toEqual(['1_start', '2_index'])
  expect(await rows(indexes)).toEqual([{ indisvalid: true }])
})
