import type { Input, Output } from '../platform/api/endpoint.ts'
import type { createEmailClaim as endpoint } from '../platform/api/email-claims.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { lockCampaign } from '../messaging/campaigns/lock-campaign.ts'
import { assertOperatorMayMint } from '../catalog/collections/show-collection.ts'
import { secondsFrom } from '../core/clock.ts'
import { fieldError, notFound } from '../core/errors.ts'
import { assertNotSuppressed } from '../messaging/email-integrations/find-suppression.ts'
import { type ItemRow, withCollection } from '../catalog/items/show-item.ts'
import { CLAIM_LIFE_SECONDS } from './claim-state.ts'
import { issueClaim } from './issue-claim.ts'
import { emailClaimOf } from './show-claim.ts'
import { assertDeployed, assertLocked } from '../catalog/items/assert-ready.ts'

/** Sends an item to an email address: holds the units, and mails the link that redeems them. */
export async function createClaim(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const quantity = body.quantity ?? 1n
  const txPayer = body.tx_payer ?? 'SELLER'
  if (body.expiration && body.expiration <= ctx.now())
    throw fieldError('invalid_request', 'expiration', 'This time has passed.')
  const item = await ctx.db.item.findFirst({ where: { id: body.item_id }, ...withCollection })
  if (!item) throw notFound()
  assertClaimable(item, quantity, txPayer)
  await assertNotSuppressed(ctx, body.email)

  return inTransaction(ctx, async (tx) => {
    await lockCampaign(tx, body.campaign_id)
    const createdAt = tx.now()
    const claim = await issueClaim(tx, {
      collectionId: item.collectionId,
      itemId: item.id,
      campaignId: body.campaign_id ?? null,
      email: body.email,
      quantity,
      txPayer,
      expiresAt: body.expiration ?? secondsFrom(createdAt, CLAIM_LIFE_SECONDS),
      createdAt,
      hold: 'take',
    })
    return emailClaimOf(tx, claim)
  })
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
