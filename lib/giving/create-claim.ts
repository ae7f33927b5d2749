import type { Input, Output } from '../platform/api/endpoint.ts'
import type { createEmailClaim as endpoint } from '../platform/api/email-claims.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { lockCampaign } from '../messaging/campaigns/lock-campaign.ts'
import { assertOperatorMayMint } from '../catalog/collections/show-collection.ts'
import { secondsFrom } from '../core/clock.ts'
import { fieldError, notFound } from '../core/errors.ts'
import { assertNoneSuppressed } from '../messaging/email-integrations/find-suppression.ts'
import { type ItemRow, withCollection } from '../catalog/items/show-item.ts'
import { lockItemRows } from '../stock/lock-item-rows.ts'
import { CLAIM_LIFE_SECONDS } from './claim-state.ts'
import { issueClaims } from './issue-claim.ts'
import type { ClaimRow } from './read-claim.ts'
import { emailClaimOf } from './show-claim.ts'
import { assertDeployed, assertLocked } from '../catalog/items/assert-ready.ts'

type Body = Input<typeof endpoint>['body']

/** Sends an item to an email address: holds the units, and mails the link that redeems them. */
export const createClaim = (ctx: Context, body: Body): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => emailClaimOf(tx, (await createClaims(tx, [body]))[0]!))

/** The same for many addresses in one transaction: all or none. Throws for the first that isn't possible. */
export async function createClaims(tx: Context, bodies: readonly Body[]): Promise<ClaimRow[]> {
  if (bodies.length === 0) return []
  const now = tx.now()
  if (bodies.some(({ expiration }) => expiration && expiration <= now))
    throw fieldError('invalid_request', 'expiration', 'This time has passed.')
  const itemIds = [...new Set(bodies.map(({ item_id }) => item_id))]
  const items = await findItems(tx, itemIds)
  for (const { item_id, quantity, tx_payer } of bodies) {
    const item = items.get(item_id)
    if (!item) throw notFound()
    assertClaimable(item, quantity ?? 1n, tx_payer ?? 'SELLER')
  }
  await assertNoneSuppressed(
    tx,
    bodies.map(({ email }) => email),
  )
  for (const campaignId of new Set(bodies.map(({ campaign_id }) => campaign_id))) await lockCampaign(tx, campaignId)
  if (itemIds.length > 1) await lockItemRows(tx, itemIds)
  return issueClaims(
    tx,
    bodies.map((body) => ({
      collectionId: items.get(body.item_id)!.collectionId,
      itemId: body.item_id,
      campaignId: body.campaign_id ?? null,
      email: body.email,
      quantity: body.quantity ?? 1n,
      txPayer: body.tx_payer ?? 'SELLER',
      expiresAt: body.expiration ?? secondsFrom(now, CLAIM_LIFE_SECONDS),
      createdAt: now,
      hold: 'take' as const,
    })),
  )
}

async function findItems(tx: Context, ids: string[]): Promise<Map<string, ItemRow>> {
  const rows = await tx.db.item.findMany({ where: { id: { in: ids } }, ...withCollection })
  return new Map(rows.map((row) => [row.id, row]))
}

function assertClaimable(item: ItemRow, quantity: bigint, txPayer: 'SELLER' | 'BUYER'): void {
  const { collection } = item
  assertLocked(item, 'sent')
  assertDeployed(collection, 'sent')
  if (quantity > 1n && collection.tokenType === 'ERC721')
    throw fieldError('supply_invalid', 'quantity', 'There is one unit of each item of an ERC-721 collection.')
  if (txPayer === 'BUYER' && collection.deploymentType !== 'PLATFORM')
    throw fieldError(
      'voucher_unsupported',
      'tx_payer',
      'This collection’s contract is not one of ours and takes no mint vouchers. Use SELLER.',
    )
  assertOperatorMayMint(collection)
}
