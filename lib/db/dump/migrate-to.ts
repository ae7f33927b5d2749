import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '../migrate.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../prisma/migrations')

type Migration = { name: string; checksum: string }

/** Throws an Error unless this version has all of these migrations, as they were when they were applied. */
export function assertMigrationsKnown(migrations: readonly Migration[]): void {
  for (const { name, checksum } of migrations) {
    const file = path.join(FOLDER, name, 'migration.sql')
    if (!existsSync(file))
      throw new Error(
        `The backup has the migration ${name}, which this version doesn't know. Restore it with the version that made it, or a later one.`,
      )
    if (createHash('sha256').update(readFileSync(file)).digest('hex') !== checksum)
      throw new Error(`The migration ${name} of the backup is not the one of this version.`)
  }
}

/** Applies these migrations and no others. */
export async function migrateTo(databaseUrl: string, migrations: readonly Migration[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-migrations-'))
  try {
    for (const { name } of migrations) cpSync(path.join(FOLDER, name), path.join(folder, name), { recursive: true })
    await migrate(databaseUrl, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
