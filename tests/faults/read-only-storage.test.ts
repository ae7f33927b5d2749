import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { GET as serveMailPicture } from '../../app/media/mail/[name]/route.ts'
import { GET as serveMedia } from '../../app/media/[name]/route.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { writeWhole } from '../../lib/ports/write-whole.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { diskStorage } from '../../lib/ports/storage/disk.ts'
import { s3Storage } from '../../lib/ports/storage/s3.ts'
import { openJobs } from '../../lib/worker/run-jobs.ts'
import type { Subject } from '../../scripts/doctor/check.ts'
import { storage as storageCheck } from '../../scripts/doctor/checks/storage.ts'
import { callerOf } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { bucketSettings, startObjectServer } from '../support/object-server.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

// Commands start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const root = path.resolve(import.meta.dirname, '../..')
const disk = mountSmallDisk(8)
const folder = path.join(disk.folder, 'media')

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
beforeEach(() => replacePorts({ storage: diskStorage(folder), pinning: null }))

/** What storage that can't be written says in an answer, to doctor, and how it is begun and ended. */
const faults: [string, { begin: () => void; end: () => void; says: RegExp }][] = [
  ['full', { begin: disk.fill, end: disk.free, says: /disk is full: free or add space/i }],
  [
    'read-only',
    {
      begin: () => disk.setReadOnly(true),
      end: () => disk.setReadOnly(false),
      says: /mounted read-only: mount it so that/,
    },
  ],
]

const pictureOf = (colour: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: colour } })
    .png()
    .toBuffer()
const upload = async (colour: string) =>
  api.post('/v1/media', { file: { name: `${colour}.png`, base64: (await pictureOf(colour)).toString('base64') } })
const files = () => mine.ctx.db.mediaFile.count()
const fetched = async (handler: typeof serveMedia, name: string) =>
  (await handler(new Request(`http://localhost/media/${name}`), { params: Promise.resolve({ name }) })).status
const findingOf = async (settings: Record<string, string>) => {
  const { readEnv } = await import('../../lib/core/env.ts')
  const quote = (error: unknown) => (error as Error).message
  const [finding] = await storageCheck.run({ settings: readEnv({ ...process.env, ...settings }), quote } as Subject)
  return `${finding!.verdict} ${finding!.detail} ${finding!.remedy}`
}

test.each(faults)(
  'while the folder of stored images is %s an upload is told to wait and leaves nothing, and images are shown',
  async (name, { begin, end, says }) => {
    const { body: kept } = await upload(name === 'full' ? 'red' : 'blue')
    const before = [fs.readdirSync(folder), await files()]
    begin()
    onTestFinished(end)
    const refused = await upload('green')
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
    expect([fs.readdirSync(folder), await files()]).toEqual(before)
    expect(await fetched(serveMedia, `${kept.cid}-png-full.webp`)).toBe(200)
    // Its copy for mails is made now, and can't be stored.
    expect(await fetched(serveMailPicture, `${kept.cid}-png.jpg`)).toBe(200)
    expect(await findingOf({ MEDIA_DIR: folder })).toMatch(
      new RegExp(`^wrong Files can’t be kept: .*${says.source}`, says.flags),
    )
    end()
    expect((await upload('green')).status).toBe(201)
  },
)

test('while a bucket refuses what is written, an upload is told to wait and its images are shown', async () => {
  const server = await startObjectServer('pictures')
  const settings = bucketSettings(server)
  const storage = s3Storage({
    bucket: 'pictures',
    region: 'eu-central-1',
    endpoint: server.url,
    accessKeyId: 'AKIA',
    secretAccessKey: 'hidden',
  })
  replacePorts({ storage })
  const { body: kept } = await upload('teal')
  const before = await files()
  for (const [status, code, remedy] of [
    [403, 'AccessDenied', 'be allowed to put, get and delete objects'],
    [507, 'XMinioStorageFull', 'free or add space'],
  ] as const) {
    server.refusal = { status, code }
    const refused = await upload('navy')
    expect([refused.status, refused.body.code, await files()]).toEqual([503, 'unavailable', before])
    expect(await fetched(serveMedia, `${kept.cid}-png-full.webp`)).toBe(200)
    expect(await findingOf(settings)).toContain(remedy)
  }
  server.down = true
  expect(await fetched(serveMedia, `${kept.cid}-png-full.webp`)).toBe(503)
  Object.assign(server, { down: false, refusal: null })
  expect((await upload('navy')).status).toBe(201)
})

test('an upload needs no folder for temporary files', async () => {
  disk.setReadOnly(true)
  onTestFinished(() => disk.setReadOnly(false))
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'media-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true }))
  replacePorts({ storage: diskStorage(dir) })
  vi.stubEnv('TMPDIR', disk.folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  )
  for (const bytes of [await pictureOf('pink'), drawing]) {
    const { status } = await api.post('/v1/media', { file: { name: 'picture', base64: bytes.toString('base64') } })
    expect(status).toBe(201)
  }
})

test('an image that can’t be stored waits, for as long as it takes, and is stored then', async () => {
  const { fetcher } = ports()
  onTestFinished(() => replacePorts({ fetcher }))
  const bytes = await pictureOf('olive')
  replacePorts({ fetcher: { ...fetcher, fetchImage: async () => bytes } })
  const collection_id = await makeCollection(api)
  disk.setReadOnly(true)
  onTestFinished(() => disk.setReadOnly(false))
  const attributes = { title: 'Olive', image_url: 'https://images.example/olive.png' }
  const { body: item } = await api.post('/v1/items', { collection_id, attributes })
  const jobs = openJobs(() => systemContext('test'))
  const doDue = async () => {
    await jobs.begin()
    await jobs.idle()
  }
  const own = { name: 'keep-image', payload: { path: ['item_id'], equals: item.id } }
  const waiting = () => systemClient().job.findMany({ where: own, select: { tries: true, takenAt: true } })
  // More often than an image is tried whose source doesn't answer.
  for (let times = 1; times <= 8; times++) {
    await doDue()
    expect(await waiting()).toEqual([{ tries: 0, takenAt: null }])
    await systemClient().job.updateMany({ where: own, data: { dueAt: new Date(0) } })
  }
  disk.setReadOnly(false)
  await doDue()
  expect(await waiting()).toEqual([])
  expect((await systemClient().item.findUnique({ where: { id: item.id } }))?.imageFile).not.toBeNull()
})

test.each(faults)(
  'a backup and a key on a disk that is %s say what is wrong, and leave no file',
  async (name, { begin, end }) => {
    const to = path.join(disk.folder, `backups-${name}`)
    fs.mkdirSync(to)
    begin()
    onTestFinished(end)
    const key = path.join(to, 'backup.key')
    const [backup, made] = await Promise.all([run('--to', `${to}/`), run('--make-key', key)])
    const why =
      name === 'full'
        ? 'its disk is full: free or add space (ENOSPC'
        : 'it is read-only: mount it so that it can be written (EROFS'
    expect([backup.status, backup.printed]).toEqual([
      1,
      expect.stringContaining(`No backup was written to ${to}: ${why}`),
    ])
    expect([made.status, made.printed]).toEqual([1, expect.stringMatching(/its disk is full|it is read-only/)])
    expect(fs.readdirSync(to)).toEqual([])
  },
)

test('a file that can’t be written whole leaves the one before it, and no draft', async () => {
  const file = path.join(disk.folder, 'whole')
  await writeWhole(file, 'before')
  disk.fill()
  onTestFinished(disk.free)
  await expect(writeWhole(file, Buffer.alloc(100_000))).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(fs.readFileSync(file, 'utf8')).toBe('before')
  expect(fs.readdirSync(disk.folder).filter((each) => each.startsWith('.'))).toEqual([])
})

/** Runs npm run backup as a person does, and gives its exit status and all that it printed. */
function run(...args: string[]): Promise<{ status: number | null; printed: string }> {
  const env = { ...process.env, BACKUP_KEY: 'e5'.repeat(32) }
  const child = spawn(process.execPath, ['scripts/backup.ts', ...args], { cwd: root, env })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => void (printed += text.toString()))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, printed })))
}
