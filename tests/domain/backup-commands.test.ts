import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { backupFileOf, deleteOlderBackups } from '../../lib/data/backup/backup-files.ts'
import { makePrivateKey, openingKey, privateKeyOf, publicBytesOf, sealingKey } from '../../lib/data/backup/keys.ts'
import { writeBackup } from '../../lib/data/backup/write-backup.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { backupFolder, backupKey, databaseUrlOf, inDatabase, makeTarget } from '../support/backup.ts'
import { makeItem } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'

const root = path.resolve(import.meta.dirname, '../..')
const fileIn = (name: string) => path.join(backupFolder(), name)

/** Runs one of the commands as a person does, and gives its exit status and all that it printed. */
function run(script: 'backup' | 'restore', args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => void (printed += text.toString()))
  return new Promise<{ status: number | null; printed: string }>((resolve) =>
    child.on('close', (status) => resolve({ status, printed })),
  )
}

test('the commands make a key, back up, verify and restore, and say by their status whether it worked', async () => {
  const organization = await makeOrganization()
  await makeItem(organization)
  const key = fileIn('backup.key')
  const made = await run('backup', ['--make-key', key])
  expect(made.status).toBe(0)
  expect(fs.statSync(key).mode & 0o777).toBe(0o600)
  const [, publicKey] = /^BACKUP_PUBLIC_KEY=([0-9a-f]{64})$/m.exec(made.printed)!
  const folder = fileIn('backups')
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'vitrine-2020-01-01T00-00-00Z.backup'), '')

  const written = await run('backup', ['--to', folder, '--keep', '1'], { BACKUP_PUBLIC_KEY: publicKey! })
  expect(written.status, written.printed).toBe(0)
  const [name, ...others] = fs.readdirSync(folder)
  expect(others).toEqual([])
  const file = path.join(folder, name!)
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)

  const cut = fileIn('cut.backup')
  fs.writeFileSync(cut, fs.readFileSync(file).subarray(0, -1))
  const owner = await makeTarget()
  const { pathname } = new URL(owner)
  const runtime = Object.assign(new URL(process.env.DATABASE_URL!), { pathname }).toString()
  const target = { DATABASE_URL: runtime, MIGRATE_DATABASE_URL: owner }
  const withKey = { BACKUP_KEY: fs.readFileSync(key, 'utf8').trim() }
  const [verified, damaged, restored] = await Promise.all([
    run('backup', ['--verify', file, '--key', key]),
    run('restore', ['--from', cut, '--key', key], target),
    run('restore', ['--from', file], { ...target, ...withKey }),
  ])
  expect([verified.status, damaged.status], verified.printed).toEqual([0, 1])
  expect(verified.printed).toContain('1  table items')
  expect(damaged.printed).toContain('This backup is damaged')
  expect(restored.printed).toMatch(/^Restored \d+ rows/)
  // The item's network has no node here, which the report says.
  expect(restored.printed).toContain('NOT READ   network 31337')
  expect(restored.status).toBe(1)
  expect(await inDatabase(owner, 'SELECT name FROM organizations')).toEqual([{ name: 'Test gallery' }])

  // What comes after the rows are there works as the logins: not in the database that DATABASE_URL still names.
  const another = { ...withKey, MIGRATE_DATABASE_URL: await makeTarget() }
  const [elsewhere, ownerless, unowned] = await Promise.all([
    run('restore', ['--from', file], another),
    run('restore', ['--from', file], { ...withKey, MIGRATE_DATABASE_URL: '' }),
    run('backup', ['--to', folder], { BACKUP_PUBLIC_KEY: publicKey!, MIGRATE_DATABASE_URL: '' }),
  ])
  expect([elsewhere.status, elsewhere.printed]).toEqual([1, expect.stringContaining('DATABASE_URL doesn’t lead to')])
  for (const { status, printed } of [ownerless, unowned])
    expect([status, printed]).toEqual([1, expect.stringContaining('Set MIGRATE_DATABASE_URL')])
}, 120_000)

test('backups are sealed with a key of their own, by whoever has its public half', () => {
  const key = makePrivateKey()
  const settings = {
    BACKUP_KEY: '',
    BACKUP_PUBLIC_KEY: '',
    SERVER_KEY: `${'a1'.repeat(32)},${'b2'.repeat(32)}`,
    VOUCHER_KEY: '',
  }
  const publicKey = publicBytesOf(privateKeyOf(key)).toString('hex')
  expect(() => sealingKey(settings)).toThrow('Set BACKUP_PUBLIC_KEY')
  expect(() => openingKey(settings)).toThrow('Set BACKUP_KEY')
  const vouchers = { VOUCHER_KEY: `${'c3'.repeat(32)},derived:${'d4'.repeat(32)}` }
  for (const same of ['a1', 'B2', 'C3', 'd4'].map((digits) => digits.repeat(32)))
    expect(() => sealingKey({ ...settings, ...vouchers, BACKUP_KEY: same })).toThrow('the same as a key of the server')
  const ofServer = publicBytesOf(privateKeyOf('b2'.repeat(32))).toString('hex')
  expect(() => sealingKey({ ...settings, BACKUP_PUBLIC_KEY: ofServer })).toThrow('belongs to a key of the server')
  expect(() => sealingKey({ ...settings, BACKUP_PUBLIC_KEY: 'short' })).toThrow('64 hex digits')
  expect(() => sealingKey({ ...settings, BACKUP_KEY: makePrivateKey(), BACKUP_PUBLIC_KEY: publicKey })).toThrow(
    'not of one pair',
  )
  for (const set of [
    { BACKUP_KEY: key },
    { BACKUP_PUBLIC_KEY: publicKey },
    { BACKUP_KEY: key, BACKUP_PUBLIC_KEY: publicKey },
  ])
    expect(publicBytesOf(sealingKey({ ...settings, ...set })).toString('hex')).toBe(publicKey)
})

test('of a folder’s backups the newest are kept, and no other file is touched', async () => {
  const folder = fileIn('kept')
  fs.mkdirSync(folder)
  const made = [1, 3, 2].map((day) => path.basename(backupFileOf(folder, new Date(Date.UTC(2030, 0, day, 4, 5, 6)))))
  expect(made[0]).toBe('vitrine-2030-01-01T04-05-06Z.backup')
  for (const name of [...made, 'mine.backup', 'vitrine-2029.backup']) fs.writeFileSync(path.join(folder, name), '')
  expect(await deleteOlderBackups(folder, 2)).toEqual([made[0]])
  expect(fs.readdirSync(folder).sort()).toEqual(['mine.backup', 'vitrine-2029.backup', made[1], made[2]].sort())
  const file = fileIn('gone.backup')
  await expect(
    writeBackup(systemContext('test'), { databaseUrl: databaseUrlOf('none'), file, recipient: backupKey }),
  ).rejects.toThrow()
  expect(fs.readdirSync(backupFolder()).filter((name) => name.includes('gone'))).toEqual([])
})
