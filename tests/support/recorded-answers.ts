import fs from 'node:fs'
import path from 'node:path'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { interfaceOf } from '../../lib/platform/api/openapi.ts'
import type { ApiResponse } from './call.ts'
import { atFileEnd } from './file-end.ts'
import { documentOf } from './openapi-documents.ts'

/**
 * How many answers of each status this test file got from each operation: scripts/test-runner/answers.ts adds all files
 * up.
 */
const seen = new Map<string, number>()

/** Throws if an answer isn't one that its operation's document describes. `call` checks every answer with this. */
export function expectDocumented(endpoint: Endpoint, answer: ApiResponse): void {
  const wrong = deviationOf(endpoint, answer)
  if (wrong)
    throw new Error(
      `${endpoint.method} ${endpoint.path} (${endpoint.id}) answered ${answer.status}, and its document lacks ${wrong}\n${JSON.stringify(answer.body).slice(0, 1000)}`,
    )
  if (process.env.ANSWERS) note(`${endpoint.id} ${answer.status}`)
}

const HEADERS = ['etag', 'idempotent-replayed', 'ratelimit', 'ratelimit-policy', 'request-id', 'retry-after']

function deviationOf(endpoint: Endpoint, { status, headers, body }: ApiResponse): string | undefined {
  const which = interfaceOf(endpoint)
  const { document, errorsOf } = documentOf(which)
  const path = which === 'public' ? endpoint.path.replace(/^\/public/, '') : endpoint.path
  const response = document.paths[path]?.[endpoint.method.toLowerCase()]?.responses[status]
  if (!response) return `this status (${body?.code ?? 'no code'}).`
  const described = Object.keys(response.headers).map((name) => name.toLowerCase())
  const unsaid = HEADERS.find((name) => headers.has(name) && !described.includes(name))
  if (unsaid) return `the header ${unsaid}.`
  const type = headers.get('content-type')?.split(';')[0]
  if (type === undefined) return response.content && 'an answer without a body.'
  const content = response.content?.[type]
  if (!content) return `the content type ${type}.`
  if (type === 'application/problem+json' && !(body.code in content.examples)) return `the code ${body.code}.`
  return errorsOf(content.schema, body) || undefined
}

function note(answer: string): void {
  if (seen.size === 0) atFileEnd(write)
  seen.set(answer, (seen.get(answer) ?? 0) + 1)
}

function write(): void {
  fs.mkdirSync(process.env.ANSWERS!, { recursive: true })
  const lines = [...seen].map(([answer, times]) => `${answer} ${times}\n`)
  fs.appendFileSync(path.join(process.env.ANSWERS!, `${process.pid}.txt`), lines.join(''))
  seen.clear()
}
