import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import sharp from 'sharp'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { readServerKeys, voucherKeyFrom } from '../../lib/core/server-keys.ts'
import { makePrivateKey, privateKeyOf } from '../../lib/data/backup/keys.ts'
import { readBackup } from '../../lib/data/backup/read-backup.ts'
import { findMissingFiles, restoreBackup } from '../../lib/data/backup/restore-backup.ts'
import { writeBackup } from '../../lib/data/backup/write-backup.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { LEFT_OUT } from '../../lib/db/dump/tables.ts'
import { migrateTo } from '../../lib/db/dump/migrate-to.ts'
import { pinMedia } from '../../lib/platform/jobs/jobs.ts'
import { enqueue } from '../../lib/platform/jobs/queue.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { diskStorage } from '../../lib/ports/storage/disk.ts'
import {
  backupFolder,
  backupKey,
  databaseUrlOf,
  inDatabase,
  makeTarget,
  putBackupBack,
  takeBackup,
} from '../support/backup.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { callerOf } from '../support/call.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { OLD_JOBS } from '../support/release-fixtures.ts'
import { buy, connectCards, makeListing } from '../support/selling.ts'
import { until } from '../support/until.ts'

let organization: TestOrganization
const worker = () => systemContext('test')
const fileIn = (name: string) => path.join(backupFolder(), name)
const ownUrl = () => databaseUrlOf(new URL(process.env.DATABASE_URL!).pathname.slice(1))
const restore = (databaseUrl: string, file: string, more: object = {}) =>
  restoreBackup(worker(), { databaseUrl, file, privateKey: backupKey, ...more })
const parts = async (file: string) =>
  (await readBackup(file, backupKey)).parts.map(({ type, rows, checksum, ...part }) => ({
    name: 'name' in part ? part.name : type,
    rows,
    checksum,
  }))

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
  const { itemId } = await makeItem(organization)
  const claim = { email: 'claim@example.com', item_id: itemId }
  expect((await callerOf(organization.key).post('/v1/email-claims', claim)).status).toBe(201)
  // What COPY has to escape.
  await organization.ctx.db.organization.updateMany({
    where: { id: organization.id },
    data: { name: 'A tab\t, a line\n\\.\n\\N and “quotes”' },
  })
  const listing = await makeListing(organization, { item: { tokenType: 'ERC1155', maxSupply: 9n }, quantity_listed: 5 })
  expect((await buy(listing.id)).status).toBe(201)
  await takeBackup()
})

const RULES = `
  SELECT 'trigger ' || tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text AS rule FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE conrelid <> 0 AND connamespace = 'public'::regnamespace
  UNION ALL SELECT 'security ' || oid::regclass || ' ' || relrowsecurity || ' ' || relforcerowsecurity FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
  ORDER BY 1`

test('a backup that was restored gives the same rows, jobs, sequences and rules as before', async () => {
  const [before, again] = [fileIn('before.backup'), fileIn('again.backup')]
  await enqueue(organization.ctx, pinMedia, { organization_id: organization.id, media_id: organization.id })
  const { rows, tables } = await takeBackup(before)
  const target = await makeTarget()
  const restored = await restore(target, before)
  expect(restored).toMatchObject({ rows, migrated: [] })
  await writeBackup(worker(), { databaseUrl: target, file: again, recipient: backupKey })
  // Request numbers jump past those that may have been given since the backup; all else is as it was.
  const exceptNumbers = async (file: string) => (await parts(file)).filter(({ name }) => name !== 'collections')
  expect(await exceptNumbers(again)).toEqual(await exceptNumbers(before))
  const collections = (numbers: string) =>
    `SELECT to_jsonb(c) || jsonb_build_object('next_request_id', ${numbers}) AS row FROM collections c ORDER BY id`
  expect(await inDatabase(target, collections('next_request_id'))).toEqual(
    await inDatabase(ownUrl(), collections('next_request_id + 4294967296')),
  )
  const filled = (await parts(before)).filter((part) => part.rows > 0).map(({ name }) => name)
  expect(filled).toEqual(expect.arrayContaining(['email_claims', 'holds', 'items', 'jobs', 'listings', 'payments']))
  const [ours, theirs] = [await inDatabase(ownUrl(), RULES), await inDatabase(target, RULES)]
  expect(theirs).toEqual(ours)
  // Every table is in it, except those that are left out on purpose.
  const all = await inDatabase(ownUrl(), `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'`)
  expect(tables).toBe(all[0]!.count - LEFT_OUT.length)
  const counts = `SELECT (SELECT last_value FROM voucher_facts_id_seq) AS facts`
  expect(await inDatabase(target, counts)).toEqual(await inDatabase(ownUrl(), counts))
})

test('a restored event isn’t new to listeners once the new server has made as many transactions as the old one', async () => {
  const positionsIn = (url: string) =>
    inDatabase(
      url,
      `SELECT id::text, position::text FROM events WHERE organization_id = '${organization.id}' ORDER BY id`,
    )
  const events = await positionsIn(ownUrl())
  expect(events.length).toBeGreaterThan(1)
  const [{ id, position }, ...others] = events as [{ id: string; position: string }]
  const moveTo = (to: string) => inDatabase(ownUrl(), `UPDATE events SET position = ${to} WHERE id = '${id}'`)
  await moveTo('900000000000000000')
  const [file, target] = [fileIn('positions.backup'), await makeTarget()]
  await takeBackup(file).finally(() => moveTo(position))
  await restore(target, file)
  expect(await positionsIn(target)).toEqual([{ id, position: null }, ...others])
})

test('an owner without superuser’s rights backs up and restores, and a backup of release 0.1.0 is migrated', async () => {
  const migrations = await inDatabase(
    ownUrl(),
    `SELECT migration_name AS name, checksum FROM _prisma_migrations ORDER BY 1`,
  )
  const earlier = migrations.filter(({ name }) => name <= '20261120100081_kept_tokens') as {
    name: string
    checksum: string
  }[]
  const role = `owner_${randomBytes(6).toString('hex')}`
  const server = databaseUrlOf('postgres')
  const urlOf = (name: string) =>
    Object.assign(new URL(databaseUrlOf(name)), { username: role, password: 'test' }).toString()
  const [old, target] = [urlOf(`${role}_old`), urlOf(`${role}_new`)]
  await inDatabase(
    server,
    `CREATE ROLE ${role} LOGIN PASSWORD 'test' NOSUPERUSER NOBYPASSRLS CREATEROLE`,
    `GRANT vitrine_app, vitrine_system, vitrine_public TO ${role} WITH ADMIN OPTION`,
    `CREATE DATABASE ${role}_old OWNER ${role}`,
    `CREATE DATABASE ${role}_new OWNER ${role}`,
  )
  onTestFinished(async () => {
    await inDatabase(
      server,
      `DROP DATABASE ${role}_old WITH (FORCE)`,
      `DROP DATABASE ${role}_new WITH (FORCE)`,
      `DROP ROLE ${role}`,
    )
  })
  await migrateTo(old, earlier)
  await inDatabase(
    old,
    'SET ROLE vitrine_system',
    `INSERT INTO organizations (id, name, updated_at) VALUES (gen_random_uuid(), 'Old gallery', now())`,
  )
  const jobs = 'SELECT singleton_key AS key, state::text FROM pgboss.job ORDER BY 1'
  await inDatabase(
    old,
    OLD_JOBS,
    `SELECT pgboss.create_queue('send-mail', '{"policy": "short"}')`,
    `INSERT INTO pgboss.job (name, data, singleton_key, state)
     VALUES ('send-mail', '{}', 'done', 'completed'), ('send-mail', '{}', 'runs', 'active'), ('send-mail', '{}', 'waits', 'created')`,
  )
  const file = fileIn('earlier.backup')
  expect(await writeBackup(worker(), { databaseUrl: old, file, recipient: backupKey })).toMatchObject({ rows: 1 })
  const { migrated, rows } = await restore(target, file)
  expect([rows, migrated]).toEqual([1, migrations.slice(earlier.length).map(({ name }) => name)])
  const seen = 'SELECT name, (SELECT count(*)::int FROM recoveries) AS later FROM organizations'
  expect(await inDatabase(target, 'SET ROLE vitrine_system', jobs)).toEqual([
    { key: 'runs', state: 'retry' },
    { key: 'waits', state: 'created' },
  ])
  const isForced = `SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'organizations'::regclass`
  expect(await inDatabase(target, isForced)).toEqual([{ forced: true }])
  expect(await inDatabase(target, 'SET ROLE vitrine_system', seen)).toEqual([{ name: 'Old gallery', later: 0 }])
})

test('a database that holds anything is refused, and what it holds is named', async () => {
  const file = fileIn('test.backup')
  await expect(restore(ownUrl(), file)).rejects.toThrow(/not empty: it holds .*(api_keys|alarms|audit_entries)/)
  const target = await makeTarget()
  // A process that was not stopped would see the rows before they are compared with the chain.
  const running = new pg.Client({ connectionString: target, application_name: 'vitrine_system' })
  await running.connect()
  await expect(restore(target, file)).rejects.toThrow('Processes are connected to the database: vitrine_system.')
  await running.end()
  await inDatabase(target, 'CREATE SCHEMA theirs', 'CREATE TABLE theirs.things (id int)')
  await expect(restore(target, file)).rejects.toThrow('The database is not empty: it holds theirs.things.')
  await inDatabase(target, 'DROP SCHEMA theirs CASCADE', `INSERT INTO workers VALUES (gen_random_uuid(), now(), now())`)
  await expect(restore(target, file)).rejects.toThrow('The database is not empty: it holds workers.')
  await inDatabase(
    target,
    'DELETE FROM workers',
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', 'x', '9_later', now())`,
  )
  await expect(restore(target, file)).rejects.toThrow('migrated further than the backup (9_later)')
})

test('a wrong key, and a file that was cut, mixed or changed anywhere, are refused before anything is written', async () => {
  const file = fileIn('test.backup')
  const sealed = fs.readFileSync(file)
  const other = fileIn('other.backup')
  await takeBackup(other)
  const head = 'vitrine-backup/1\n'.length + 40
  const chunk = 65_536 + 16
  expect(sealed.length).toBeGreaterThan(head + 20)
  const foreign = fs.readFileSync(other)
  const flipped = (at: number) => {
    const copy = Buffer.from(sealed)
    copy[at]! ^= 1
    return copy
  }
  const changed: Record<string, [Buffer, RegExp]> = {
    'no backup': [Buffer.from('SELECT 1;'), /not a backup/],
    'a bit of the head': [flipped(30), /damaged/],
    'a bit of the rows': [flipped(head + 100), /damaged: chunk 0/],
    'the last bit': [flipped(sealed.length - 1), /damaged/],
    'a shorter end': [sealed.subarray(0, -1), /damaged/],
    'more after the end': [Buffer.concat([sealed, Buffer.from('x')]), /damaged/],
    'the head alone': [sealed.subarray(0, head), /damaged/],
    'rows of another backup': [Buffer.concat([sealed.subarray(0, head), foreign.subarray(head)]), /damaged/],
  }
  // Of several chunks: random bytes don't get smaller.
  const large = fileIn('large.backup')
  const client = await organization.ctx.db.organization.updateMany({
    where: { id: organization.id },
    data: { name: randomBytes(150_000).toString('hex') },
  })
  expect(client.count).toBe(1)
  await takeBackup(large)
  const chunks = fs.readFileSync(large)
  expect(chunks.length).toBeGreaterThan(head + 2 * chunk)
  const [first, second] = [chunks.subarray(head, head + chunk), chunks.subarray(head + chunk, head + 2 * chunk)]
  changed['a whole chunk less'] = [chunks.subarray(0, head + 2 * chunk), /incomplete: its end is missing/]
  changed['chunks in another order'] = [
    Buffer.concat([chunks.subarray(0, head), second, first, chunks.subarray(head + 2 * chunk)]),
    /damaged: chunk 0/,
  ]
  const target = databaseUrlOf('does_not_exist')
  for (const [what, [bytes, message]] of Object.entries(changed)) {
    const copy = fileIn('changed.backup')
    fs.writeFileSync(copy, bytes)
    await expect(restore(target, copy), what).rejects.toThrow(message)
  }
  const privateKey = privateKeyOf(makePrivateKey())
  await expect(restore(target, file, { privateKey })).rejects.toThrow('This backup is sealed for another key')
  // The whole file can be read, and only then is the database asked for.
  await expect(restore(target, file)).rejects.toThrow('does_not_exist')
})

test('a restore that ends in the middle leaves no row, and can be done again', async () => {
  const file = fileIn('media.backup')
  const storage = diskStorage(fileIn('media'))
  const before = systemContext('test').ports
  replacePorts({ storage })
  onTestFinished(() => replacePorts({ storage: before.storage }))
  const picture = await sharp({ create: { width: 3, height: 2, channels: 3, background: '#7a3fd1' } })
    .png()
    .toBuffer()
  const uploaded = await callerOf(organization.key).post('/v1/media', {
    file: { name: 'a.png', base64: picture.toString('base64') },
  })
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201)
  const request = { databaseUrl: ownUrl(), file, recipient: backupKey, withMedia: true }
  expect(await writeBackup(worker(), request)).toMatchObject({ mediaFiles: 1, missing: [] })
  const target = await makeTarget()
  // The rows are loaded when the first image is stored: then the server drops the connection, as it does when the
  // process is killed.
  const name = new URL(target).pathname.slice(1)
  const put = async () =>
    void (await inDatabase(
      databaseUrlOf('postgres'),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'vitrine-restore'`,
    ))
  replacePorts({ storage: { ...storage, put } })
  await expect(restore(target, file)).rejects.toThrow()
  expect(await inDatabase(target, 'SELECT 1 FROM organizations')).toEqual([])
  expect(await inDatabase(target, RULES)).toEqual(await inDatabase(ownUrl(), RULES))
  const elsewhere = diskStorage(fileIn('media-restored'))
  replacePorts({ storage: elsewhere })
  expect(await restore(target, file)).toMatchObject({ files: 4 })
  for (const stored of fs.readdirSync(fileIn('media')))
    expect((await elsewhere.get(stored))!.bytes).toEqual((await storage.get(stored))!.bytes)
  // Without the images in the backup, those that storage lacks are named.
  await takeBackup(file)
  fs.rmSync(path.join(fileIn('media-restored'), fs.readdirSync(fileIn('media')).sort()[0]!))
  const { stored } = await restore(await makeTarget(), file)
  expect(await findMissingFiles(worker(), stored)).toEqual([fs.readdirSync(fileIn('media')).sort()[0]])
})

test('the keys of the installation are compared before anything is written, and can be left out on purpose', async () => {
  const file = fileIn('test.backup')
  const { SERVER_KEY, VOUCHER_KEY } = env
  onTestFinished(() => void Object.assign(env, { SERVER_KEY, VOUCHER_KEY }))
  env.SERVER_KEY = 'b2'.repeat(32)
  const target = await makeTarget()
  await expect(restore(target, file)).rejects.toThrow('SERVER_KEY is not the one of the backed-up installation')
  // A key that was added since doesn't matter, as long as the earlier one is still listed.
  env.SERVER_KEY = `${'b2'.repeat(32)},${SERVER_KEY}`
  await expect(restore(target, file)).rejects.toThrow('VOUCHER_KEY is empty')
  // As npm run rotate-key writes it.
  env.VOUCHER_KEY = `derived:${voucherKeyFrom(readServerKeys(SERVER_KEY)[0]!).toString('hex')}`
  expect(await restore(target, file)).toMatchObject({ lacksVoucherKeys: false, missingOperators: [] })
  // Without VOUCHER_KEY the signers would be derived from another key than contracts know.
  Object.assign(env, { SERVER_KEY: 'b2'.repeat(32), VOUCHER_KEY: '' })
  const other = await restore(await makeTarget(), file, { withoutServerKey: true })
  expect(other.lacksVoucherKeys).toBe(true)
  expect(other.rows).toBeGreaterThan(0)
})

test('a backup taken while purchases go on is of one moment: stock and money agree in it', async () => {
  const listing = await makeListing(organization, { item: { tokenType: 'ERC1155', maxSupply: 9n }, quantity_listed: 8 })
  const file = fileIn('busy.backup')
  const holder = new pg.Client({ connectionString: ownUrl() })
  await holder.connect()
  // The backup has read the holds, and waits before it reads items, listings and purchases.
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE import_rows IN ACCESS EXCLUSIVE MODE')
  const written = takeBackup(file)
  const waits = `SELECT 1 FROM pg_locks WHERE relation = 'import_rows'::regclass AND NOT granted`
  await until('The backup waits', async () => (await inDatabase(ownUrl(), waits)).length > 0)
  for (let count = 0; count < 3; count++) expect((await buy(listing.id)).status).toBe(201)
  await enqueue(organization.ctx, pinMedia, { organization_id: organization.id, media_id: organization.id })
  await holder.query('COMMIT')
  await holder.end()
  await written
  await putBackupBack(file)
  expect(await verifyRecords(worker())).toEqual([])
  expect(await worker().db.purchaseIntent.count({ where: { listingId: listing.id } })).toBe(0)
})
