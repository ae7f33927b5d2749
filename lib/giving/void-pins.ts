import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'

const VOID: Statement = {
  name: 'void_pins',
  text: `UPDATE pins SET state = 'VOID' WHERE organization_id = $1::uuid AND claim_id = $2::uuid AND state = 'OPEN'`,
}

/** Makes a claim's open PIN stop working. Call it with the claim locked. */
export const voidPins = (tx: Context, claimId: string): Promise<void> => tx.later(VOID, tx.organizationId, claimId)

/** Makes a claim's link and PIN useless, and discards their mails that weren't sent. Call it with the claim locked. */
export async function voidLink(tx: Context, claimId: string): Promise<void> {
  await voidPins(tx, claimId)
  await discardMails(tx, claimId, ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIM_REMINDER'])
}
