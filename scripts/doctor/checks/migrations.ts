import { readMigrationState } from '../../../lib/db/missing-migrations.ts'
import { type Check, type Finding, ok, warning, wrong } from '../check.ts'

/** Whether the tables are those of this version, as the login that owns them sees it. */
export const migrations: Check = {
  name: 'migrations',
  run: async ({ settings, quote }) => {
    const url = settings.MIGRATE_DATABASE_URL || settings.DATABASE_URL
    if (!url) return []
    const name = settings.MIGRATE_DATABASE_URL ? 'MIGRATE_DATABASE_URL' : 'DATABASE_URL'
    try {
      const { missing, changed, unknown, canMigrate } = await readMigrationState(url)
      if (!canMigrate)
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
      return [wrong(name, `The login for migrations can’t be used: ${quote(error)}`, `Correct ${name}.`)]
    }
  },
}
