import type { EmailClaim, Pin } from '../../../generated/prisma/client.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { plainDigits } from '../../core/digits.ts'
import { isHmacOf } from '../../core/secrets.ts'
import { findServerKey } from '../../core/server-keys.ts'
import { MAX_WRONG_PINS, MAX_WRONG_PINS_OF_LINK } from '../claim-state.ts'

const MAX_TRIES_PER_PIN = 5

/** Which bound a wrong guess reached. */
type Lock = 'claim' | 'link'
type Guessed = Pick<EmailClaim, 'id' | 'wrongPins' | 'linkWrongPins'>
export type OpenPin = Pick<Pin, 'id' | 'hash' | 'serverKeyId' | 'wrongTries' | 'state'>

/** `wrong`: what claim and PIN have become, and what the audit log says where that locks the claim. */
type PinVerdict =
  | { is: 'right' }
  | { is: 'expired' }
  | {
      is: 'wrong'
      claim: Pick<EmailClaim, 'wrongPins' | 'linkWrongPins'>
      pin: Pick<Pin, 'wrongTries' | 'state'>
      lockedBy: string | null
      error: AppError
    }

const LAST_TRY = {
  claim: 'It was the last try: ask the sender to send the link again.',
  link: 'It was the last try: ask the sender for a new link.',
} as const satisfies Record<Lock, string>

/** The reason for the lock in the audit log. */
const WHY = {
  claim: `${MAX_WRONG_PINS} wrong PINs`,
  link: `${MAX_WRONG_PINS_OF_LINK} wrong PINs at one link, which works no more: make a new one.`,
} as const satisfies Record<Lock, string>

export const pinExpired = () => new AppError('pin_expired', 'There is no PIN that still works. Ask for a new one.')

/**
 * The digits of a PIN as somebody typed or pasted it. What can't be one is refused before anything is judged, so it
 * costs no try.
 */
export function typedPin(text: string | null | undefined): string {
  const pin = text && plainDigits(text).normalize('NFKC').replace(/[\s-]/g, '')
  if (!pin) throw fieldError('pin_required', 'pin', 'Type the PIN that we mailed to you.')
  if (!/^[0-9]{6}$/.test(pin))
    throw fieldError(
      'pin_required',
      'pin',
      'A PIN has six digits. Type the one that we mailed to you.',
      'invalid_format',
    )
  return pin
}

/**
 * Judges a guess by what the guesses before it left: at most five wrong ones per PIN, 20 until the claim is locked, and
 * 50 at one link over all time. `open` is the claim's PIN that is open and hasn't expired.
 */
export function judgePin(claim: Guessed, open: OpenPin, guess: string): PinVerdict {
  if (open.serverKeyId !== null && !findServerKey(open.serverKeyId)) return { is: 'expired' }
  if (isHmacOf(open.hash, 'pin', claim.id, guess)) return { is: 'right' }
  const wrongTries = open.wrongTries + 1
  const wrongPins = claim.wrongPins + 1
  const linkWrongPins = claim.linkWrongPins + 1
  const lock = linkWrongPins >= MAX_WRONG_PINS_OF_LINK ? 'link' : wrongPins >= MAX_WRONG_PINS ? 'claim' : null
  const triesLeft = Math.min(
    MAX_TRIES_PER_PIN - wrongTries,
    MAX_WRONG_PINS - wrongPins,
    MAX_WRONG_PINS_OF_LINK - linkWrongPins,
  )
  return {
    is: 'wrong',
    claim: { wrongPins, linkWrongPins },
    pin: { wrongTries, state: lock || wrongTries >= MAX_TRIES_PER_PIN ? 'VOID' : 'OPEN' },
    lockedBy: lock && WHY[lock],
    error: pinWrong(triesLeft, lock),
  }
}

function pinWrong(triesLeft: number, lock: Lock | null): AppError {
  const rest = lock
    ? LAST_TRY[lock]
    : triesLeft === 0
      ? 'It was the last try: ask for a new PIN.'
      : triesLeft === 1
        ? 'One try is left.'
        : `${triesLeft} tries are left.`
  return new AppError('pin_wrong', `This is not the PIN. ${rest}`, { extra: { tries_left: triesLeft } })
}
