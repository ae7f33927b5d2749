import { beforeEach, expect, test } from 'vitest'
import { moveClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { withReads } from '../support/chain.ts'
import { organization, setUpCustody, testChain, worker } from '../support/custody.ts'
import { accepted, getTransfer, makeHeld, signedBody } from '../support/held-tokens.ts'
import { catchUpWith } from '../support/indexing.ts'

setUpCustody()

beforeEach(async () => {
  const { timestamp } = await testChain.client.getBlock()
  moveClock(Math.max(0, Number(timestamp) * 1000 - Date.now()))
})

test('a signed transfer of which every node leaves out the log is entered from its receipt', async () => {
  const held = await makeHeld()
  const final = viemChain({ ...testChain.network, finality: 'depth', reorgWindow: 8 }, [testChain.rpcUrl])
  const silent = withReads(final, { logs: async () => [], blockLogs: async () => [] })
  const { body, to } = await signedBody(held)
  const { id } = await accepted(body)
  await held.sender.run()
  expect((await getTransfer(id)).state).toBe('COMPLETED')
  await catchUpWith(silent)
  await testChain.node.mine({ blocks: 32 })
  await catchUpWith(silent)
  const owners = await organization.ctx.db.itemOwner.findMany({ where: { itemId: held.itemIds[0]! } })
  expect(owners.map(({ address }) => address)).toEqual([to])
  expect(await verifyRecords(worker())).toEqual([])
})
