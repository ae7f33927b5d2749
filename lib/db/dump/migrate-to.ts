import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '../migrate.ts'
import { MIGRATIONS, readMigrations } from '../migrations.ts'

type Migration = { name: string; checksum: string }

/** Throws an Error unless this version has all of these migrations, as they were when they were applied. */
export function assertMigrationsKnown(migrations: readonly Migration[]): void {
  const known = new Map(readMigrations().map((each) => [each.name, each.checksum]))
  for (const { name, checksum } of migrations) {
    if (!known.has(name))
      throw new Error(
        `The backup has the migration ${name}, which this version doesn't know. ` +
          'Restore it with the version that made it, or a later one.',
      )
    if (known.get(name) !== checksum)
      throw new Error(`The migration ${name} of the backup is not the one of this version.`)
  }
}

/** Applies these migrations and no others. */
export async function migrateTo(databaseUrl: string, migrations: readonly Migration[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-migrations-'))
  try {
    for (const { name } of migrations) cpSync(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true })
    await migrate(databaseUrl, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
