import { beforeAll, test, vi } from 'vitest'
import { startChain, type TestChain } from '../support/chain.ts'
import { giveAway, type Pace, startMailCounter } from '../support/gifts.ts'
import { makeDurable } from '../support/make-durable.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const SIZES = (process.env.BENCH_GIFTS ?? '1000,10000').split(',').map(Number)
const WORKERS = Number(process.env.BENCH_WORKERS ?? '1')
const CONCURRENT_REDEMPTIONS = 32

let testChain: TestChain
let mails: Awaited<ReturnType<typeof startMailCounter>>
let organization: TestOrganization

vi.setConfig({ testTimeout: 36_000_000 })

beforeAll(async () => {
  await makeDurable()
  mails = await startMailCounter()
  testChain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
})

test.each(SIZES)('a campaign of %i gifts, one after another, is judged, created, mailed and minted', async (count) => {
  const pace = await giveAway({
    organization,
    testChain,
    mails,
    count,
    workers: WORKERS,
    atOnce: CONCURRENT_REDEMPTIONS,
  })
  const line = (what: string, step: keyof Pace) =>
    `  ${what}: ${pace[step].toFixed(1)} s, ${(count / pace[step]).toFixed(0)} a second`
  console.log(
    [
      `${count} gifts, ${WORKERS} workers, a block a second`,
      line('lines judged', 'judged'),
      line('claims created', 'created'),
      line('mails sent', 'mailed'),
      line('redeemed and minted', 'minted'),
      `  ${mails.connections.opened} connections to the mail server so far`,
    ].join('\n'),
  )
})
