import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { log } from '../../lib/core/log.ts'
import { logFailing, logWorking } from '../../lib/db/log-failing.ts'

let nowMs = 0
let lines: { level: string; name: string; unwritten?: number; text: string }[] = []

beforeEach(() => {
  lines = []
  nowMs += 3_600_000
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  for (const level of ['error', 'info'] as const)
    vi.spyOn(log, level).mockImplementation(((details: { name: string; unwritten?: number }, text: string) => {
      lines.push({ level, name: details.name, text, ...(details.unwritten && { unwritten: details.unwritten }) })
    }) as never)
})
afterEach(() => void vi.restoreAllMocks())

/** What a pooler says while PostgreSQL is away. */
const refused = () =>
  Object.assign(new pg.DatabaseError('server_login_retry', 1, 'error'), { code: '08P01', severity: 'FATAL' })

test('while the database is away all loops write one line, then one a minute with the count, and one at the end', () => {
  for (let seconds = 0; seconds < 150; seconds++) {
    for (const name of ['send mail', 'run imports', 'jobs']) logFailing(name, refused(), 'It failed.')
    nowMs += 1000
  }
  for (const name of ['send mail', 'run imports']) logWorking(name)
  const away = {
    level: 'error',
    name: 'send mail',
    text: 'The database can’t be reached. What needs it is tried again.',
  }
  expect(lines).toEqual([
    away,
    { ...away, unwritten: 179 },
    { ...away, unwritten: 179 },
    { level: 'info', name: 'database', text: 'It works again.', unwritten: 89 },
  ])
})

test('a database that comes and goes writes no more than one line a minute', () => {
  for (let at = 0; at < 30; at++) {
    logFailing('send mail', refused(), 'It failed.')
    logWorking('send mail')
    nowMs += 1000
  }
  expect(lines.map(({ level }) => level)).toEqual(['error', 'info'])
})

test('a full disk of the database is told apart from one that is away, with what to do', () => {
  const full = Object.assign(new pg.DatabaseError('No space left on device', 1, 'error'), { code: '53100' })
  for (const name of ['send mail', 'heartbeat']) {
    logFailing(name, full, 'It failed.')
    logFailing(name, refused(), 'It failed.')
  }
  expect(lines.map(({ text }) => text)).toEqual([
    'The database can’t use its disk: free or add space if it is full, and see that it takes writes. What needs it is tried again.',
    'The database can’t be reached. What needs it is tried again.',
  ])
})

test('what fails for a reason of its own has its own lines', () => {
  logFailing('send mail', refused(), 'It failed.')
  for (const name of ['index', 'index', 'send transactions'])
    logFailing(name, new Error('No node answers.'), 'It failed.')
  expect(lines.map(({ name, text }) => [name, text])).toEqual([
    ['send mail', 'The database can’t be reached. What needs it is tried again.'],
    ['index', 'It failed.'],
    ['send transactions', 'It failed.'],
  ])
})
