import type { ClaimToken, EmailClaim } from '../../generated/prisma/client.ts'
import { type Audited, recordAudits } from '../records/audit/record-audit.ts'
import type { Context } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'
import { runIn, writeIn } from '../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../db/statements.ts'
import { assertWithinQuota } from '../messaging/outbox/mail-quota.ts'
import { mailsCalls } from '../messaging/outbox/write-mail.ts'
import { type CausedEvent, eventsCall } from '../messaging/webhooks/record-event.ts'
import { type PassedHold, passHold } from '../stock/advance-hold.ts'
import { holdCall } from '../stock/hold-many.ts'
import { stockError } from '../stock/hold-units.ts'
import { claimEventOf } from './claim-event.ts'
import { type CampaignFacts, type ClaimFacts, type ItemFacts, readClaimFacts } from './claim-facts.ts'
import { linkMailOf } from './claim-mails.ts'
import { claimUrlOf, tokenRowOf, tokensCall } from './claim-token.ts'

export type NewClaim = Pick<
  EmailClaim,
  'collectionId' | 'itemId' | 'campaignId' | 'email' | 'quantity' | 'txPayer' | 'expiresAt' | 'createdAt'
> & {
  locale?: string | null
  purchaseIntentId?: string
  escrowId?: string
  /** The units: taken from stock, or passed on by their holder. */
  hold: 'take' | PassedHold
}

/** A new claim, with its valid link: nothing is minted or signed for it yet. */
export type IssuedClaim = EmailClaim & {
  item: ItemFacts
  campaign: CampaignFacts | null
  tokens: [Pick<ClaimToken, 'hash'>]
  mintRequests: []
  vouchers: []
}

const INSERT: Statement = {
  name: 'insert_claims',
  text: `INSERT INTO email_claims (id, organization_id, collection_id, item_id, campaign_id, email, quantity, tx_payer,
      expires_at, purchase_intent_id, escrow_id, locale, created_at, updated_at)
    SELECT c.id, $1::uuid, c.collection_id, c.item_id, c.campaign_id, c.email, c.quantity, c.tx_payer::"TxPayer",
      c.expires_at, c.purchase_intent_id, c.escrow_id, c.locale, c.created_at, c.created_at
    FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, collection_id uuid, item_id uuid, campaign_id uuid, email text,
      quantity bigint, tx_payer text, expires_at timestamptz, purchase_intent_id uuid, escrow_id uuid,
      locale text, created_at timestamptz)`,
}

/** Makes a claim: holds its units, and mails the link that redeems them. */
export const issueClaim = async (tx: Context, order: NewClaim): Promise<IssuedClaim> => {
  const facts = await readClaimFacts(runIn(tx), tx.organizationId, [order], tx.now())
  return (await issueClaims(tx, facts, [order]))[0]!
}

/**
 * Makes many claims of one organization, all or none, with a number of statements that doesn't grow with theirs.
 * Returns the claims in the order given.
 */
export async function issueClaims(tx: Context, facts: ClaimFacts, orders: readonly NewClaim[]): Promise<IssuedClaim[]> {
  assertWithinQuota(facts.quota, orders.length)
  const claims = orders.map((order) => issuedOf(tx.organizationId, facts, order))
  const { insert, hold, rest, events } = await claimsCalls(
    tx,
    facts,
    claims.map((claim, at) => ({ claim, takes: orders[at]!.hold === 'take', requestId: tx.requestId })),
  )
  await writeIn(tx, insert)
  try {
    await runIn(tx)(...hold)
  } catch (error) {
    throw stockError(error)
  }
  for (const [at, { hold: held, itemId }] of orders.entries())
    if (held !== 'take') await passHold(tx, held, { type: 'CLAIM', id: claims[at]!.id }, itemId)
  await writeIn(tx, ...rest, eventsCall(events, tx.now()))
  await recordAudits(tx, claims.map(creationOf))
  return claims
}

/** The row of a new claim. */
export function issuedOf(organizationId: string, facts: ClaimFacts, order: NewClaim): IssuedClaim {
  const { hold: _, purchaseIntentId = null, escrowId = null, locale = null, ...given } = order
  const claim = {
    ...given,
    id: newId(),
    organizationId,
    purchaseIntentId,
    escrowId,
    locale,
    state: 'OPEN' as const,
    generation: 1,
    wrongPins: 0,
    linkWrongPins: 0,
    toAddress: null,
    openedAt: null,
    lastPinSentAt: null,
    redeemedAt: null,
    claimedAt: null,
    revokedAt: null,
    declinedAt: null,
    remindedAt: null,
    updatedAt: order.createdAt,
  }
  return {
    ...claim,
    item: facts.items.get(order.itemId)!,
    campaign: facts.campaigns.get(order.campaignId ?? '') ?? null,
    tokens: [tokenRowOf(claim)],
    mintRequests: [],
    vouchers: [],
  }
}

/**
 * The statements that write new claims with all that belongs to them but their audit entries: the claims, then what
 * holds their units, then the rest. Where the database refuses a hold, see `stockError`.
 */
export async function claimsCalls(
  ctx: Pick<Context, 'ports' | 'now' | 'organizationId' | 'requestId'>,
  facts: ClaimFacts,
  issued: readonly { claim: IssuedClaim; takes: boolean; requestId: string }[],
): Promise<{ insert: Call; hold: Call[]; rest: Call[]; events: CausedEvent[] }> {
  const { organizationId } = ctx
  const now = ctx.now()
  const claims = issued.map(({ claim }) => claim)
  const taking = Map.groupBy(
    issued.filter(({ takes }) => takes),
    ({ claim }) => claim.collectionId,
  )
  // A hold changes its collection's counters: collections are locked in the order of their ids.
  const collections = [...taking].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const mails = mailsCalls(
    ctx,
    organizationId,
    issued.map(({ claim, requestId }) => ({
      ...linkMailOf(ctx, facts.organization, claim, claimUrlOf(ctx, claim)!),
      // Who bought something doesn't wait for a campaign's day.
      notBefore: claim.purchaseIntentId === null ? claim.campaign?.sendAt : null,
      requestId,
    })),
  )
  return {
    insert: call(INSERT, organizationId, JSON.stringify(claims.map(rowOf))),
    hold: collections.map(([id, group]) => holdCall({ organizationId, id }, group.map(holdOf), now)),
    rest: [tokensCall(organizationId, claims, now), ...mails.calls],
    events: issued.map(({ claim, requestId }) => ({
      organizationId,
      type: 'claim.created',
      key: claim.id,
      data: factsOf(claim),
      requestId,
    })),
  }
}

/** The audit entry of a new claim. */
export const creationOf = (claim: IssuedClaim): Audited => ({
  action: 'email_claim.created',
  subject: { type: 'email_claim', id: claim.id },
  after: factsOf(claim),
})

const factsOf = (claim: IssuedClaim) =>
  claimEventOf(claim, {
    ...(claim.purchaseIntentId && { purchase_intent_id: claim.purchaseIntentId }),
    ...(claim.escrowId && { transfer_id: claim.escrowId }),
  })

const rowOf = (claim: IssuedClaim) => ({
  id: claim.id,
  collection_id: claim.collectionId,
  item_id: claim.itemId,
  campaign_id: claim.campaignId,
  email: claim.email,
  quantity: claim.quantity.toString(),
  tx_payer: claim.txPayer,
  expires_at: claim.expiresAt,
  purchase_intent_id: claim.purchaseIntentId,
  escrow_id: claim.escrowId,
  locale: claim.locale,
  created_at: claim.createdAt,
})

const holdOf = ({ claim: { id, itemId, quantity } }: { claim: IssuedClaim }) => ({
  id: newId(),
  itemId,
  holder: { type: 'CLAIM' as const, id },
  quantity,
})
