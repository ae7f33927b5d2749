import type { KeyObject } from 'node:crypto'
import { env } from '../../core/env.ts'
import { readBounded } from '../../core/read-bounded.ts'
import { assertEmptyDatabase, loadDatabase } from '../../db/dump/load.ts'
import { assertMigrationsKnown, migrateTo } from '../../db/dump/migrate-to.ts'
import { migrate } from '../../db/migrate.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { JUMP_REQUEST_NUMBERS } from '../../orders/jump-request-numbers.ts'
import { fileNameOf, SIZES } from '../../records/media/media-urls.ts'
import { type Counted, makeCounter } from './count-rows.ts'
import { fingerprintOf, voucherPrints } from './keys.ts'
import type { Head } from './manifest.ts'
import { readBackup } from './read-backup.ts'
import { stemsIn } from './write-backup.ts'

/** Larger than any image that is stored. */
const MAX_FILE_BYTES = 256 << 20

type Request = {
  databaseUrl: string
  file: string
  privateKey: KeyObject
  /** Restores also where SERVER_KEY is another one than the backup's. */
  withoutServerKey?: boolean
}
type Restored = {
  head: Head
  rows: number
  /** The migrations of this version that the backup did not have. */
  migrated: string[]
  files: number
  /** The CIDs of the stored files that the database names. */
  stored: string[]
  /** Operators of the backup whose key isn't set here. */
  missingOperators: string[]
  /** Whether the backup's installation had voucher keys that aren't set here. */
  lacksVoucherKeys: boolean
}

/**
 * Fills an empty database from a backup and brings it to this version. The backup is read through before anything is
 * written, and all rows become visible at once: what ends in between can be done again. Request numbers have jumped,
 * since newer ones may have been given. Throws BackupUnreadable, or an Error that says what to change.
 */
export async function restoreBackup(worker: SystemContext, request: Request): Promise<Restored> {
  const { databaseUrl, file, privateKey } = request
  const { head, end } = await readBackup(file, privateKey)
  assertMigrationsKnown(head.migrations)
  if (!request.withoutServerKey) assertServerKeys(head)
  const voucherKeys = new Set(voucherPrints(env))
  await assertEmptyDatabase(databaseUrl, head.migrations)

  await migrateTo(databaseUrl, head.migrations)
  const stored: string[] = []
  let [rows, files] = [0, 0]
  await loadDatabase(databaseUrl, async (load) => {
    const contents = await readBackup(file, privateKey, async (part, data) => {
      if (part.type === 'table') rows += await load.table(part, data)
      else if (part.type === 'jobs') await load.oldJobs(data)
      else if (part.type === 'media') for await (const lines of data) stored.push(...stemsIn(lines))
      else {
        const bytes = await readBounded(data, MAX_FILE_BYTES, () => new Error(`${part.name} is too large.`))
        await worker.ports.storage.put(part.name, bytes, part.contentType)
        files++
      }
    })
    for (const part of contents.parts)
      if (part.type === 'table') assertLoaded(part.name, part, await countAll(load.rowsOf(part)))
    await load.sequences(end.sequences)
    await load.change(JUMP_REQUEST_NUMBERS, null)
  })
  return {
    head,
    rows,
    migrated: await migrate(databaseUrl),
    files,
    stored,
    missingOperators: head.operators.filter((each) => !worker.ports.keys.operators.some((own) => own === each)),
    lacksVoucherKeys: head.voucherKeys.some((each) => !voucherKeys.has(each)),
  }
}

/** Throws an Error unless SERVER_KEY has the keys of the backed-up installation: sealed values open with no others. */
function assertServerKeys({ serverKeys }: Head): void {
  const set = new Set(env.SERVER_KEY.split(',').map((key) => fingerprintOf(key.trim())))
  if (serverKeys.some((each) => !set.has(each)))
    throw new Error(
      'SERVER_KEY is not the one of the backed-up installation: its open claims, secrets and API keys would be lost. ' +
        'Set that one, or restore without it: --without-server-key.',
    )
}

async function countAll(pieces: AsyncGenerator<Buffer>): Promise<Counted> {
  const counter = makeCounter()
  for await (const piece of pieces) counter.add(piece)
  return counter.counted()
}

function assertLoaded(table: string, wanted: Counted, found: Counted): void {
  if (wanted.rows !== found.rows || wanted.checksum !== found.checksum)
    throw new Error(`${table} has ${found.rows} rows in the database that are not the ${wanted.rows} of the backup.`)
}

/** The stored files that the database names and storage doesn't have. */
export async function findMissingFiles({ ports }: SystemContext, stems: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const name of stems.flatMap((stem) => SIZES.map((size) => fileNameOf(stem, size))))
    if ((await ports.storage.get(name)) === null) missing.push(name)
  return missing
}
