// npm run backup: copies the database into one sealed file (docs/backup.md).
//   -- --to <file or folder>   writes a backup; --with-media packs the stored images too, --keep <n> deletes older ones
//                              in the folder
//   -- --verify <file>         reads a backup through with its key and checks all of it
//   -- --make-key <file>       makes a key pair: the private key goes into the file
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { env } from '../lib/core/env.ts'
import { backupFileOf, deleteOlderBackups } from '../lib/data/backup/backup-files.ts'
import { makePrivateKey, openingKey, privateKeyOf, publicBytesOf, sealingKey } from '../lib/data/backup/keys.ts'
import { nameOf, readBackup } from '../lib/data/backup/read-backup.ts'
import { writeBackup } from '../lib/data/backup/write-backup.ts'
import { disconnect } from '../lib/db/client.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { systemContext } from '../lib/platform/auth/authenticate.ts'
import { writeNewFile } from './write-new-file.ts'

const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    keep: { type: 'string' },
    'with-media': { type: 'boolean', default: false },
    verify: { type: 'string' },
    key: { type: 'string' },
    'make-key': { type: 'string' },
  },
})
try {
  if (values['make-key']) makeKey(values['make-key'])
  else if (values.verify) await verify(values.verify)
  else if (values.to) await backup(values.to)
  else throw new Error('Say what to do: --to <file or folder>, --verify <file> or --make-key <file>.')
} catch (error) {
  console.error(commandFailure(error))
  process.exitCode = 1
}
await disconnect()

async function backup(to: string): Promise<void> {
  const databaseUrl = env.MIGRATE_DATABASE_URL
  if (!databaseUrl) throw new Error('Set MIGRATE_DATABASE_URL to the database of the installation, as its owner.')
  const keep = values.keep === undefined ? null : Number(values.keep)
  if (keep !== null && !(Number.isInteger(keep) && keep > 0)) throw new Error('--keep takes a number from 1 on.')
  const worker = systemContext('backup')
  const file = backupFileOf(to, worker.now())
  if (keep !== null && file === to) throw new Error('--keep needs a folder: --to <folder>/')
  const withMedia = values['with-media']
  const { head, tables, rows, mediaFiles, missing } = await writeBackup(worker, {
    databaseUrl,
    file,
    recipient: sealingKey(env),
    withMedia,
  })
  console.log(`${file}: ${rows} rows of ${tables} tables as of ${head.takenAt}, ${statSync(file).size} bytes.`)
  if (mediaFiles > 0 && !withMedia)
    console.log(`It names ${mediaFiles} stored images and does not hold them: copy them too, or add --with-media.`)
  for (const name of missing) console.log(`Not packed, since it is not in storage: ${name}`)
  if (keep !== null)
    for (const name of await deleteOlderBackups(path.dirname(file), keep)) console.log(`Deleted: ${name}`)
}

async function verify(file: string): Promise<void> {
  const { head, parts } = await readBackup(file, values.key ? privateKeyOf(readKey(values.key)) : openingKey(env))
  for (const part of parts) if (part.type !== 'file') console.log(`${String(part.rows).padStart(10)}  ${nameOf(part)}`)
  const files = parts.filter(({ type }) => type === 'file').length
  console.log(
    `Version ${head.version}, taken at ${head.takenAt}; ${files} image files. All of it is as it was written.`,
  )
}

function readKey(file: string): string {
  return readFileSync(file, 'utf8').trim()
}

function makeKey(file: string): void {
  const key = makePrivateKey()
  writeNewFile(file, `${key}\n`)
  console.log(
    `${file} holds the private key. Without it no backup can be read: keep copies of it, and none on the server.`,
  )
  console.log(`BACKUP_PUBLIC_KEY=${publicBytesOf(privateKeyOf(key)).toString('hex')}`)
}
