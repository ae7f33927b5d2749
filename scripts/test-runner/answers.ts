import fs from 'node:fs'
import path from 'node:path'
import { endpoints } from '../../lib/platform/api/index.ts'
import type { Count } from './reports.ts'

/** How many answers a whole run must have checked against the OpenAPI documents. */
const EXPECTED = 1500

/**
 * Counts the answers of the API that tests got, each of which was checked against its document (tests/support/recorded-answers.ts): as one
 * test, which fails if they are too few or an operation never succeeded.
 */
export function countAnswers(folder: string): Count {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  const lines = files.flatMap((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  const notes = lines.map((line) => line.split(' ') as [id: string, status: string, times: string])
  const total = notes.reduce((sum, [, , times]) => sum + Number(times), 0)
  const succeeded = new Set(notes.filter(([, status]) => status.startsWith('2')).map(([id]) => id))
  const missing = endpoints.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id)
  const failures = [
    ...(total < EXPECTED ? [`Only ${total} answers were checked against the OpenAPI documents, not ${EXPECTED}.`] : []),
    ...(missing.length > 0 ? [`No test got a successful answer of ${missing.join(', ')}.`] : []),
  ]
  return { passed: failures.length > 0 ? 0 : 1, failed: failures.length > 0 ? 1 : 0, failures }
}
