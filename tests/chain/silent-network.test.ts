import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Chain, ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { raiseAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { type Leadership, openLeadership } from '../../lib/worker/leadership.ts'
import { runTimer } from '../../lib/worker/run-timer.ts'
import { watchTransactions } from '../../lib/worker/send-transactions.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { until } from '../support/until.ts'

let testChain: TestChain
beforeAll(async () => {
  testChain = await startChain()
})
afterEach(resetClock)

const MINUTE_MS = 60_000
const NETWORK = '31337'
const findOpen = () =>
  systemContext().db.alarm.count({ where: { kind: 'chain_down', subject: NETWORK, resolvedAt: null } })

/** The watcher of a network whose nodes may be down, in a worker whose task another one may have. */
function startWatcher() {
  const state = { isDown: false, isOthers: false, answers: 0, refusals: 0, standsBy: 0 }
  const chain = new Proxy(testChain.chain, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (!state.isDown) return (void state.answers++, value)
      return () => {
        state.refusals++
        return Promise.reject(new ChainUnavailable('No node answers.'))
      }
    },
  }) as Chain
  const own = openLeadership(newId())
  const take: Leadership['take'] = async (task) => {
    if (!state.isOthers) return own.take(task)
    state.standsBy++
    return null
  }
  const leadership: Leadership = { ...own, take }
  const ending = new AbortController()
  const watching = runTimer(watchTransactions(chain), leadership, ending.signal)
  onTestFinished(async () => {
    ending.abort()
    await watching
    await own.close()
  })
  /** Waits for rounds. Those that fail come less and less often. */
  const next = async (what: 'answers' | 'refusals' | 'standsBy') => {
    const before = state[what]
    await until(`More ${what}`, async () => state[what] > before + (what === 'standsBy' ? 0 : 2))
  }
  return { state, next }
}

test('a network that doesn’t answer for a minute raises an alarm, which ends with its next answer', async () => {
  const { state, next } = startWatcher()
  await next('answers')
  state.isDown = true
  await next('refusals')
  expect(await findOpen()).toBe(0)
  moveClock(MINUTE_MS + 1_000)
  await until('The alarm', async () => (await findOpen()) === 1)
  state.isDown = false
  await until('The end of the alarm', async () => (await findOpen()) === 0)
})

test('a worker that takes the task over ends the alarm of the one before it, and waits a minute for its own', async () => {
  const { state, next } = startWatcher()
  await next('answers')
  state.isOthers = true
  await next('standsBy')
  await raiseAlarm(systemContext(), 'chain_down', NETWORK, 'No node has answered for a minute.')
  state.isOthers = false
  await until('The end of the alarm', async () => (await findOpen()) === 0)

  state.isOthers = true
  await next('standsBy')
  moveClock(MINUTE_MS + 1_000)
  state.isDown = true
  state.isOthers = false
  await next('refusals')
  expect(await findOpen()).toBe(0)
})
