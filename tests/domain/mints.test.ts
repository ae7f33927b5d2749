import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { requestMint } from '../../lib/onchain/mints/request-mint.ts'
import { advanceMint } from '../../lib/onchain/mints/advance-mint.ts'
import { advanceTransaction } from '../../lib/onchain/transactions/advance-transaction.ts'
import { makeRandomAddress, sendClaim } from '../support/claims.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'
import {
  api,
  carrierOf,
  makeLockedItems,
  mint,
  organization,
  setUpMints,
  transactionsOf,
} from '../support/mint-stage.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

setUpMints()

test('the log says of each step of a mint what it was and what it is', async () => {
  const { collectionId, itemIds } = await makeLockedItems(1)
  await mint(collectionId, itemIds[0]!)
  const { db } = organization.ctx
  const requested = await db.mintRequest.findFirstOrThrow({ where: { collectionId } })
  const advance = async (to: 'SUBMITTED' | 'FAILED', change: object) => {
    const row = await db.mintRequest.findFirstOrThrow({ where: { collectionId } })
    await inTransaction(organization.ctx, (tx) => advanceMint(tx, row, to, change))
  }
  await advance('SUBMITTED', { txHash: '0x01' })
  await advance('FAILED', { failure: 'It reverted.' })
  const logged = await db.auditEntry.findMany({
    where: { subjectId: requested.id, action: 'mint_request.advanced' },
    orderBy: { id: 'asc' },
    select: { before: true, after: true },
  })
  expect(logged).toEqual([
    { before: { state: 'WAITING' }, after: { state: 'SUBMITTED', tx_hash: '0x01' } },
    { before: { state: 'SUBMITTED' }, after: { state: 'FAILED', failure: 'It reverted.' } },
  ])
})

describe('joining a waiting transaction', () => {
  test('120 mints requested at once join two transactions with at most 100 in each, and have every request number once', async () => {
    const { collectionId, itemIds } = await makeLockedItems(120)
    await Promise.all(itemIds.map((itemId) => mint(collectionId, itemId)))
    const rows = await transactionsOf(collectionId)
    expect(rows.map((row) => row.mintRequests.length).sort((a, b) => b - a)).toEqual([100, 20])
    for (const row of rows) expect(row.mintCount).toBe(row.mintRequests.length)
    const numbers = rows.flatMap((row) => row.mintRequests.map((mint) => mint.requestNumber))
    expect(new Set(numbers).size).toBe(120)
  })

  test('while the sender closes transactions, mints join others and never a closed one', async () => {
    const { collectionId, itemIds } = await makeLockedItems(60)
    const seen = new Map<string, number>()
    const close = async () => {
      const { db } = organization.ctx
      await db.transaction.updateMany({
        where: { collectionId, state: 'PENDING', closedAt: null },
        data: { closedAt: new Date() },
      })
      for (const row of await db.transaction.findMany({
        where: { collectionId, closedAt: { not: null } },
        include: { mintRequests: true },
      })) {
        expect(row.mintRequests).toHaveLength(seen.get(row.id) ?? row.mintRequests.length)
        seen.set(row.id, row.mintRequests.length)
      }
    }
    await Promise.all(
      itemIds.flatMap((itemId, at) =>
        at % 10 === 5 ? [mint(collectionId, itemId), close()] : [mint(collectionId, itemId)],
      ),
    )
    await close()
    const rows = await transactionsOf(collectionId)
    expect(rows.reduce((sum, row) => sum + row.mintCount, 0)).toBe(60)
    for (const row of rows)
      expect([row.mintCount, row.mintRequests.length]).toEqual([seen.get(row.id), seen.get(row.id)])
  })

  test('of 20 requests at once for one unit one mints, and 19 get sold_out', async () => {
    const { collectionId, itemIds } = await makeLockedItems(1)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => mint(collectionId, itemIds[0]!)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'sold_out' })
    expect((await transactionsOf(collectionId)).map((row) => row.mintCount)).toEqual([1])
  })
})

describe('transaction states', () => {
  test('a transaction that delivers a claim can’t be cancelled', async () => {
    const { id, itemId, collectionId } = await sendClaim(organization)
    const mint = await requestMint(organization.ctx, {
      collectionId,
      itemId,
      quantity: 1n,
      toAddress: makeRandomAddress(),
      claimId: id,
      hold: { from: { type: 'CLAIM', id } },
    })
    const answer = await api.post(`/v1/transactions/${await carrierOf(mint.id)}/cancel`)
    expect([answer.status, answer.body.code]).toEqual([409, 'transaction_in_use'])
  })

  test('only allowed state changes succeed, and of concurrent ones exactly one', async () => {
    const { collectionId, itemIds } = await makeLockedItems(1)
    const id = await carrierOf((await mint(collectionId, itemIds[0]!)).id)
    const step = (state: 'PENDING' | 'SUBMITTED' | 'COMPLETED', to: 'SUBMITTED' | 'COMPLETED' | 'FAILED') =>
      inTransaction(organization.ctx, (tx) => advanceTransaction(tx, { id, state }, to))
    await expect(step('SUBMITTED', 'SUBMITTED')).rejects.toMatchObject({ code: 'conflict' })
    await expect(step('COMPLETED', 'FAILED')).rejects.toMatchObject({ code: 'conflict' })
    const race = await Promise.allSettled(Array.from({ length: 5 }, () => step('PENDING', 'SUBMITTED')))
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const audits = await organization.ctx.db.auditEntry.count({
      where: { subjectId: id, action: 'transaction.advanced' },
    })
    expect(audits).toBe(1)
  })
})
