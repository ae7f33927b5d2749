/** The user and password of DATABASE_URL in tests. Its logins exist once on the test run's server. */
export const STEM = 'test'

/** The runtime URL of the database that an owner's URL names. */
export const runtimeUrl = (ownerUrl: string): string =>
  Object.assign(new URL(ownerUrl), { username: STEM, password: 'test-logins' }).toString()

/**
 * Migrates a database as `npm run migrate` does, and sets the settings that name it. Call it before any file of lib/ is
 * loaded.
 */
export async function prepareDatabase(ownerUrl: string): Promise<void> {
  process.env.MIGRATE_DATABASE_URL = ownerUrl
  process.env.DATABASE_URL = runtimeUrl(ownerUrl)
  const { migrate } = await import('../../lib/db/migrate.ts')
  const { installLogins } = await import('../../lib/db/install-logins.ts')
  await migrate(ownerUrl)
  await installLogins(ownerUrl, process.env.DATABASE_URL)
}
