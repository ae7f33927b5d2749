import type { EmailClaim } from '../../generated/prisma/client.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import type { Context } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'
import { type PassedHold, passHold } from '../stock/advance-hold.ts'
import { type Holder, holdUnits } from '../stock/hold-units.ts'
import { getCustody, assertVoucherPossible, assertCustodianConfigured } from '../stock/custody.ts'
import { recordEvent } from '../messaging/webhooks/record-event.ts'
import { claimEventOf } from './claim-event.ts'
import { mailLink } from './claim-mails.ts'
import { issueClaimToken } from './claim-token.ts'
import { type ClaimRow, readClaim } from './read-claim.ts'

export type NewClaim = Pick<
  EmailClaim,
  'collectionId' | 'itemId' | 'campaignId' | 'email' | 'quantity' | 'txPayer' | 'expiresAt' | 'createdAt'
> & {
  purchaseIntentId?: string
  /** The units: taken from stock, or passed on by their holder. */
  hold: 'take' | PassedHold
}

/** Makes a claim: holds its units, and mails the link that redeems them. */
export async function issueClaim(tx: Context, { hold, purchaseIntentId, ...order }: NewClaim): Promise<ClaimRow> {
  const id = newId()
  const { collectionId, itemId, quantity } = order
  await tx.db.emailClaim.create({
    data: { id, organizationId: tx.organizationId, ...order, purchaseIntentId: purchaseIntentId ?? null },
  })
  const holder: Holder = { type: 'CLAIM', id }
  if (hold === 'take') {
    await holdUnits(tx, holder, { collectionId, itemId, quantity })
    const item = await getCustody(tx, itemId)
    assertCustodianConfigured(tx, item)
    if (order.txPayer === 'BUYER') assertVoucherPossible(item, 'tx_payer')
  } else await passHold(tx, hold, holder, itemId)
  await issueClaimToken(tx, { id, generation: 1 })
  const claim = await readClaim(tx, id)
  await mailLink(tx, claim)
  const event = claimEventOf(claim, purchaseIntentId ? { purchase_intent_id: purchaseIntentId } : {})
  await recordEvent(tx, 'claim.created', id, event)
  await recordAudit(tx, { action: 'email_claim.created', subject: { type: 'email_claim', id }, after: event })
  return claim
}
