import { readFileSync } from 'node:fs'
import path from 'node:path'
import { answerKept } from '@/lib/platform/http/kept-document'

// The reference viewer's script from its package, served from here so that the docs page loads nothing from other
// servers.
const FILE = path.join(/* turbopackIgnore: true */ process.cwd(), 'node_modules/swagger-ui-dist/swagger-ui-bundle.js')

export const GET = (request: Request) =>
  answerKept(request, {
    name: 'reference.js',
    type: 'text/javascript; charset=utf-8',
    maxAge: 86_400,
    make: () => readFileSync(FILE),
  })
