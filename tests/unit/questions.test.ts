import { setImmediate as afterEvents } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, test } from 'vitest'
import { questions } from '../../lib/platform/http/hot/questions.ts'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as (options?: { type: 'minor' }) => void

const oldMegabytes = () =>
  v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size / 1024 / 1024

const ANSWERS = 32_000
const AT_ONCE = 32

test('answers that nobody needs any more are collected while they are young', async () => {
  const ask = questions<[number], number[]>(async (keys) => {
    await afterEvents()
    return keys.map(([key]) => new Array<number>(250).fill(key)) // 2 kB
  })
  collect()
  const before = oldMegabytes()
  let next = 0
  const askInTurn = async () => {
    while (next < ANSWERS) {
      if (++next % 100 === 0) collect({ type: 'minor' })
      await ask([next])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askInTurn))
  // All answers together have 64 MB.
  expect(oldMegabytes() - before).toBeLessThan(6)
})
