import { secondsFrom } from '../../core/clock.ts'
import { isUuid } from '../../core/id.ts'
import { hmac, isHmacOf } from '../../core/secrets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { PIN_PROOF_SECONDS } from '../../platform/auth/cookies.ts'
import { linkOf } from '../current-claim.ts'
import { pinExpired, typedPin } from './judge-pin.ts'
import type { ShownPin } from './judge-redemptions.ts'

const PROOF = /^([0-9a-f-]{36})\.(\d{13})\.([\w-]{43})$/

/**
 * A proof that a browser has shown a claim's PIN. It is good for one link, until `expires_at`, and only as long as that
 * PIN isn't void or used up.
 */
export type PinProof = { proof: string; expires_at: Date }

const partsOf = (ctx: Context, pinId: string, until: number) => {
  const { id, generation } = linkOf(ctx)
  return [id, generation, pinId, until] as const
}

/** A proof for whoever has just shown this PIN. */
export function makePinProof(ctx: Context, pinId: string): PinProof {
  const expires_at = secondsFrom(ctx.now(), PIN_PROOF_SECONDS)
  const mac = hmac('pin-proof', ...partsOf(ctx, pinId, expires_at.getTime())).toString('base64url')
  return { proof: `${pinId}.${expires_at.getTime()}.${mac}`, expires_at }
}

/**
 * The PIN that the caller's browser showed before; null without a proof of this link that is still good. Whether the
 * PIN is, the books say.
 */
function provenPinOf(ctx: Context): string | null {
  const [, pinId = '', until = '', mac = ''] = PROOF.exec(linkOf(ctx).pinProof ?? '') ?? []
  if (!isUuid(pinId) || Number(until) <= ctx.now().getTime()) return null
  return isHmacOf(Buffer.from(mac, 'base64url'), 'pin-proof', ...partsOf(ctx, pinId, Number(until))) ? pinId : null
}

/**
 * The PIN that the caller types, or else the one that their browser has proved before. Throws `pin_required` without
 * either and for a text that can't be a PIN, and `pin_expired` for a proof that isn't good any more.
 */
export function shownIn(ctx: Context, pin: string | null | undefined): ShownPin {
  if (pin != null || !linkOf(ctx).pinProof) return { pin: typedPin(pin) }
  const provenPinId = provenPinOf(ctx)
  if (!provenPinId) throw pinExpired()
  return { provenPinId }
}
