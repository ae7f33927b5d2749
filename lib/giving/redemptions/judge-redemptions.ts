import type { Context } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'
import { assertOneOfAKind, notInCustody } from '../../onchain/mints/request-mint.ts'
import { type Gas, spendGas } from '../../orders/gas-budget.ts'
import { assertDeliverableNow } from '../../stock/custody.ts'
import { assertActive } from '../current-claim.ts'
import { judgePin, pinExpired } from './judge-pin.ts'
import type { LockedClaim, LockedFacts, LockedPin } from './lock-claims.ts'
import type { Redeemable } from './read-redeemable.ts'

/** What shows that the mailbox is the caller's: the PIN from it, or the id of the one that their browser has shown before. */
export type Shown = { pin: string } | { provenPinId: string }

/** What one request shows, and the address to mint to: null where no mint of ours is due. */
export type Redemption = {
  ctx: Context
  claim: Redeemable
  shown: Shown
  mintTo: string | null
  /** No node answered: the sender asks the receiver. */
  receiverUnasked?: boolean
}

/** `right`: the PIN is, and nothing else was decided. */
export type Verdict = { is: 'minted' } | { is: 'right'; pinId: string } | { is: 'refused'; error: unknown }

/** A claim that changed, with its PIN. `before`: its state in the books; `why`: what the audit log says of its lock. */
type ChangedClaim = {
  /** Of the request that changed it last. */
  ctx: Context
  claim: LockedClaim
  before: LockedClaim['state']
  pin: LockedPin
  why: string | null
  toAddress: string | null
}
export type DecidedMint = { id: string; order: Redemption; toAddress: string }
export type Judged = {
  verdicts: readonly Verdict[]
  changed: readonly ChangedClaim[]
  mints: readonly DecidedMint[]
}

/** What the redemptions before one have left. */
type Left = {
  claims: Map<string, LockedClaim>
  pins: Map<string, LockedPin>
  changed: Map<string, ChangedClaim>
  mints: DecidedMint[]
  gas: Gas | null
}

/**
 * Decides redemptions of claims of one collection in their order: a wrong PIN counts before the next one is judged, and after a right one its
 * claim is redeemed. Nothing is read or written here: the facts were read under the locks of the transaction that writes what is decided.
 */
export function judgeRedemptions(facts: LockedFacts, orders: readonly Redemption[]): Judged {
  const left: Left = {
    claims: new Map(facts.claims.map((claim) => [claim.id, claim])),
    pins: new Map(facts.pins.map((pin) => [pin.claimId, pin])),
    changed: new Map(),
    mints: [],
    gas: facts.minting?.gas ?? null,
  }
  const verdicts = orders.map((order): Verdict => {
    try {
      return judge(facts, left, order)
    } catch (error) {
      return { is: 'refused', error }
    }
  })
  return { verdicts, changed: [...left.changed.values()], mints: left.mints }
}

function judge(facts: LockedFacts, left: Left, order: Redemption): Verdict {
  const { ctx, claim: asked, shown, mintTo } = order
  // Its client was told that the request took too long.
  ctx.signal?.throwIfAborted()
  const claim = left.claims.get(asked.id)
  if (!claim) throw notFound()
  assertActive(ctx, claim)
  const pin = openPinOf(left, order)
  if (!pin) throw pinExpired()
  const verdict = 'pin' in shown ? judgePin(claim, pin, shown.pin) : ({ is: 'right' } as const)
  if (verdict.is === 'expired') throw pinExpired()
  if (verdict.is === 'wrong') {
    const { lockedBy: why, error } = verdict
    const counted = { ...claim, ...verdict.claim, ...(why !== null && { state: 'LOCKED' as const }) }
    enter(left, order, { claim: counted, pin: { ...pin, ...verdict.pin }, why, toAddress: null })
    return { is: 'refused', error }
  }
  if (mintTo === null) return { is: 'right', pinId: pin.id }
  assertMintable(facts, left, order)
  const redeemed = { ...claim, state: 'REDEEMED' as const }
  enter(left, order, { claim: redeemed, pin: { ...pin, state: 'USED' }, why: null, toAddress: mintTo })
  left.mints.push({ id: newId(), order, toAddress: mintTo })
  return { is: 'minted' }
}

/** A proof has a time of its own, so it outlives the minutes in which its PIN can be typed, but not what makes the PIN void. */
function openPinOf({ pins }: Left, { ctx, claim, shown }: Redemption): LockedPin | null {
  const pin = pins.get(claim.id)
  if (pin?.state !== 'OPEN') return null
  const isGood = 'pin' in shown ? pin.expiresAt > ctx.now() : pin.id === shown.provenPinId
  return isGood ? pin : null
}

function enter(left: Left, { ctx }: Redemption, entry: Omit<ChangedClaim, 'ctx' | 'before'>): void {
  const { claim, pin } = entry
  const before = left.changed.get(claim.id)?.before ?? left.claims.get(claim.id)!.state
  left.claims.set(claim.id, claim)
  left.pins.set(claim.id, pin)
  left.changed.set(claim.id, { ...entry, ctx, before })
}

/** Throws where no mint can be requested, and counts its gas: that of an escrow was counted when its transfer was accepted. */
function assertMintable({ minting }: LockedFacts, left: Left, { ctx, claim }: Redemption): void {
  const item = minting?.items.get(claim.itemId)
  if (!minting || !item) throw notFound()
  const { collection, holders } = minting
  assertDeliverableNow(ctx, item)
  assertLocked(item, 'minted')
  assertDeployed(collection, 'minted')
  assertOneOfAKind(collection, claim.quantity)
  if (!holders.has(claim.id)) throw new AppError('conflict', 'The units are not held any more.')
  if (claim.escrowId !== null && item.custodian === null) throw notInCustody()
  if (claim.escrowId === null) left.gas = spendGas(left.gas!, 1)
}
