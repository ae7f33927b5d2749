import { expect, test } from 'vitest'
import { startChain } from '../support/chain.ts'
import { giveAway, startMailCounter } from '../support/gifts.ts'
import { makeOrganization } from '../support/organization.ts'

test('a campaign of 200 gifts sends one mail and one token for each over few connections, and its figures say so', async () => {
  const mails = await startMailCounter()
  const testChain = await startChain()
  await giveAway({ organization: await makeOrganization(), testChain, mails, count: 200, workers: 1, atOnce: 4 })
  expect(mails.connections.opened).toBeLessThanOrEqual(20)
}, 300_000)
