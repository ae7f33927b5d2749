import { type Context, withoutIdempotentResult, inTransaction } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { isHmacOf } from '../core/secrets.ts'
import { findServerKey } from '../core/server-keys.ts'
import { advanceClaim } from './advance-claim.ts'
import { MAX_WRONG_PINS, MAX_WRONG_PINS_OF_LINK } from './claim-state.ts'
import { assertActive } from './current-claim.ts'
import { lockClaim } from './read-claim.ts'

const MAX_TRIES_PER_PIN = 5

type Verdict = { pinId: string } | { triesLeft: number; lock: Lock | null } | 'expired'
/** Which bound a wrong guess reached. */
type Lock = 'claim' | 'link'

const LAST_TRY = {
  claim: 'It was the last try: ask the sender to send the link again.',
  link: 'It was the last try: ask the sender for a new link.',
} as const satisfies Record<Lock, string>

/**
 * Tries a PIN and returns its id. Guesses at one claim are checked one after another, and a wrong one is counted before
 * the next is checked: at most five per PIN, 20 until the claim is locked, and 50 at one link over all time, however many arrive at once.
 * The count stays even if the request fails later.
 */
export async function guessPin(ctx: Context, claimId: string, pin: string): Promise<string> {
  const verdict = await inTransaction(withoutIdempotentResult(ctx), (tx) => checkGuess(tx, claimId, pin))
  if (verdict === 'expired') throw pinExpired()
  if ('pinId' in verdict) return verdict.pinId
  const { triesLeft, lock } = verdict
  const rest = lock
    ? LAST_TRY[lock]
    : triesLeft === 0
      ? 'It was the last try: ask for a new PIN.'
      : triesLeft === 1
        ? 'One try is left.'
        : `${triesLeft} tries are left.`
  throw new AppError('pin_wrong', `This is not the PIN. ${rest}`, { extra: { tries_left: triesLeft } })
}

/** What the audit log says of the lock. */
const WHY = {
  claim: `${MAX_WRONG_PINS} wrong PINs`,
  link: `${MAX_WRONG_PINS_OF_LINK} wrong PINs at one link, which works no more: make a new one.`,
} as const satisfies Record<Lock, string>

export const pinExpired = () => new AppError('pin_expired', 'There is no PIN that still works. Ask for a new one.')

async function checkGuess(tx: Context, claimId: string, pin: string): Promise<Verdict> {
  const claim = await lockClaim(tx, claimId)
  assertActive(tx, claim)
  const open = await tx.db.pin.findFirst({ where: { claimId, state: 'OPEN', expiresAt: { gt: tx.now() } } })
  if (!open || (open.serverKeyId !== null && !findServerKey(open.serverKeyId))) return 'expired'
  if (isHmacOf(open.hash, 'pin', claimId, pin)) return { pinId: open.id }
  const ofPin = open.wrongTries + 1
  const ofClaim = claim.wrongPins + 1
  const ofLink = claim.linkWrongPins + 1
  const lock = ofLink >= MAX_WRONG_PINS_OF_LINK ? 'link' : ofClaim >= MAX_WRONG_PINS ? 'claim' : null
  const counts = { wrongPins: ofClaim, linkWrongPins: ofLink }
  await tx.db.pin.updateMany({
    where: { id: open.id },
    data: { wrongTries: ofPin, ...((lock || ofPin >= MAX_TRIES_PER_PIN) && { state: 'VOID' }) },
  })
  if (lock) await advanceClaim(tx, claim, 'LOCKED', counts, WHY[lock])
  else await tx.db.emailClaim.updateMany({ where: { id: claimId }, data: counts })
  const left = [MAX_TRIES_PER_PIN - ofPin, MAX_WRONG_PINS - ofClaim, MAX_WRONG_PINS_OF_LINK - ofLink]
  return { triesLeft: Math.min(...left), lock }
}
