// Part of `npm run build`: compresses the files that browsers load, once and as well as possible, for
// lib/platform/http/built-files.ts.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { limitConcurrency } from '../lib/core/limit-concurrency.ts'
import { MIN_ENCODED_BYTES } from '../lib/platform/http/encoding.ts'
import { ENDINGS, isCompressible } from '../lib/platform/http/built-files.ts'

const folder = path.resolve(import.meta.dirname, '../.next/static')
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

async function compress(file: string): Promise<void> {
  const content = fs.readFileSync(file)
  if (content.length < MIN_ENCODED_BYTES) return
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  fs.writeFileSync(file + ENDINGS.br, await brotli(content, { params }))
  fs.writeFileSync(file + ENDINGS.gzip, await zip(content, { level: 9 }))
}

const files = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => path.join(folder, name))
  .filter(isCompressible)
// As many at once as there are processors: bundling goes on beside it, and waits for the same threads.
const inTurn = limitConcurrency(os.availableParallelism())
await Promise.all(files.map((file) => inTurn(() => compress(file))))
console.log(`${files.length} files of the build are compressed.`)
