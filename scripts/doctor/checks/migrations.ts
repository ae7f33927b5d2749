import { loginUrl } from '../../../lib/db/logins.ts'
import { readMigrationState } from '../../../lib/db/missing-migrations.ts'
import { type Check, type Finding, ok, warning, wrong } from '../check.ts'

/** Whether the tables are those of this version, and whether MIGRATE_DATABASE_URL, where it is set, owns them. */
export const migrations: Check = {
  name: 'migrations',
  run: async ({ settings, quote }) => {
    const { MIGRATE_DATABASE_URL, DATABASE_URL } = settings
    if (!MIGRATE_DATABASE_URL && !DATABASE_URL) return []
    const name = MIGRATE_DATABASE_URL ? 'MIGRATE_DATABASE_URL' : 'DATABASE_URL'
    try {
      // Web and worker run without the owner's login; theirs may read the list too.
      const url = MIGRATE_DATABASE_URL || loginUrl(DATABASE_URL, 'vitrine_system')
      const { missing, changed, unknown, canMigrate, canRead } = await readMigrationState(url)
      if (MIGRATE_DATABASE_URL ? !canMigrate : !canRead)
        return [
          warning(
            name,
            'This login does not own the tables, so it can neither migrate nor see which migrations were applied.',
            'Set MIGRATE_DATABASE_URL to the login that owns them where doctor and migrate run.',
          ),
        ]
      const findings: Finding[] = []
      if (missing.length > 0)
        findings.push(
          wrong('migrations', `${missing.length} are missing, the first is ${missing[0]}.`, 'Run npm run migrate.'),
        )
      if (changed.length > 0)
        findings.push(
          wrong(
            'migrations',
            `${changed[0]} was changed after it had been applied.`,
            'Put back the file of the release, and write a new migration.',
          ),
        )
      if (unknown.length > 0)
        findings.push(
          wrong(
            'migrations',
            `The database has ${unknown.at(-1)}, which this version doesn’t know.`,
            'A newer version has migrated it: run that version.',
          ),
        )
      return findings.length > 0 ? findings : [ok('migrations', 'All are applied.')]
    } catch (error) {
      return [wrong(name, `The list of migrations can’t be read: ${quote(error)}`, `Correct ${name}.`)]
    }
  },
}
