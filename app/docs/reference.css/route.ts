import { readFileSync } from 'node:fs'
import path from 'node:path'
import { answerKept } from '@/lib/platform/http/kept-document'

/** The reference viewer's own style, which the page of the reference adapts. */
const FILE = path.join(/* turbopackIgnore: true */ process.cwd(), 'node_modules/swagger-ui-dist/swagger-ui.css')

export const GET = (request: Request) =>
  answerKept(request, {
    name: 'reference.css',
    type: 'text/css; charset=utf-8',
    maxAge: 86_400,
    make: () => readFileSync(FILE),
  })
