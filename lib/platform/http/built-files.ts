import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { acceptedEncodings, type Encoding, etagOf, knownEtag } from './encoding.ts'
import type { Application } from './http-server.ts'

type BuiltFile = { file: string; type: string; etag: string; encodings: Encoding[] }

/** Where Next has the files of its build. Their names change with their content. */
const PREFIX = '/_next/static/'

const TYPES: Record<string, string> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** Already compressed. */
const AS_THEY_ARE = ['.woff2']
/** The endings of the compressed copies that scripts/compress-built-files.ts puts beside a file. */
export const ENDINGS = { br: '.br', gzip: '.gz' } satisfies Partial<Record<Encoding, string>>

/** Whether a build's file is sent by us: smaller in Brotli than Next would send it. */
export const isCompressible = (file: string): boolean => {
  const type = path.extname(file)
  return type in TYPES && !AS_THEY_ARE.includes(type)
}

/**
 * Answers requests for the files of a build as they were compressed when it was made. Any other request is the
 * application's, and so is a file that wasn't compressed.
 * @param folder the build's `static` folder
 */
export function builtFiles(folder: string, application: Application): Application {
  const files = filesIn(folder)
  return async (request, response, turn, head) => {
    const { method, url = '' } = request
    const found =
      url.startsWith(PREFIX) && (method === 'GET' || method === 'HEAD') ? files.get(url.split('?')[0]!) : null
    if (!found) return application(request, response, turn, head)
    await send(found, request, response, head)
  }
}

async function send(
  { file, type, etag, encodings }: BuiltFile,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  head: Record<string, string>,
): Promise<void> {
  const accepted = acceptedEncodings([headers['accept-encoding']].flat().join(', ')).filter((one) =>
    encodings.includes(one),
  )
  const encoding = accepted[0] ?? 'identity'
  const known = knownEtag(headers['if-none-match'], etag, accepted)
  const always = {
    ...head,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    etag: known ?? etagOf(etag, encoding),
    ...(encodings.length > 1 && { vary: 'Accept-Encoding' }),
  }
  if (known) return void response.writeHead(304, always).end()
  const body = await fs.promises.readFile(encoding === 'identity' ? file : file + ENDINGS[encoding])
  response.writeHead(200, {
    ...always,
    'content-type': type,
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  })
  response.end(method === 'HEAD' ? undefined : body)
}

/** The files that can be sent, by the path of their URL. */
function filesIn(folder: string): Map<string, BuiltFile> {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const all = new Set(names)
  const files = new Map<string, BuiltFile>()
  for (const name of names) {
    const type = TYPES[path.extname(name)]
    const encodings = (Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]).filter((one) => all.has(name + ENDINGS[one]))
    if (!type || (isCompressible(name) && encodings.length === 0)) continue
    const file = path.join(folder, name)
    const etag = `"${createHash('sha256').update(fs.readFileSync(file)).digest('base64url').slice(0, 27)}"`
    const url = PREFIX + name.split(path.sep).map(encodeURIComponent).join('/')
    files.set(url, { file, type, etag, encodings: [...encodings, 'identity'] })
  }
  return files
}
