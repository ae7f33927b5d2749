import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { diskStorage } from '../../lib/ports/storage/disk.ts'
import { s3Storage } from '../../lib/ports/storage/s3.ts'
import type { Storage } from '../../lib/ports/storage/storage.ts'
import { startObjectServer } from '../support/object-server.ts'

const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'storage-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}
const bucket = async () => {
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
  ['a folder', async () => diskStorage(await folder())],
  ['a bucket', async () => (await bucket()).storage],
]

describe.each(adapters)('%s', (_, make) => {
  test('gives back the bytes and the type of what was put in; putting it again is fine', async () => {
    const storage = await make()
    const bytes = new Uint8Array(300_000).map((_, at) => at % 251)
    for (let times = 0; times < 2; times++) await storage.put('baf1-full.webp', bytes, 'image/webp')
    const kept = await storage.get('baf1-full.webp')
    expect(kept?.contentType).toBe('image/webp')
    expect(Buffer.from(kept!.bytes).equals(bytes)).toBe(true)
  })

  test('what isn’t there is null, and so is a name that is none of ours', async () => {
    const storage = await make()
    for (const name of ['baf1-full.webp', '../secret.webp', 'a/b.webp', '.hidden.webp', '', 'x.html'])
      expect(await storage.get(name)).toBeNull()
  })

  test('nothing is put under a foreign name, or under a type that isn’t its name’s', async () => {
    const storage = await make()
    await expect(storage.put('../x.webp', new Uint8Array(1), 'image/webp')).rejects.toThrow()
    await expect(storage.put('x.webp', new Uint8Array(1), 'text/html')).rejects.toThrow()
    expect(await storage.get('x.webp')).toBeNull()
  })
})

test('a bucket’s requests go by path and are signed, with nothing secret in them', async () => {
  const { server, storage } = await bucket()
  await storage.put('baf2-tiny.webp', new Uint8Array([1, 2, 3]), 'image/webp')
  expect([...server.objects.keys()]).toEqual(['/pictures/baf2-tiny.webp'])
  expect(server.signed[0]).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIA\/\d{8}\/eu-central-1\/s3\/aws4_request/)
  expect(server.signed.join()).not.toContain('hidden')
})

test('a bucket that fails is an error, and no missing file', async () => {
  const { server, storage } = await bucket()
  server.down = true
  await expect(storage.get('baf1-full.webp')).rejects.toThrow()
})

test('a folder holds whole files only', async () => {
  const dir = await folder()
  await diskStorage(dir).put('baf1-full.webp', new Uint8Array(10), 'image/webp')
  expect(await readdir(dir)).toEqual(['baf1-full.webp'])
})
