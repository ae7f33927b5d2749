import { beforeAll, describe, expect, test } from 'vitest'
import type { EmailClaim, OutboxMessage } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf } from '../support/call.ts'
import { makeItem, installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

type Outcome = Partial<
  Pick<EmailClaim, 'state' | 'openedAt' | 'lastPinSentAt' | 'remindedAt' | 'expiresAt' | 'campaignId'>
>
type Mail = Partial<Pick<OutboxMessage, 'state' | 'deliveredAt' | 'bouncedAt' | 'templateType'>>
const at = (day: number) => new Date(Date.UTC(2026, 2, day, 12))

async function makeClaim(
  { ctx, id: organizationId }: TestOrganization,
  day: number,
  outcome: Outcome,
  mails: Mail[] = [{ state: 'SENT' }],
) {
  const { itemId, collectionId } = await makeItem({ ctx, id: organizationId } as TestOrganization)
  const id = newId()
  await ctx.db.emailClaim.create({
    data: {
      id,
      organizationId,
      collectionId,
      itemId,
      email: 'ada@example.com',
      quantity: 1n,
      txPayer: 'SELLER',
      createdAt: at(day),
      ...outcome,
    },
  })
  for (const mail of mails)
    await systemClient().outboxMessage.create({
      data: {
        id: newId(),
        organizationId,
        claimId: id,
        templateType: 'REDEEM_NFT',
        toEmail: 'ada@example.com',
        messageId: newId(),
        ...mail,
      },
    })
  return { id, collectionId }
}
const nothing = {
  created: 0,
  sent: 0,
  delivered: 0,
  bounced: 0,
  opened: 0,
  pin_asked: 0,
  claimed: 0,
  expired: 0,
  revoked: 0,
  reminded: 0,
}
const campaignOf = async ({ ctx, id: organizationId }: TestOrganization) =>
  (await ctx.db.campaign.create({ data: { id: newId(), organizationId, name: newId(), createdAt: at(1) } })).id

describe('claim analytics', () => {
  test('each claim counts once per outcome, in the interval in which it was created', async () => {
    const campaignId = await campaignOf(mine)
    await makeClaim(mine, 1, { campaignId }, [
      { state: 'SENT', deliveredAt: at(1) },
      { state: 'SENT', deliveredAt: at(2) },
    ])
    await makeClaim(mine, 1, { campaignId }, [{ state: 'SENT', bouncedAt: at(1) }])
    await makeClaim(mine, 1, { campaignId }, [
      { state: 'SENT', bouncedAt: at(1) },
      { state: 'SENT', deliveredAt: at(2) },
    ])
    await makeClaim(mine, 1, { campaignId }, [{ state: 'PENDING' }, { state: 'SENT', templateType: 'CLAIM_PINCODE' }])
    await makeClaim(mine, 3, { campaignId, openedAt: at(3), remindedAt: at(9) })
    await makeClaim(mine, 3, { campaignId, lastPinSentAt: at(3) })
    await makeClaim(mine, 3, { campaignId, state: 'CLAIMED', openedAt: at(3), lastPinSentAt: at(3) })
    await makeClaim(mine, 3, { campaignId, state: 'REDEEMED' })
    await makeClaim(mine, 3, { campaignId, state: 'EXPIRED', expiresAt: at(4) })
    await makeClaim(mine, 3, { campaignId, state: 'OPEN', expiresAt: at(4) })
    const { collectionId } = await makeClaim(mine, 3, { campaignId, state: 'REVOKED' })
    await makeClaim(mine, 3, { state: 'REVOKED' })

    const { status, body } = await api.get(`/v1/analytics/campaigns/${campaignId}?to=2026-03-03T20:00:00Z`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-03T20:00:00.000Z', interval: 'DAY' })
    const days = [
      { ...nothing, created: 4, sent: 3, delivered: 2, bounced: 1 },
      nothing,
      { ...nothing, created: 7, sent: 7, opened: 4, pin_asked: 3, claimed: 2, expired: 2, revoked: 1, reminded: 1 },
    ]
    expect(body.series.map(({ claims }: { claims: object }) => claims)).toEqual(days)
    expect(body.totals).toEqual({
      ...nothing,
      created: 11,
      sent: 10,
      delivered: 2,
      bounced: 1,
      opened: 4,
      pin_asked: 3,
      claimed: 2,
      expired: 2,
      revoked: 1,
      reminded: 1,
    })

    const span = 'from=2026-03-01T00:00:00Z&to=2026-03-31T00:00:00Z'
    const totals = async (more: string) => (await api.get(`/v1/analytics/claims?${span}${more}`)).body.totals
    expect(await totals('')).toMatchObject({ created: 12, revoked: 2 })
    expect(await totals(`&campaign_id=${campaignId}`)).toMatchObject({ created: 11, revoked: 1 })
    expect(await totals(`&collection_id=${collectionId}`)).toEqual({ ...nothing, created: 1, sent: 1, revoked: 1 })
    const weeks = (await api.get(`/v1/analytics/claims?${span}&interval=WEEK`)).body.series
    expect(
      weeks
        .slice(0, 2)
        .map(({ start, claims }: { start: string; claims: { created: number } }) => [
          start.slice(0, 10),
          claims.created,
        ]),
    ).toEqual([
      ['2026-02-23', 4],
      ['2026-03-02', 8],
    ])
  })

  test('figures cover one organization; a foreign campaign is not found; reversed or too long spans are refused', async () => {
    const theirs = await makeOrganization()
    const campaignId = await campaignOf(theirs)
    await makeClaim(theirs, 1, { campaignId })
    expect((await api.get(`/v1/analytics/claims?campaign_id=${campaignId}`)).status).toBe(404)
    expect((await api.get(`/v1/analytics/campaigns/${campaignId}`)).status).toBe(404)
    const { body } = await callerOf((await makeOrganization()).key).get('/v1/analytics/claims')
    expect([body.totals, body.series.length]).toEqual([nothing, 31])
    expect(
      (await api.get('/v1/analytics/claims?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z')).body.errors[0].field,
    ).toBe('from')
    const own = await campaignOf(mine)
    for (const path of ['claims', `campaigns/${own}`])
      expect((await api.get(`/v1/analytics/${path}?from=2020-03-02T00:00:00Z&to=2026-03-01T00:00:00Z`)).status).toBe(
        400,
      )
    expect((await api.get(`/v1/analytics/campaigns/${own}`)).body.totals).toEqual(nothing)
  })
})
