import { readServerFacts } from '../../../lib/db/server-facts.ts'
import { type Check, ok, wrong } from '../check.ts'

const OLDEST_VERSION = 16

/** Whether web and worker reach their database, and its version. */
export const database: Check = {
  name: 'database',
  run: async ({ settings, quote }) => {
    if (!settings.DATABASE_URL) return [] // the settings say so
    try {
      const { version } = await readServerFacts()
      return version < OLDEST_VERSION
        ? [wrong('DATABASE_URL', `PostgreSQL ${version} is too old.`, `Use PostgreSQL ${OLDEST_VERSION} or newer.`)]
        : [ok('DATABASE_URL', `PostgreSQL ${version} answers.`)]
    } catch (error) {
      return [
        wrong(
          'DATABASE_URL',
          `The database does not answer as web and worker would ask it: ${quote(error)}`,
          'See that it runs, that DATABASE_URL is right, and that npm run migrate was run.',
        ),
      ]
    }
  },
}
