import { afterEach, beforeAll, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { startChain, type TestChain } from '../support/chain.ts'

let local: TestChain
let chain: Chain
beforeAll(async () => {
  local = await startChain()
  // As a network whose time goes on.
  chain = viemChain({ ...local.network, finality: 'depth', reorgWindow: 8 }, [local.rpcUrl])
})
afterEach(resetClock)

const worker = systemContext('test')
const open = () =>
  worker.db.alarm.findMany({
    where: { kind: 'clock_apart', resolvedAt: null },
    select: { subject: true, detail: true },
  })
const mineAfter = async (seconds: number) => {
  await local.node.request({ method: 'evm_increaseTime' as never, params: [seconds] as never })
  await local.node.mine({ blocks: 1 })
}
const enter = async () => {
  while ((await indexOnce(worker, chain)) === 'more');
}

test('a database server whose clock is two hours ahead of new blocks is named, and one that is behind', async () => {
  await mineAfter(0)
  await enter()
  moveClock(7_200_000) // PostgreSQL's clock, which this process goes by
  for (let minutes = 0; minutes < 7; minutes++) {
    await mineAfter(60)
    moveClock(60_000)
    await enter()
    // Blocks that are old for a moment may be of a node that lags.
    if (minutes < 4) expect(await open()).toEqual([])
  }
  expect(await open()).toMatchObject([
    { subject: 'network 31337', detail: expect.stringMatching(/database server’s clock is \d+ s ahead/) },
  ])
  resetClock()
  expect(await open()).toHaveLength(1)
  await worker.db.alarm.deleteMany({ where: { kind: 'clock_apart' } })

  // Blocks are now seven minutes in the future.
  await mineAfter(1)
  await enter()
  expect(await open()).toMatchObject([{ detail: expect.stringMatching(/database server’s clock is \d+ s behind/) }])
  moveClock(480_000)
  await enter()
  expect(await open()).toEqual([])
})

test('a node that catches up with old blocks says nothing of clocks', async () => {
  moveClock(7_200_000)
  for (let at = 0; at < 10; at++) {
    await mineAfter(600)
    moveClock(60_000)
    await enter()
  }
  expect(await open()).toEqual([])
})
