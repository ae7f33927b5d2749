import type { EmailClaim } from '../../generated/prisma/client.ts'
import { recordAudits } from '../records/audit/record-audit.ts'
import type { Context } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'
import { type PassedHold, passHold } from '../stock/advance-hold.ts'
import { type Holder, holdUnitsOfMany } from '../stock/hold-units.ts'
import { assertVoucherPossible, assertCustodianConfigured } from '../stock/custody.ts'
import { recordEvents } from '../messaging/webhooks/record-event.ts'
import { claimEventOf } from './claim-event.ts'
import { mailLinks } from './claim-mails.ts'
import { issueClaimTokens } from './claim-token.ts'
import type { ClaimRow } from './read-claim.ts'

export type NewClaim = Pick<
  EmailClaim,
  'collectionId' | 'itemId' | 'campaignId' | 'email' | 'quantity' | 'txPayer' | 'expiresAt' | 'createdAt'
> & {
  purchaseIntentId?: string
  /** The units: taken from stock, or passed on by their holder. */
  hold: 'take' | PassedHold
}

/** Makes a claim: holds its units, and mails the link that redeems them. */
export const issueClaim = async (tx: Context, order: NewClaim): Promise<ClaimRow> =>
  (await issueClaims(tx, [order]))[0]!

/**
 * Makes many claims of one organization, all or none, with a number of statements that doesn't grow with theirs. The items must be locked
 * where they are several. Returns the claims in the order given.
 */
export async function issueClaims(tx: Context, orders: readonly NewClaim[]): Promise<ClaimRow[]> {
  const holders = orders.map((): Holder => ({ type: 'CLAIM', id: newId() }))
  const rows = await tx.db.emailClaim.createManyAndReturn({
    data: orders.map(({ hold: _, purchaseIntentId = null, ...order }, at) => ({
      id: holders[at]!.id,
      organizationId: tx.organizationId,
      purchaseIntentId,
      ...order,
    })),
  })
  await holdUnitsOfMany(
    tx,
    orders.flatMap(({ hold, collectionId, itemId, quantity }, at) =>
      hold === 'take' ? { holder: holders[at]!, collectionId, itemId, quantity } : [],
    ),
  )
  for (const [at, { hold, itemId }] of orders.entries())
    if (hold !== 'take') await passHold(tx, hold, holders[at]!, itemId)
  const claims = await withRelations(tx, inOrderOf(rows, holders))
  for (const [at, { item, txPayer }] of claims.entries()) {
    if (orders[at]!.hold !== 'take') continue
    assertCustodianConfigured(tx, item)
    if (txPayer === 'BUYER') assertVoucherPossible(item, 'tx_payer')
  }
  await mailLinks(tx, claims)
  const events = claims.map((claim) =>
    claimEventOf(claim, claim.purchaseIntentId ? { purchase_intent_id: claim.purchaseIntentId } : {}),
  )
  await recordEvents(
    tx,
    claims.map(({ id, organizationId }, at) => ({ organizationId, type: 'claim.created', key: id, data: events[at]! })),
  )
  await recordAudits(
    tx,
    claims.map(({ id }, at) => ({
      action: 'email_claim.created',
      subject: { type: 'email_claim', id },
      after: events[at]!,
    })),
  )
  return claims
}

function inOrderOf(rows: readonly EmailClaim[], holders: readonly Holder[]): EmailClaim[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return holders.map(({ id }) => byId.get(id)!)
}

/** New claims, with valid links, as `readClaim` would read them: nothing is minted or signed for them yet. */
async function withRelations(tx: Context, rows: readonly EmailClaim[]): Promise<ClaimRow[]> {
  const tokens = await issueClaimTokens(tx, rows)
  const items = await tx.db.item.findMany({ where: { id: { in: distinct(rows.map(({ itemId }) => itemId)) } } })
  const collections = await tx.db.collection.findMany({
    where: { id: { in: distinct(rows.map(({ collectionId }) => collectionId)) } },
  })
  const campaignIds = distinct(rows.flatMap(({ campaignId }) => campaignId ?? []))
  const campaigns = campaignIds.length > 0 ? await tx.db.campaign.findMany({ where: { id: { in: campaignIds } } }) : []
  const itemOf = new Map(items.map((item) => [item.id, item]))
  const collectionOf = new Map(collections.map((collection) => [collection.id, collection]))
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  return rows.map((row, at) => ({
    ...row,
    item: { ...itemOf.get(row.itemId)!, collection: collectionOf.get(row.collectionId)! },
    campaign: campaignOf.get(row.campaignId ?? '') ?? null,
    tokens: [tokens[at]!],
    mintRequests: [],
    vouchers: [],
  }))
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]
