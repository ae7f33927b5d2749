import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { diskStorage } from '../../lib/ports/storage/disk.ts'
import { s3Storage } from '../../lib/ports/storage/s3.ts'
import type { Storage } from '../../lib/ports/storage/storage.ts'
import { startObjectServer } from '../support/object-server.ts'

const makeFolder = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'storage-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}
const makeBucket = async () => {
  const server = await startObjectServer('pictures')
  return {
    server,
    storage: s3Storage({
      bucket: 'pictures',
      region: 'eu-central-1',
      endpoint: server.url,
      accessKeyId: 'AKIA',
      secretAccessKey: 'hidden',
    }),
  }
}
const adapters: [string, () => Promise<Storage>][] = [
  ['disk storage', async () => diskStorage(await makeFolder())],
  ['S3 storage', async () => (await makeBucket()).storage],
]

describe.each(adapters)('%s', (_, make) => {
  test('returns the stored bytes and type, also after storing them twice', async () => {
    const storage = await make()
    const bytes = new Uint8Array(300_000).map((_, at) => at % 251)
    for (let times = 0; times < 2; times++) await storage.put('baf1-full.webp', bytes, 'image/webp')
    const stored = await storage.get('baf1-full.webp')
    expect(stored?.contentType).toBe('image/webp')
    expect(Buffer.from(stored!.bytes).equals(bytes)).toBe(true)
  })

  test('a removed file is gone, and removing it again is no error', async () => {
    const storage = await make()
    await storage.put('baf1-full.webp', new Uint8Array(3), 'image/webp')
    for (const name of ['baf1-full.webp', 'baf1-full.webp', '../secret.webp']) await storage.remove(name)
    expect(await storage.get('baf1-full.webp')).toBeNull()
  })

  test('a missing file and an invalid name are null', async () => {
    const storage = await make()
    for (const name of ['baf1-full.webp', '../secret.webp', 'a/b.webp', '.hidden.webp', '', 'x.html'])
      expect(await storage.get(name)).toBeNull()
  })

  test('an invalid name, or a type that doesn’t match the name, is refused', async () => {
    const storage = await make()
    await expect(storage.put('../x.webp', new Uint8Array(1), 'image/webp')).rejects.toThrow()
    await expect(storage.put('x.webp', new Uint8Array(1), 'text/html')).rejects.toThrow()
    expect(await storage.get('x.webp')).toBeNull()
  })
})

test('S3 requests use path style and are signed, without the secret key in them', async () => {
  const { server, storage } = await makeBucket()
  await storage.put('baf2-tiny.webp', new Uint8Array([1, 2, 3]), 'image/webp')
  expect([...server.objects.keys()]).toEqual(['/pictures/baf2-tiny.webp'])
  expect(server.signed[0]).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIA\/\d{8}\/eu-central-1\/s3\/aws4_request/)
  expect(server.signed.join()).not.toContain('hidden')
})

test('a failing S3 server is an error, not a missing file', async () => {
  const { server, storage } = await makeBucket()
  server.down = true
  await expect(storage.get('baf1-full.webp')).rejects.toThrow()
})

test('disk storage leaves no partial files in its folder', async () => {
  const dir = await makeFolder()
  await diskStorage(dir).put('baf1-full.webp', new Uint8Array(10), 'image/webp')
  expect(await readdir(dir)).toEqual(['baf1-full.webp'])
})
