import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { makePrivateKey, privateKeyOf } from '../../lib/data/backup/keys.ts'
import { restoreBackup } from '../../lib/data/backup/restore-backup.ts'
import { writeBackup } from '../../lib/data/backup/write-backup.ts'
import { disconnect } from '../../lib/db/client.ts'
import { rightsIn } from '../../lib/db/logins.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { atFileEnd } from './file-end.ts'
import { STEM } from './prepare-database.ts'

/** The database's owner: it may make databases, and isn't confined. */
const ownerUrl = (): string => process.env.MIGRATE_DATABASE_URL!
export const databaseUrlOf = (name: string): string =>
  Object.assign(new URL(ownerUrl()), { pathname: `/${name}` }).toString()
const own = (): string => new URL(ownerUrl()).pathname.slice(1)

/** Runs statements as the owner, and gives the rows of the last one. */
export async function inDatabase(url: string, ...statements: string[]): Promise<Record<string, any>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Record<string, any>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows as Record<string, any>[]
    return rows
  } finally {
    await client.end()
  }
}

export const backupKey = privateKeyOf(makePrivateKey())

let folder: string | undefined
/** A folder for backups, which the file's end removes. */
export function backupFolder(): string {
  if (folder) return folder
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-backup-'))
  folder = made
  atFileEnd(() => {
    folder = undefined
    fs.rmSync(made, { recursive: true, force: true })
  })
  return made
}

const backupFile = (): string => path.join(backupFolder(), 'test.backup')

/** Backs this test file's database up. */
export const takeBackup = (file = backupFile()) =>
  writeBackup(systemContext('backup'), { databaseUrl: ownerUrl(), file, recipient: backupKey })

/** A database for a restore: migrated and without a row, as the tests' own are. It is dropped at the file's end. */
export async function makeTarget(): Promise<string> {
  const name = `restore_${crypto.randomUUID().replaceAll('-', '')}`
  const template = new URL(process.env.TEST_DATABASE_TEMPLATE!).pathname.slice(1)
  // Only one session may copy a template at a time; an advisory lock makes the others wait.
  await inDatabase(
    databaseUrlOf('postgres'),
    'SELECT pg_advisory_lock(1)',
    `CREATE DATABASE ${name} TEMPLATE "${template}"`,
    ...rightsIn(name, STEM),
  )
  atFileEnd(
    async () => void (await inDatabase(databaseUrlOf('postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  )
  return databaseUrlOf(name)
}

/**
 * The tables of the built-in card provider: they stand for another company's books, which no backup of ours puts back.
 */
const OUTSIDE = ['sandbox_accounts', 'sandbox_payment_intents', 'sandbox_refunds', 'sandbox_events']

/**
 * Restores the backup into an empty database, which takes the place of this test file's: its rows since the backup are
 * lost.
 */
export async function putBackupBack(file = backupFile()): Promise<void> {
  const target = await makeTarget()
  await restoreBackup(systemContext('restore'), { databaseUrl: target, file, privateKey: backupKey })
  const lost = new pg.Client({ connectionString: databaseUrlOf(own()) })
  const restored = new pg.Client({ connectionString: target })
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
  // Nobody may be connected to a database that is renamed.
  await disconnect()
  await inDatabase(
    databaseUrlOf('postgres'),
    `DROP DATABASE ${own()} WITH (FORCE)`,
    `ALTER DATABASE ${new URL(target).pathname.slice(1)} RENAME TO ${own()}`,
  )
}
