import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openLeadership } from '../../lib/worker/leadership.ts'
import { until } from '../support/until.ts'

const open = () => {
  const leadership = openLeadership()
  onTestFinished(() => leadership.close())
  return leadership
}

/** Every connection that holds tasks ends, as when PostgreSQL restarts. */
async function cut(): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'vitrine_leader'`,
  )
  await client.end()
}

test('a task is one process’s until it ends, then another’s', async () => {
  const [one, other] = [open(), open()]
  expect(await one.holds('a')).toBe(true)
  expect([await other.holds('a'), await other.holds('b'), await one.holds('a')]).toEqual([false, true, true])
  await one.close()
  expect(await until('The takeover', () => other.holds('a'))).toBe(true)
})

test('a lost connection loses its tasks, and they are taken on again, however many ask at once and however often it happens', async () => {
  const one = open()
  const tasks = Array.from({ length: 8 }, (_, at) => `task ${at}`)
  for (let time = 0; time < 6; time++) {
    await Promise.all([cut(), ...tasks.map((task) => one.holds(task).catch(() => false))])
    for (const task of tasks) await until(`To hold ${task} again`, () => one.holds(task).catch(() => false), 10_000)
  }
  const other = open()
  expect(await Promise.all(tasks.map((task) => other.holds(task)))).toEqual(tasks.map(() => false))
})
