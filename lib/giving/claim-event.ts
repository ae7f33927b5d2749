import type { EmailClaim, Item } from '../../generated/prisma/client.ts'
import type { EventData } from '../platform/api/event-data.ts'

type ToldClaim = Pick<
  EmailClaim,
  'id' | 'itemId' | 'collectionId' | 'campaignId' | 'email' | 'quantity' | 'txPayer'
> & { item: Pick<Item, 'tokenId'> }
type Told = EventData<'claim.created'>

/** The data of a claim in events and the audit log. Its link is never in it. */
export function claimEventOf(claim: ToldClaim): Told
export function claimEventOf<More extends object>(claim: ToldClaim, more: More): Told & More
export function claimEventOf(claim: ToldClaim, more: object = {}): Told {
  return {
    email_claim_id: claim.id,
    item_id: claim.itemId,
    collection_id: claim.collectionId,
    campaign_id: claim.campaignId,
    token_id: claim.item.tokenId,
    email: claim.email,
    quantity: claim.quantity,
    tx_payer: claim.txPayer,
    ...more,
  }
}
