import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { countClaims, funnelsOf } from '../../lib/data/analytics/count-claims.ts'
import { countSales } from '../../lib/data/analytics/count-sales.ts'
import { foldFigures } from '../../lib/data/analytics/fold-figures.ts'
import { FIGURES } from '../../lib/data/reconciliation/verify-figures.ts'
import { systemClient } from '../../lib/db/client.ts'
import { deleteCampaign } from '../../lib/messaging/campaigns/delete-campaign.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Claims and purchases are random rows, of which only figures are compared.')

let mine: TestOrganization
let places: { itemId: string; collectionId: string }[]

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  places = [await makeItem(mine), await makeItem(mine)]
})

const fold = () => foldFigures(systemContext('test'))
const chance = (share: number) => Math.random() < share
const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!
/** Between 1 March and 10 March 2026. */
const someTime = () => new Date(Date.UTC(2026, 2, 1) + Math.floor(Math.random() * 10 * 86_400_000))
const from = new Date('2026-03-01T00:00:00Z')

/** Counts the rows themselves. */
async function countByHand(
  { id, ctx }: TestOrganization,
  to: Date,
  campaignId: string | null,
  collectionId: string | null,
) {
  return systemClient().$queryRaw<Record<string, unknown>[]>(Prisma.sql`
    SELECT (c.created_at AT TIME ZONE 'UTC')::date::text AS start, count(*) AS created,
      count(*) FILTER (WHERE mails.sent) AS sent,
      count(*) FILTER (WHERE mails.delivered_at IS NOT NULL) AS delivered,
      count(*) FILTER (WHERE mails.bounced_at IS NOT NULL AND (mails.delivered_at IS NULL OR mails.delivered_at < mails.bounced_at)) AS bounced,
      count(*) FILTER (WHERE c.opened_at IS NOT NULL OR c.last_pin_sent_at IS NOT NULL OR c.state IN ('REDEEMED', 'CLAIMED')) AS opened,
      count(*) FILTER (WHERE c.last_pin_sent_at IS NOT NULL OR c.state IN ('REDEEMED', 'CLAIMED')) AS pin_asked,
      count(*) FILTER (WHERE c.state IN ('REDEEMED', 'CLAIMED')) AS claimed,
      count(*) FILTER (WHERE c.state = 'EXPIRED' OR (c.state IN ('OPEN', 'LOCKED') AND c.expires_at <= ${ctx.now()})) AS expired,
      count(*) FILTER (WHERE c.state = 'REVOKED') AS revoked,
      count(*) FILTER (WHERE c.reminded_at IS NOT NULL) AS reminded
    FROM email_claims c LEFT JOIN LATERAL (
      SELECT bool_or(m.state = 'SENT') AS sent, max(m.delivered_at) AS delivered_at, max(m.bounced_at) AS bounced_at
      FROM outbox_messages m WHERE m.claim_id = c.id AND m.template_type IN ('REDEEM_NFT', 'CLAIM_REMINDER')) mails ON true
    WHERE c.organization_id = ${id}::uuid AND c.created_at >= ${from} AND c.created_at <= ${to}
      AND (${campaignId}::uuid IS NULL OR c.campaign_id = ${campaignId}::uuid) AND (${collectionId}::uuid IS NULL OR c.collection_id = ${collectionId}::uuid)
    GROUP BY 1 ORDER BY 1`)
}

const claimRow = (campaignId: string | null) => {
  const { itemId, collectionId } = pick(places)
  return {
    id: newId(),
    organizationId: mine.id,
    collectionId,
    itemId,
    campaignId,
    email: 'ada@example.com',
    quantity: 1n,
    txPayer: 'SELLER' as const,
    createdAt: someTime(),
    expiresAt: chance(0.3) ? someTime() : null,
    state: pick(['OPEN', 'LOCKED', 'REDEEMED', 'CLAIMED', 'EXPIRED', 'REVOKED'] as const),
  }
}
const maybe = (): Date | null => (chance(0.4) ? someTime() : null)
const someMail = () => ({
  state: pick(['PENDING', 'SENT', 'FAILED'] as const),
  deliveredAt: maybe(),
  bouncedAt: maybe(),
})

describe('figures of claims', () => {
  test('sums and changes together are what the rows say, whatever happens between two folds', async () => {
    const { ctx } = mine
    const campaigns = await Promise.all(
      [1, 2].map(() => ctx.db.campaign.create({ data: { id: newId(), organizationId: mine.id, name: newId() } })),
    )
    const campaignIds: string[] = campaigns.map(({ id }) => id)
    const claims: string[] = []
    const mails: string[] = []
    const compare = async () => {
      const to = chance(0.5) ? new Date('2026-03-31T00:00:00Z') : someTime()
      const campaignId = chance(0.5) ? pick(campaignIds) : null
      const collectionId = chance(0.5) ? pick(places).collectionId : null
      const expected = await countByHand(mine, to, campaignId, collectionId)
      const { series } = await countClaims(ctx, { from, to, collection_id: collectionId, campaign_id: campaignId })
      const counted = series.filter(({ claims: { created } }) => created > 0n)
      expect(counted.map(({ start, claims: one }) => ({ start: start.toISOString().slice(0, 10), ...one }))).toEqual(
        expected,
      )
    }
    for (let step = 0; step < 24; step++) {
      const rows = Array.from({ length: 5 }, () => claimRow(chance(0.6) ? pick(campaignIds) : null))
      await ctx.db.emailClaim.createMany({ data: rows })
      claims.push(...rows.map(({ id }) => id))
      const mail = newId()
      const type = pick(['REDEEM_NFT', 'CLAIM_REMINDER', 'CLAIM_PINCODE'])
      await systemClient().outboxMessage.create({
        data: {
          id: mail,
          organizationId: mine.id,
          claimId: pick(claims),
          templateType: type,
          toEmail: 'ada@example.com',
          messageId: mail,
          ...someMail(),
        },
      })
      mails.push(mail)
      await systemClient().outboxMessage.updateMany({
        where: { id: { in: [pick(mails), pick(mails)] } },
        data: someMail(),
      })
      const { state } = claimRow(null)
      await ctx.db.emailClaim.updateMany({
        where: { id: { in: [pick(claims), pick(claims), pick(claims)] } },
        data: { state, openedAt: maybe(), lastPinSentAt: maybe(), remindedAt: maybe() },
      })
      if (step % 3 === 0) await fold()
      await compare()
    }
    const [gone, left] = campaignIds
    await deleteCampaign(ctx, gone!)
    campaignIds.shift()
    await compare()
    await fold()
    await compare()
    const everything = await countByHand(mine, new Date('2026-03-31T00:00:00Z'), left!, null)
    expect((await funnelsOf(ctx, [left!])).get(left!)!.created).toBe(
      everything.reduce((sum, { created }) => sum + (created as bigint), 0n),
    )
  })

  test('a change that is committed after a later one was counted is counted once', async () => {
    const theirs = await makeOrganization()
    const { itemId, collectionId } = await makeItem(theirs)
    const add = { ...claimRow(null), organizationId: theirs.id, itemId, collectionId, createdAt: from }
    const created = async () =>
      (await countClaims(theirs.ctx, { from, to: new Date('2026-03-02T00:00:00Z') })).totals.created
    await systemClient().$transaction(
      async (slow) => {
        await slow.emailClaim.create({ data: { ...add, id: newId() } })
        await theirs.ctx.db.emailClaim.create({ data: { ...add, id: newId() } })
        await fold()
        expect(await created()).toBe(1n)
      },
      { timeout: 30_000 },
    )
    expect(await created()).toBe(2n)
    await fold()
    expect(await created()).toBe(2n)
    const waiting = await systemClient().claimChange.count({ where: { organizationId: theirs.id } })
    expect(waiting).toBe(0)
  })

  test('two folds at once count a claim once', async () => {
    const theirs = await makeOrganization()
    const { itemId, collectionId } = await makeItem(theirs)
    const rows = Array.from({ length: 50 }, () => ({
      ...claimRow(null),
      organizationId: theirs.id,
      itemId,
      collectionId,
      createdAt: from,
    }))
    await theirs.ctx.db.emailClaim.createMany({ data: rows })
    await Promise.all([fold(), fold(), fold()])
    await theirs.ctx.db.emailClaim.updateMany({ where: {}, data: { openedAt: from } })
    await Promise.all([fold(), fold()])
    const { totals } = await countClaims(theirs.ctx, { from, to: new Date('2026-03-02T00:00:00Z') })
    expect([totals.created, totals.opened]).toEqual([50n, 50n])
  })
})

describe('figures of sales', () => {
  const salesByHand = (to: Date, listingId: string | null, collectionId: string | null) =>
    systemClient().$queryRaw<Record<string, unknown>[]>(Prisma.sql`
      SELECT (p.confirmed_at AT TIME ZONE 'UTC')::date::text AS start, p.currency,
        count(*) FILTER (WHERE p.status <> 'REFUNDED') AS purchases,
        coalesce(sum(p.quantity - p.refunded_quantity) FILTER (WHERE p.status <> 'REFUNDED'), 0)::bigint AS units,
        sum(p.total)::text AS gross, count(*) FILTER (WHERE p.status = 'REFUNDED') AS refunds,
        sum(CASE WHEN p.status = 'REFUNDED' THEN p.total ELSE div(p.total * p.refunded_quantity, p.quantity) END)::text AS refunded
      FROM purchase_intents p JOIN listings l ON l.id = p.listing_id
      WHERE p.organization_id = ${mine.id}::uuid AND p.status IN ('CONFIRMED', 'UNRESOLVED', 'REFUNDED')
        AND p.confirmed_at >= ${from} AND p.confirmed_at <= ${to}
        AND (${listingId}::uuid IS NULL OR l.id = ${listingId}::uuid) AND (${collectionId}::uuid IS NULL OR l.collection_id = ${collectionId}::uuid)
      GROUP BY 1, 2 ORDER BY 1, 2`)

  test('sums and changes together are what the purchases say, whatever happens between two folds', async () => {
    const { ctx } = mine
    const listings = await Promise.all(
      [0, 1, 1].map((place, at) =>
        ctx.db.listing.create({
          data: {
            id: newId(),
            organizationId: mine.id,
            collectionId: places[place]!.collectionId,
            mode: 'TEST',
            networkId: 31337,
            status: 'ACTIVE',
            quantityListed: 1_000n,
            price: 1500,
            currency: at === 0 ? 'EUR' : 'USD',
            currencyDecimals: 2,
            paymentProviders: ['CARD_PROVIDER'],
          },
        }),
      ),
    )
    const ids: string[] = []
    for (let step = 0; step < 24; step++) {
      const rows = Array.from({ length: 3 }, () => {
        const listing = pick(listings)
        return {
          id: newId(),
          organizationId: mine.id,
          listingId: listing.id,
          mode: 'TEST' as const,
          provider: 'CARD_PROVIDER' as const,
          status: pick(['PENDING', 'CONFIRMED', 'EXPIRED'] as const),
          fulfillmentMethod: 'EMAIL' as const,
          quantity: 3n,
          total: '1000',
          currency: listing.currency,
          buyerEmail: 'ada@example.com',
          secretHash: new Uint8Array(randomBytes(32)),
          expiresAt: from,
          confirmedAt: chance(0.8) ? someTime() : null,
        }
      })
      await ctx.db.purchaseIntent.createMany({ data: rows })
      ids.push(...rows.map(({ id }) => id))
      await ctx.db.purchaseIntent.updateMany({
        where: { id: { in: [pick(ids), pick(ids)] } },
        data: {
          status: pick(['CONFIRMED', 'UNRESOLVED', 'REFUNDED', 'CANCELLED'] as const),
          refundedQuantity: pick([0n, 1n, 2n]),
          confirmedAt: someTime(),
        },
      })
      if (step % 3 === 0) await fold()
      const to = chance(0.5) ? new Date('2026-03-31T00:00:00Z') : someTime()
      const listing_id = chance(0.4) ? pick(listings).id : null
      const collection_id = chance(0.4) ? pick(places).collectionId : null
      const { series } = await countSales(ctx, { from, to, listing_id, collection_id })
      expect(
        series.flatMap(({ start, sales }) =>
          sales.map(({ currency, purchases, units, gross, refunds, refunded }) => ({
            start: start.toISOString().slice(0, 10),
            currency,
            purchases,
            units,
            gross,
            refunds,
            refunded,
          })),
        ),
      ).toEqual(await salesByHand(to, listing_id, collection_id))
    }
  })
})

describe('verify', () => {
  const disagreements = async () => {
    const found = await Promise.all(
      Object.values(FIGURES).map((check) => systemContext('test').sql<{ subject: string }>(check)),
    )
    return found.map((rows) => rows.length)
  }

  test('verify finds no figure that isn’t what it counts, and finds each that was changed by hand', async () => {
    await fold()
    expect(await disagreements()).toEqual([0, 0, 0])
    const claim = await systemClient().claimFigure.findFirstOrThrow({ where: { organizationId: mine.id } })
    const change = (opened: boolean) =>
      systemClient().claimFigure.update({ where: { claimId: claim.claimId }, data: { opened } })
    await change(!claim.opened)
    expect((await disagreements()).slice(0, 2).every((many) => many > 0)).toBe(true)
    await change(claim.opened)
    const add = (units: number) =>
      systemClient().saleDay.updateMany({ where: { organizationId: mine.id }, data: { units: { increment: units } } })
    await add(1)
    expect((await disagreements())[2]).toBeGreaterThan(0)
    await add(-1)
    expect(await disagreements()).toEqual([0, 0, 0])
  })
})
