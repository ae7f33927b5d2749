import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { builtFiles } from '../../lib/platform/http/built-files.ts'
import { ask, next } from '../support/front-door.ts'
import { startWebServer } from '../support/web-server.ts'

const SCRIPT = 'export const greeting = "hello"\n'.repeat(100)

/** A web server with a build of one compressed script, one that isn't compressed, and a font. */
async function server() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-built-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  fs.mkdirSync(path.join(folder, 'chunks'))
  const files = {
    'chunks/a.js': SCRIPT,
    'chunks/a.js.br': brotliCompressSync(SCRIPT),
    'chunks/a.js.gz': gzipSync(SCRIPT),
    'chunks/short.js': '1',
    'letters.woff2': 'letters',
  }
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content)
  const { url } = await startWebServer(builtFiles(folder, next))
  return (name: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(`${url}/_next/static/${name}`, { method, headers })
}

test('a file is sent in the best encoding that its browser takes, each with a tag of its own, for good', async () => {
  const get = await server()
  const tags = new Set<string>()
  for (const [accept, encoding, bytes] of [
    ['gzip, deflate, br, zstd', 'br', brotliCompressSync(SCRIPT)],
    ['gzip', 'gzip', gzipSync(SCRIPT)],
    ['', undefined, Buffer.from(SCRIPT)],
  ] as const) {
    const answer = await get('chunks/a.js', accept ? { 'accept-encoding': accept } : {})
    expect(answer.status).toBe(200)
    expect(answer.bytes).toEqual(bytes)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/javascript; charset=UTF-8',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    expect(answer.headers['content-encoding']).toBe(encoding)
    tags.add(answer.headers.etag!)
  }
  expect(tags.size).toBe(3)
})

test('who has a file already is told so, by the tag of its own encoding', async () => {
  const get = await server()
  const brotli = { 'accept-encoding': 'br' }
  const { etag } = (await get('chunks/a.js', brotli)).headers
  const again = await get('chunks/a.js', { ...brotli, 'if-none-match': etag! })
  expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag])
  expect((await get('chunks/a.js', { 'if-none-match': etag! })).status).toBe(200)
})

test('HEAD tells of the same answer without its body', async () => {
  const get = await server()
  const answer = await get('chunks/a.js', { 'accept-encoding': 'br' }, 'HEAD')
  expect([answer.status, answer.body, answer.headers['content-encoding']]).toEqual([200, '', 'br'])
  expect(Number(answer.headers['content-length'])).toBe(brotliCompressSync(SCRIPT).length)
})

test('a font is sent as it is', async () => {
  const get = await server()
  const { body, headers } = await get('letters.woff2', { 'accept-encoding': 'br' })
  expect([body, headers['content-type'], headers['content-encoding'], headers.vary]).toEqual([
    'letters',
    'font/woff2',
    undefined,
    undefined,
  ])
})

test('what was not compressed, what is not there, compressed files themselves and writes are the application’s', async () => {
  const get = await server()
  for (const name of ['chunks/short.js', 'chunks/b.js', 'chunks/a.js.br', '../server/a.js', 'chunks/'])
    expect((await get(name)).headers['x-next'], name).toBe('1')
  expect((await get('chunks/a.js', {}, 'POST')).headers['x-next']).toBe('1')
})
