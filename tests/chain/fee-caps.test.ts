import { afterEach, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { openTransaction } from '../../lib/orders/open-transaction.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'

const GWEI = 10n ** 9n
const usual = env.MAX_FEE_GWEI
let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})
afterEach(() => {
  resetClock()
  env.MAX_FEE_GWEI = usual
})

test('a network’s own fee cap bounds what is signed and raised there, whatever the cap of the others', async () => {
  const { collectionId, sender } = await makeOnChainCollection(organization, testChain, { items: 0 })
  await testChain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 50n * GWEI })
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(false)
  env.MAX_FEE_GWEI = '1000;31337=60;137=1'
  const id = await inTransaction(organization.ctx, (tx) =>
    openTransaction(tx, {
      collectionId,
      networkId: 31337,
      txType: 'SET_BASE_URI',
      payload: { base_uri: 'https://a.example/' },
    }),
  )
  await sender.submitAll()
  for (let at = 0; at < 5; at++) {
    moveClock(600_000)
    await sender.watch()
  }
  const signed = await organization.ctx.db.signedTransaction.findMany({ where: { transactionId: id } })
  const caps = signed.map(({ maxFeePerGas }) => BigInt(maxFeePerGas.toFixed()))
  expect(
    caps.every((wei) => wei > GWEI && wei <= 60n * GWEI),
    String(caps),
  ).toBe(true)
  const alarm = await organization.ctx.db.alarm.findFirstOrThrow({ where: { kind: 'operator_stuck', subject: id } })
  expect(alarm.detail).toContain('at 60 gwei')
  await testChain.node.setAutomine(true)
})
