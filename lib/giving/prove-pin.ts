import type { Input } from '../platform/api/endpoint.ts'
import type { provePin as endpoint } from '../platform/api/public-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { serializeByKey } from '../core/serialize-by-key.ts'
import { linkOf } from './current-claim.ts'
import { assertStillHeld } from './end-lost-claim.ts'
import { pinExpired, typedPin } from './redemptions/judge-pin.ts'
import { makePinProof, type PinProof } from './redemptions/pin-proof.ts'
import { readRedeemable } from './redemptions/read-redeemable.ts'
import { judgeShown } from './redemptions/redeem-together.ts'

/**
 * Judges a PIN before anything is redeemed with it, by the same counts as a redemption. A right one isn't used up: the
 * caller gets a proof that redeems the claim in its place.
 */
export const provePin = (ctx: Context, body: Input<typeof endpoint>['body']): Promise<PinProof> =>
  serializeByKey(linkOf(ctx).id, async () => {
    const claim = await readRedeemable(ctx)
    const pin = typedPin(body.pin)
    if (!claim.hasPin) throw pinExpired()
    assertStillHeld(claim)
    return makePinProof(ctx, await judgeShown({ ctx, claim, shown: { pin } }))
  })
