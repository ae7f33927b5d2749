import fs from 'node:fs'
import path from 'node:path'
import { ERRORS } from '../../lib/core/errors.ts'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { codesOf, namesRow } from '../../lib/platform/api/openapi/problems.ts'
import type { Count } from './reports.ts'

/** How many answers a whole run must have checked against the OpenAPI documents. */
const EXPECTED = 1500

/**
 * Documented statuses that no test gets, as `<operation> <status>`, with the reason. A status that a test could get
 * doesn't belong here.
 */
const NEVER: Readonly<Record<string, string>> = {
  'any 500': 'Whoever gets it has found a defect: tests/support/call.ts fails the test.',
  'any 408': 'Node gives a request that doesn’t arrive a minute, which a test would have to wait for.',
  'take-over-purchase-intent 409': 'Another request must end the purchase between two statements of this one.',
}

type Statuses = { own: number[]; door: number[] }

/** The documented statuses of an operation: its own, and those that are answered alike for all operations. */
function statusesOf(endpoint: Endpoint): Statuses {
  const { errors = [], auth, body, query, status = 200 } = endpoint
  const own = new Set<number>([
    status,
    ...errors.map((code) => ERRORS[code][0]),
    ...(auth === 'api_key' ? [401, 403] : []),
    ...(namesRow(endpoint) ? [404] : []),
    ...(body || query ? [400] : []),
  ])
  const all = new Set<number>(codesOf(endpoint).map((code) => ERRORS[code][0]))
  const inOrder = (statuses: Iterable<number>) => [...statuses].sort((a, b) => a - b)
  return { own: inOrder(own), door: inOrder(all.difference(own)) }
}

/**
 * The documented statuses that no test has seen. A status of the front door is the same for all operations: it counts
 * as seen when any operation answered with it.
 */
function unseenIn(times: ReadonlyMap<string, number>): string[] {
  const seenAnywhere = new Set([...times.keys()].map((answer) => Number(answer.split(' ')[1])))
  const unseen = endpoints.flatMap((endpoint) => {
    const { own, door } = statusesOf(endpoint)
    return [
      ...own.map((status) => `${endpoint.id} ${status}`).filter((answer) => !times.has(answer)),
      ...door.filter((status) => !seenAnywhere.has(status)).map((status) => `any ${status}`),
    ]
  })
  return [...new Set(unseen)]
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
    'Statuses of the front door are answered alike for all operations: each must be seen of one.',
    '',
    '| operation | its own statuses | of the front door |',
    '|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

/**
 * Counts the answers of the API that tests got, each of which was checked against its document
 * (tests/support/recorded-answers.ts): as one test, which fails if they are too few, or if a documented status was
 * never seen. Only a whole run can tell. `report` gets a table of all documented statuses and how often each was seen.
 */
export function countAnswers(folder: string, report: string): Count {
  const times = readAnswers(folder)
  fs.writeFileSync(report, reportOf(times))
  const total = [...times.values()].reduce((sum, count) => sum + count, 0)
  const unseen = unseenIn(times)
  const missing = unseen.filter((answer) => !(answer in NEVER))
  const needless = Object.keys(NEVER).filter((answer) => !unseen.includes(answer))
  const failures = [
    ...(total < EXPECTED ? [`Only ${total} answers were checked against the OpenAPI documents, not ${EXPECTED}.`] : []),
    ...(missing.length > 0
      ? [`No test got these documented answers: ${missing.join(', ')}. Test them, or document them no more.`]
      : []),
    ...(needless.length > 0
      ? [`Tests get these answers, or they aren’t documented: ${needless.join(', ')}. Take them out of NEVER.`]
      : []),
  ]
  return { passed: failures.length > 0 ? 0 : 1, failed: failures.length > 0 ? 1 : 0, failures }
}

/** How often each answer was noted, by `<operation> <status>`. */
function readAnswers(folder: string): Map<string, number> {
  const times = new Map<string, number>()
  const files = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  for (const file of files)
    for (const line of fs.readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const [id, status, count] = line.split(' ')
      const answer = `${id} ${status}`
      times.set(answer, (times.get(answer) ?? 0) + Number(count))
    }
  return times
}
