import type { EmailClaim, Item } from '../../generated/prisma/client.ts'

type ToldClaim = Pick<EmailClaim, 'id' | 'itemId' | 'collectionId' | 'campaignId' | 'email' | 'quantity' | 'txPayer'>

/** What events and the audit log say of a claim: never its link. */
export const claimEventOf = (claim: ToldClaim & { item: Pick<Item, 'tokenId'> }, more: object = {}) => ({
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
