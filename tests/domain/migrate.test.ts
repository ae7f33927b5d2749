import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../lib/db/migrate.ts'

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

test('a migration waits for a lock for half a minute at most, and leaves no transaction open for long', async () => {
  const { url, folder, write, rows } = await makeEmptyDatabase()
  const settings = ['lock_timeout', 'idle_in_transaction_session_timeout']
  write(
    '1_start',
    `CREATE TABLE seen AS ${settings.map((name) => `SELECT current_setting('${name}') AS s`).join(' UNION ALL ')};`,
  )
  await migrate(url, folder)
  expect(await rows('SELECT s FROM seen')).toEqual([{ s: '30s' }, { s: '8s' }])
})
