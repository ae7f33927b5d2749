import type { Input } from '../platform/api/endpoint.ts'
import type { createEmailClaim } from '../platform/api/email-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { secondsFrom } from '../core/clock.ts'
import { fieldError, inEscrow, unknownId } from '../core/errors.ts'
import { localeGiven } from '../core/locale-given.ts'
import { assertDeployed, assertLocked } from '../catalog/items/assert-ready.ts'
import { assertOperatorMayMint } from '../catalog/collections/show-collection.ts'
import { addressSuppressed } from '../messaging/email-integrations/find-suppression.ts'
import { assertCustodianConfigured, assertVoucherPossible } from '../stock/custody.ts'
import type { ClaimFacts } from './claim-facts.ts'
import { CLAIM_LIFE_SECONDS } from './claim-state.ts'
import type { NewClaim } from './issue-claim.ts'

export type ClaimBody = Input<typeof createEmailClaim>['body']

/** The item, campaign and address that a request names, for `readClaimFacts`. */
export const wantedOf = ({ item_id, campaign_id, email }: ClaimBody) => ({
  itemId: item_id,
  campaignId: campaign_id ?? null,
  email,
})

/**
 * The claim that a body asks for. Throws where it isn't possible, except for want of units, which the database decides.
 */
export function assertClaimable(ctx: Pick<Context, 'ports' | 'now'>, facts: ClaimFacts, body: ClaimBody): NewClaim {
  const quantity = body.quantity ?? 1n
  const txPayer = body.tx_payer ?? 'SELLER'
  const createdAt = ctx.now()
  if (body.expiration && body.expiration <= createdAt)
    throw fieldError('invalid_request', 'expiration', 'This time has passed.')
  const item = facts.items.get(body.item_id)
  if (!item) throw unknownId('item_id', 'item')
  const { collection } = item
  assertLocked(item, 'sent')
  assertDeployed(collection, 'sent')
  if (item.inEscrow) throw inEscrow()
  if (quantity > 1n && collection.tokenType === 'ERC721')
    throw fieldError('supply_invalid', 'quantity', 'There is one unit of each item of an ERC-721 collection.')
  if (txPayer === 'BUYER' && collection.deploymentType !== 'PLATFORM')
    throw fieldError(
      'voucher_unsupported',
      'tx_payer',
      'This collection’s contract is not one of ours and takes no mint vouchers. Use SELLER.',
    )
  assertOperatorMayMint(collection)
  const suppression = facts.suppressions.get(body.email.toLowerCase())
  if (suppression) throw addressSuppressed(suppression)
  if (body.campaign_id && !facts.campaigns.has(body.campaign_id)) throw unknownId('campaign_id', 'campaign')
  assertCustodianConfigured(ctx, item)
  if (txPayer === 'BUYER') assertVoucherPossible(item, 'tx_payer')
  return {
    collectionId: item.collectionId,
    itemId: item.id,
    campaignId: body.campaign_id ?? null,
    email: body.email,
    quantity,
    txPayer,
    locale: localeGiven(body.locale),
    expiresAt: body.expiration ?? secondsFrom(createdAt, CLAIM_LIFE_SECONDS),
    createdAt,
    hold: 'take',
  }
}
