import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openLeadership } from '../../lib/worker/leadership.ts'
import { until } from '../support/until.ts'

const openForTest = () => {
  const leadership = openLeadership()
  onTestFinished(() => leadership.close())
  return leadership
}

/** Ends every connection that holds tasks, as a restart of PostgreSQL does. */
async function terminateConnections(): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'vitrine_leader'`,
  )
  await client.end()
}

test('a task belongs to one process until that closes, then another takes it over', async () => {
  const [one, other] = [openForTest(), openForTest()]
  expect(await one.holds('a')).toBe(true)
  expect([await other.holds('a'), await other.holds('b'), await one.holds('a')]).toEqual([false, true, true])
  await one.close()
  expect(await until('The takeover', () => other.holds('a'))).toBe(true)
})

test('tasks lost with a connection are acquired again, under concurrent calls and repeated losses', async () => {
  const one = openForTest()
  const tasks = Array.from({ length: 8 }, (_, at) => `task ${at}`)
  for (let round = 0; round < 6; round++) {
    await Promise.all([terminateConnections(), ...tasks.map((task) => one.holds(task).catch(() => false))])
    for (const task of tasks) await until(`To hold ${task} again`, () => one.holds(task).catch(() => false), 10_000)
  }
  const other = openForTest()
  expect(await Promise.all(tasks.map((task) => other.holds(task)))).toEqual(tasks.map(() => false))
})
