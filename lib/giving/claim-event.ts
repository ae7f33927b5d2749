import type { EmailClaim, Item } from '../../generated/prisma/client.ts'

/** What events and the audit log say of a claim: never its link. */
export const claimEventOf = (claim: EmailClaim & { item: Pick<Item, 'tokenId'> }, more: object = {}) => ({
  email_claim_id: claim.id,
  item_id: claim.itemId,
  collection_id: claim.collectionId,
  campaign_id: claim.campaignId,
  token_id: claim.item.tokenId,
  email: claim.email,
  quantity: claim.quantity,
  tx_payer: claim.txPayer,
  ...more,
})
