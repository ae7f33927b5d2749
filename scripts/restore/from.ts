import { readFileSync } from 'node:fs'
import { env } from '../../lib/core/env.ts'
import { openingKey, privateKeyOf } from '../../lib/data/backup/keys.ts'
import { findMissingFiles, restoreBackup } from '../../lib/data/backup/restore-backup.ts'
import { assertSameDatabase, installLogins } from '../../lib/db/install-logins.ts'
import { credentialsOf } from '../../lib/db/logins.ts'
import { measureClock } from '../../lib/db/measure-clock.ts'
import type { SystemContext } from '../../lib/platform/auth/context.ts'
import { compareAccounts, compareChains, namePerks } from './compare.ts'
import { printVerification } from './verification.ts'

type Options = { keyFile: string | undefined; withoutServerKey: boolean }

/**
 * Restores a backup into the empty database of the settings, compares it with chains and card accounts, and verifies
 * it. Tells whether all agree.
 */
export async function restoreFrom(worker: SystemContext, file: string, options: Options): Promise<boolean> {
  const { MIGRATE_DATABASE_URL, DATABASE_URL } = env
  if (!MIGRATE_DATABASE_URL)
    throw new Error('Set MIGRATE_DATABASE_URL to the empty database, as the login that is to own its tables.')
  credentialsOf(DATABASE_URL) // before anything is changed
  const restored = await restoreBackup(worker, {
    databaseUrl: MIGRATE_DATABASE_URL,
    file,
    privateKey: options.keyFile ? privateKeyOf(readFileSync(options.keyFile, 'utf8').trim()) : openingKey(env),
    withoutServerKey: options.withoutServerKey,
  })
  const { head, rows, migrated, files } = restored
  await installLogins(MIGRATE_DATABASE_URL, DATABASE_URL)
  await assertSameDatabase(MIGRATE_DATABASE_URL, DATABASE_URL)
  await measureClock()
  console.log(`Restored ${rows} rows as of ${head.takenAt} from version ${head.version}; all as they were backed up.`)
  if (migrated.length > 0) console.log(`Migrated to this version: ${migrated.join(', ')}.`)
  if (files > 0) console.log(`Stored ${files} image files.`)
  for (const operator of restored.missingOperators)
    console.log(`MISSING    the key of operator ${operator} in OPERATOR_KEYS`)
  if (restored.lacksVoucherKeys)
    console.log('DIFFERS    VOUCHER_KEY: signers that contracts know can’t sign (docs/keys.md).')
  const missingFiles = await findMissingFiles(worker, restored.stored)
  for (const name of missingFiles) console.log(`MISSING    image file ${name}`)
  await compareChains(worker)
  await compareAccounts(worker)
  await namePerks(worker)
  const agrees = await printVerification(worker)
  return agrees && missingFiles.length + restored.missingOperators.length === 0 && !restored.lacksVoucherKeys
}
