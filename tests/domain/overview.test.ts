import { beforeEach, describe, expect, test } from 'vitest'
import type { Attention } from '../../lib/core/attention.ts'
import { findAttention } from '../../lib/data/analytics/find-attention.ts'
import { countActivity } from '../../lib/data/analytics/count-activity.ts'
import { getOverview } from '../../lib/data/analytics/get-overview.ts'
import { raiseAlarm, resolveAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { makeRandomAddress, makeItem, installFakeChain, sendClaim } from '../support/claims.ts'
import { makeListing } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

let mine: TestOrganization

beforeEach(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

const own = () => ({ id: newId(), organizationId: mine.id })
const kinds = (entries: Attention[]) => entries.map(({ kind }) => kind)

describe('counts of an organization', () => {
  test('the overview counts the organization’s own rows only', async () => {
    expect(await getOverview(mine.ctx)).toEqual({
      collections: 0,
      live: 0,
      items: 0,
      locked: 0,
      minted: 0,
      claims: 0,
      waiting: 0,
      claimed: 0,
      listings: 0,
      selling: 0,
      purchases: 0,
    })
    await sendClaim(mine)
    await makeItem(mine, { deployed: false, locked: false })
    await makeListing(mine)
    expect(await getOverview(mine.ctx)).toMatchObject({
      collections: 3,
      live: 2,
      items: 3,
      locked: 2,
      claims: 1,
      waiting: 1,
      claimed: 0,
      listings: 1,
      selling: 1,
    })
    expect(await getOverview((await makeOrganization()).ctx)).toMatchObject({ collections: 0, claims: 0 })
  })

  test('activity is counted for each of the last 30 days, including empty ones', async () => {
    const { id, collectionId, itemId } = await sendClaim(mine)
    await mine.ctx.db.emailClaim.update({ where: { id }, data: { redeemedAt: new Date(Date.now() - 86_400_000) } })
    await systemContext().db.itemHistory.create({
      data: {
        ...own(),
        collectionId,
        itemId,
        tokenId: '1',
        type: 'MINT',
        quantity: 3,
        fromAddress: makeRandomAddress(),
        toAddress: makeRandomAddress(),
        networkId: 31337,
        txHash: `0x${newId()}`,
        blockNumber: 1n,
        logIndex: 0,
        timestamp: new Date(),
      },
    })
    const days = await countActivity(mine.ctx, { days: 30 })
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ sent: 1, claimed: 0, minted: 3 })
    expect(days.at(-2)).toMatchObject({ sent: 0, claimed: 1, minted: 0 })
    expect(days[0]).toMatchObject({ sent: 0, claimed: 0, minted: 0 })
  })
})

describe('what needs attention', () => {
  test('nothing is listed when nothing is wrong', async () => {
    await sendClaim(mine)
    expect(await findAttention(mine.ctx)).toEqual([])
  })

  test('everything that waits for a person is listed with its id, urgent entries first', async () => {
    const { id: claimId, collectionId } = await sendClaim(mine)
    await mine.ctx.db.emailClaim.update({ where: { id: claimId }, data: { state: 'LOCKED' } })
    const deployment = await mine.ctx.db.collection.create({
      data: { ...own(), name: 'Night garden', deploymentStatus: 'FAILED' },
    })
    const transaction = await mine.ctx.db.transaction.create({
      data: {
        ...own(),
        collectionId,
        networkId: 31337,
        txType: 'ADMIN_MINT',
        state: 'FAILED',
        failure: 'It was reverted.',
        completedAt: new Date(),
      },
    })
    await mine.ctx.db.transaction.create({
      data: {
        ...own(),
        collectionId,
        networkId: 31337,
        txType: 'ADMIN_MINT',
        state: 'FAILED',
        completedAt: new Date(Date.now() - 30 * 86_400_000),
      },
    })
    const integration = await mine.ctx.db.paymentIntegration.create({
      data: { ...own(), mode: 'TEST', adapter: 'SANDBOX', status: 'PENDING' },
    })
    const mail = await mine.ctx.db.emailIntegration.create({
      data: {
        ...own(),
        provider: 'CUSTOM_SMTP',
        status: 'FAILED',
        config: {},
        secrets: new Uint8Array(),
        lastError: 'The server refused the password.',
      },
    })
    await mine.ctx.db.suppression.create({ data: { ...own(), email: 'a@example.com', reason: 'BOUNCE' } })
    const webhook = await mine.ctx.db.webhook.create({
      data: {
        ...own(),
        name: 'Shop',
        url: 'https://example.com',
        secret: new Uint8Array(),
        status: 'DISABLED',
        disabledReason: 'It answered 500 for five days.',
      },
    })
    const imported = await mine.ctx.db.import.create({
      data: {
        ...own(),
        kind: 'ITEMS',
        options: {},
        fileName: 'birds.csv',
        rowCount: 2,
        okCount: 2,
        duplicateCount: 0,
        invalidCount: 0,
      },
    })
    const listing = await makeListing(mine, { start_time: new Date(Date.now() + 3_600_000) })
    await mine.ctx.db.listing.update({ where: { id: listing.id }, data: { paymentProviders: ['MINT_VOUCHER'] } })

    const found = await findAttention(mine.ctx)
    expect(found.map(({ kind, subject, urgent }) => [kind, subject, urgent])).toEqual([
      ['deployment', deployment.id, true],
      ['transaction', transaction.id, true],
      ['email_integration', mail.id, true],
      ['webhook', webhook.id, true],
      ['listing', listing.id, true],
      ['payment_integration', integration.id, false],
      ['claim', claimId, false],
      ['suppressions', null, false],
      ['import', imported.id, false],
    ])
    for (const { detail } of found) expect(detail).toMatch(/\.$/)
    expect(found.find(({ kind }) => kind === 'webhook')!.detail).toContain('five days')
    expect(await findAttention((await makeOrganization()).ctx)).toEqual([])
  })

  test('an unresolved purchase is listed once, not also by its alarm', async () => {
    const { purchase_intent_id: id, item_id: itemId } = await makeRows(mine)
    await mine.ctx.db.purchaseUnit.create({
      data: { organizationId: mine.id, intentId: id!, itemId: itemId!, quantity: 1n },
    })
    await mine.ctx.db.purchaseIntent.update({
      where: { id: id! },
      data: { status: 'UNRESOLVED', failure: 'The refund was refused.' },
    })
    await raiseAlarm(mine.ctx, 'purchase_unresolved', id!, 'The same in other words.')
    const found = (await findAttention(mine.ctx)).filter(({ kind }) => kind === 'purchase')
    expect(found).toMatchObject([
      { subject: id, urgent: true, detail: expect.stringContaining('The refund was refused.') },
    ])
  })

  test('a failed mail links to its claim, and entries beyond three of a kind are counted', async () => {
    const { id: claimId } = await sendClaim(mine)
    const [mail] = await mine.ctx.db.outboxMessage.findMany({ where: { claimId } })
    await raiseAlarm(mine.ctx, 'mail_failed', mail!.id, 'A mail could not be delivered.')
    expect(await findAttention(mine.ctx)).toMatchObject([
      { kind: 'mail', subject: claimId, detail: 'A mail could not be delivered.' },
    ])
    for (let at = 0; at < 5; at++) await raiseAlarm(mine.ctx, 'mail_failed', newId(), 'Another one.')
    const found = await findAttention(mine.ctx)
    expect(kinds(found)).toEqual(['mail', 'mail', 'mail'])
    expect(found.at(-1)!.detail).toBe('Another one. And 3 more of this kind.')
  })

  test('an operator low on gas is shown to all organizations, other alarms only to their own', async () => {
    const theirs = await makeOrganization()
    await raiseAlarm(theirs.ctx, 'card_account_lost', newId(), 'Their account is lost.')
    await raiseAlarm(systemContext(), 'nonce_taken', newId(), 'Something about another organization’s transaction.')
    const operator = newId()
    await raiseAlarm(
      systemContext(),
      'operator_low',
      operator,
      'The operator can’t pay for its transactions: fill it up.',
    )
    expect(await findAttention(mine.ctx)).toMatchObject([
      { kind: 'alarm', urgent: true, detail: 'The operator can’t pay for its transactions: fill it up.' },
    ])
    await resolveAlarm(systemContext(), 'operator_low', operator)
    expect(await findAttention(mine.ctx)).toEqual([])
  })
})
