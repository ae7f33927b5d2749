import { readFile } from 'node:fs/promises'
import path from 'node:path'

// The reference viewer's script from its package, served from here so that the docs page loads nothing from other servers.
const FILE = path.join(
  /* turbopackIgnore: true */ process.cwd(),
  'node_modules/@scalar/api-reference/dist/browser/standalone.js',
)

export async function GET(): Promise<Response> {
  return new Response(await readFile(FILE), {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=86400' },
  })
}
