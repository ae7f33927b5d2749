import type { EmailClaim, MintRequest, Transaction, Voucher } from '../../generated/prisma/client.ts'
import { DAY } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import type { Network } from '../ports/chain/chain.ts'

export type InactiveReason = 'EXPIRED' | 'LOCKED' | 'REVOKED' | 'CLAIMED' | 'REPLACED'
/** How long a claim can be redeemed, by default. */
export const CLAIM_LIFE_SECONDS = 30 * DAY
/** Wrong PINs until a claim is locked, whichever PINs were sent; sending the link again unlocks it. */
export const MAX_WRONG_PINS = 20
/** Wrong PINs at one link over all time; then only a new link helps, which goes to the mailbox alone. */
export const MAX_WRONG_PINS_OF_LINK = 50

/** The states of a claim that was redeemed, whether its token has arrived or not. */
export const REDEEMED = ['REDEEMED', 'CLAIMED'] as const

export const isRedeemed = ({ state }: { state: string }): boolean => REDEEMED.some((each) => each === state)

type Life = Pick<EmailClaim, 'state' | 'expiresAt' | 'generation'>

/**
 * Why a claim can't be redeemed with this link; null while it can. Decided by the clock, not by when the worker marked
 * it expired.
 */
export function inactiveReasonOf(claim: Life, now: Date, generation = claim.generation): InactiveReason | null {
  if (generation !== claim.generation) return 'REPLACED'
  if (isRedeemed(claim)) return 'CLAIMED'
  if (claim.state === 'REVOKED') return 'REVOKED'
  if (claim.state === 'EXPIRED' || (claim.expiresAt && claim.expiresAt <= now)) return 'EXPIRED'
  return claim.state === 'LOCKED' ? 'LOCKED' : null
}

const SENTENCES = {
  EXPIRED: 'This link has expired. Ask the sender for a new one.',
  REVOKED: 'The sender has taken this link back.',
  REPLACED: 'A newer link took the place of this one. Look for the newest mail about it.',
  LOCKED:
    'The PIN was typed wrongly too often, so this link is locked. Ask the sender to send it again: that unlocks it.',
  CLAIMED: 'This was redeemed already.',
} as const satisfies Record<InactiveReason, string>

const NEEDS_NEW_LINK =
  `${MAX_WRONG_PINS_OF_LINK} wrong PINs were typed at this link, so it can’t be used any more. ` +
  'Ask the sender for a new link: sending this one again doesn’t unlock it.'

/** Whether so many wrong PINs were typed at a claim's link that it never works again. */
export const needsNewLink = ({ linkWrongPins }: Pick<EmailClaim, 'linkWrongPins'>): boolean =>
  linkWrongPins >= MAX_WRONG_PINS_OF_LINK

const DECLINED = 'The recipient has declined this, so it went back to the sender.'

/** The error for what an inactive claim can't do. */
export function inactiveError(
  reason: InactiveReason,
  claim: Pick<EmailClaim, 'linkWrongPins' | 'declinedAt'>,
): AppError {
  const extra = { inactive_reason: reason }
  if (reason === 'LOCKED' && needsNewLink(claim)) return new AppError('claim_locked', NEEDS_NEW_LINK, { extra })
  if (reason === 'CLAIMED') return new AppError('claim_already_claimed', SENTENCES.CLAIMED, { extra })
  if (reason === 'LOCKED') return new AppError('claim_locked', SENTENCES.LOCKED, { extra })
  const isDeclined = reason === 'REVOKED' && claim.declinedAt !== null
  return new AppError('claim_not_active', isDeclined ? DECLINED : SENTENCES[reason], { extra })
}

export type Delivery = {
  state: 'NOT_STARTED' | 'QUEUED' | 'SUBMITTED' | 'CONFIRMED' | 'FAILED'
  tx_hash: string | null
  network_id: number | null
  token_id: string | null
  explorer_url: string | null
  failure: string | null
}

type Mint = Pick<MintRequest, 'state' | 'txHash' | 'failure'> & { transaction: Pick<Transaction, 'txHash'> }

const DELIVERY_OF_MINT = {
  WAITING: 'QUEUED',
  SUBMITTED: 'SUBMITTED',
  COMPLETED: 'CONFIRMED',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
} as const satisfies Record<MintRequest['state'], Delivery['state']>

export const NOT_DELIVERED: Delivery = {
  state: 'NOT_STARTED',
  tx_hash: null,
  network_id: null,
  token_id: null,
  explorer_url: null,
  failure: null,
}

/** How far the delivery is: by our own mint request, or by the recipient's voucher. */
export function deliveryOf(
  place: { networkId: number | null; tokenId: string | null; network: Pick<Network, 'explorerUrl'> | undefined },
  mint: Mint | undefined,
  voucher: Pick<Voucher, 'state' | 'txHash'> | undefined,
): Delivery {
  const at = { network_id: place.networkId, token_id: place.tokenId }
  const done = (state: Delivery['state'], txHash: string | null, failure: string | null = null): Delivery => ({
    ...at,
    state,
    tx_hash: txHash,
    explorer_url: txHash && place.network?.explorerUrl ? `${place.network.explorerUrl}/tx/${txHash}` : null,
    failure,
  })
  if (mint) return done(DELIVERY_OF_MINT[mint.state], mint.txHash ?? mint.transaction.txHash, mint.failure)
  if (voucher?.state === 'REDEEMED') return done('CONFIRMED', voucher.txHash)
  return done('NOT_STARTED', null)
}

/** Enough for its owner to recognise the address, too little for anyone else; it hides the lengths as well. */
export function emailHintOf(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  const [name = '', ...rest] = domain.split('.')
  return `${local.slice(0, 1)}•••@${name.slice(0, 1)}•••${rest.length > 0 ? `.${rest.at(-1)}` : ''}`
}
