import fs from 'node:fs'
import path from 'node:path'
import { ERRORS } from '../../lib/core/errors.ts'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { codesOf } from '../../lib/platform/api/openapi/problems.ts'
import type { Count } from './reports.ts'

/** How many answers a whole run must have checked against the OpenAPI documents. */
const EXPECTED = 1500

/** What an operation documents: statuses of its own, and those that the front door answers for all operations alike. */
function statusesOf(endpoint: Endpoint): { own: number[]; door: number[] } {
  const { errors = [], auth, params, body, query, status = 200 } = endpoint
  const own = new Set<number>([
    status,
    ...errors.map((code) => ERRORS[code][0]),
    ...(auth === 'api_key' ? [401, 403] : []),
    ...(params ? [404] : []),
    ...(body || query ? [400] : []),
  ])
  const all = new Set<number>(codesOf(endpoint).map((code) => ERRORS[code][0]))
  const inOrder = (statuses: Iterable<number>) => [...statuses].sort((a, b) => a - b)
  return { own: inOrder(own), door: inOrder(all.difference(own)) }
}

/** Every status of every operation, and how often it was seen. */
function reportOf(times: ReadonlyMap<string, number>): string {
  const row = (id: string, status: number) => `${status}: ${times.get(`${id} ${status}`) ?? 'never'}`
  const lines = endpoints.map((endpoint) => {
    const { own, door } = statusesOf(endpoint)
    const [ofOperation, ofDoor] = [own, door].map((statuses) =>
      statuses.map((each) => row(endpoint.id, each)).join(', '),
    )
    return `| ${endpoint.id} | ${ofOperation} | ${ofDoor} |`
  })
  return [
    '# Answers that this run checked against the OpenAPI documents',
    '',
    'Statuses of the front door are answered before an operation is reached, alike for all: tests/security asks for them once.',
    '',
    '| operation | its own statuses | of the front door |',
    '|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

/**
 * Counts the answers of the API that tests got, each of which was checked against its document (tests/support/recorded-answers.ts): as one
 * test, which fails if they are too few, an operation never succeeded, or one with a key never refused a wrong one. `report` gets a table of
 * all documented statuses and how often each was seen.
 */
export function countAnswers(folder: string, report: string): Count {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  const lines = files.flatMap((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  const notes = lines.map((line) => line.split(' ') as [id: string, status: string, times: string])
  const total = notes.reduce((sum, [, , times]) => sum + Number(times), 0)
  const succeeded = new Set(notes.filter(([, status]) => status.startsWith('2')).map(([id]) => id))
  const missing = endpoints.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id)
  const counts = new Map<string, number>()
  for (const [id, status, times] of notes)
    counts.set(`${id} ${status}`, (counts.get(`${id} ${status}`) ?? 0) + Number(times))
  const open = endpoints
    .filter(({ auth }) => auth === 'api_key')
    .flatMap(({ id, permission }) =>
      [401, ...(permission ? [403] : [])]
        .filter((status) => !counts.has(`${id} ${status}`))
        .map((status) => `${id} ${status}`),
    )
  fs.writeFileSync(report, reportOf(counts))
  const failures = [
    ...(total < EXPECTED ? [`Only ${total} answers were checked against the OpenAPI documents, not ${EXPECTED}.`] : []),
    ...(missing.length > 0 ? [`No test got a successful answer of ${missing.join(', ')}.`] : []),
    ...(open.length > 0 ? [`No test was refused by ${open.join(', ')}.`] : []),
  ]
  return { passed: failures.length > 0 ? 0 : 1, failed: failures.length > 0 ? 1 : 0, failures }
}
