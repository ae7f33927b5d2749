import type { Input } from '../platform/api/endpoint.ts'
import type { declineClaim as endpoint } from '../platform/api/public-claims.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { serializeByKey } from '../core/serialize-by-key.ts'
import { recordEvent } from '../messaging/webhooks/record-event.ts'
import { isRecovering, recoveringError } from '../orders/recovering.ts'
import { claimEventOf } from './claim-event.ts'
import { assertActive, linkOf } from './current-claim.ts'
import { type LinkedClaim, lockLinkedClaim } from './lock-linked-claim.ts'
import { pinExpired } from './redemptions/judge-pin.ts'
import { shownIn } from './redemptions/pin-proof.ts'
import { readRedeemable } from './redemptions/read-redeemable.ts'
import { judgeShown } from './redemptions/redeem-together.ts'
import { spendPin } from './redemptions/spend-pin.ts'
import { returnClaimUnits } from './return-claim-units.ts'
import { withdrawClaim } from './withdraw-claim.ts'

/**
 * The recipient doesn't want a gift: it is revoked, and its units return to stock. Its PIN is judged as for a
 * redemption, since others may have the link. Throws `conflict` for what was bought, and `recovering` as `revokeClaim`
 * does.
 */
export const declineClaim = (ctx: Context, body: Input<typeof endpoint>['body']): Promise<undefined> =>
  serializeByKey(linkOf(ctx).id, async () => {
    const claim = await readRedeemable(ctx)
    const shown = shownIn(ctx, body.pin)
    if ('pin' in shown && !claim.hasPin) throw pinExpired()
    const pinId = await judgeShown({ ctx, claim, shown })
    return inTransaction(ctx, async (tx) => {
      const locked = await lockLinkedClaim(tx, claim.id)
      assertActive(tx, locked)
      assertGift(locked)
      if (await isRecovering(tx, locked.collectionId)) throw recoveringError()
      await spendPin(tx, pinId)
      if ((await withdrawClaim(tx, locked, { declined: true })) === 'units_free')
        await returnClaimUnits(tx, locked, 'REVOKED')
      await recordEvent(tx, 'claim.declined', claim.id, claimEventOf(claim))
      return undefined
    })
  })

function assertGift({ purchaseIntentId }: LinkedClaim): void {
  if (purchaseIntentId !== null)
    throw new AppError(
      'conflict',
      'This was bought, so it can’t be declined. Ask the seller if you want your money back.',
    )
}
