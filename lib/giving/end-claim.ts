import type { Context } from '../platform/auth/context.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'
import { openTransaction } from '../orders/open-transaction.ts'
import { advanceClaim } from './advance-claim.ts'
import { giveUnitsBack } from './give-units-back.ts'
import { lockInFull } from './read-claim.ts'
import { voidPins } from './void-pins.ts'

/**
 * Ends a claim that nobody has redeemed. Its units come free, unless a signed voucher could still mint them: that is cancelled on
 * the chain first, and the units return once the chain has said so.
 */
export async function endClaim(tx: Context, id: string): Promise<void> {
  const claim = await lockInFull(tx, id)
  if (claim.state !== 'OPEN' && claim.state !== 'LOCKED') return
  await advanceClaim(tx, claim, 'REVOKED', { revokedAt: tx.now() })
  await voidPins(tx, id)
  await discardMails(tx, id, ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIM_REMINDER'])
  const [voucher] = claim.vouchers
  if (voucher?.state !== 'PENDING') return giveUnitsBack(tx, claim, 'REVOKED')
  const { collectionId, networkId } = voucher
  await openTransaction(tx, { collectionId, networkId, txType: 'CANCEL_VOUCHER', payload: { voucher_id: voucher.id } })
}
