import type { Voucher } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'
import { assertOneOfAKind, notInCustody } from '../../onchain/mints/request-mint.ts'
import { assertUnminted } from '../../onchain/vouchers/sign-voucher.ts'
import { type Gas, spendGas } from '../../orders/gas-budget.ts'
import { assertDeliverableNow } from '../../stock/custody.ts'
import { assertActive } from '../current-claim.ts'
import { judgePin, pinExpired } from './judge-pin.ts'
import type { LockedClaim, LockedFacts, LockedPin } from './lock-claims.ts'
import type { Redeemable } from './read-redeemable.ts'

/**
 * The proof that the mailbox is the caller's: the PIN from it, or the id of the PIN that their browser has shown
 * before.
 */
export type ShownPin = { pin: string } | { provenPinId: string }

/** The claim's pending voucher, or a new one that was signed for it. */
export type DueVoucher = { row: Voucher; isNew: boolean }

/**
 * A request with the PIN that it shows, and what is due for it: a mint of ours to an address, a voucher, or neither.
 */
export type Redemption = {
  ctx: Context
  claim: Redeemable
  shown: ShownPin
  mintTo: string | null
  voucher?: DueVoucher
  /** No node answered: the sender asks the receiver. */
  receiverUnasked?: boolean
}

/** `right`: the PIN is, and nothing else was decided. */
export type Verdict =
  | { is: 'minted' }
  | { is: 'issued'; voucher: Voucher }
  | { is: 'right'; pinId: string }
  | { is: 'refused'; error: unknown }

/** A claim that changed, with its PIN. `before`: its state in the books; `why`: what the audit log says of its lock. */
export type ChangedClaim = {
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
  /** Those whose vouchers are to be stored. */
  vouched: readonly Redemption[]
}

/** The claims, PINs and gas after the redemptions that were judged so far, with their changes and mints. */
type Left = {
  claims: Map<string, LockedClaim>
  pins: Map<string, LockedPin>
  changed: Map<string, ChangedClaim>
  mints: DecidedMint[]
  gas: Gas | null
}

/**
 * Decides redemptions of claims of one collection in their order: a wrong PIN counts before the next one is judged, and
 * after a right one its claim is redeemed. Nothing is read or written here: the facts were read under the locks of the
 * transaction that writes what is decided.
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
  const vouched = orders.filter(({ voucher }, at) => voucher?.isNew && verdicts[at]!.is === 'issued')
  return { verdicts, changed: [...left.changed.values()], mints: left.mints, vouched }
}

function judge(facts: LockedFacts, left: Left, order: Redemption): Verdict {
  const { ctx, claim: asked, shown, mintTo, voucher: due } = order
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
  const used = { ...pin, state: 'USED' as const }
  if (due) {
    assertIssuable(facts, order, due)
    enter(left, order, { claim, pin: used, why: null, toAddress: due.isNew ? due.row.minter : null })
    return { is: 'issued', voucher: due.row }
  }
  if (mintTo === null) return { is: 'right', pinId: pin.id }
  assertMintable(facts, left, order)
  const redeemed = { ...claim, state: 'REDEEMED' as const }
  enter(left, order, { claim: redeemed, pin: used, why: null, toAddress: mintTo })
  left.mints.push({ id: newId(), order, toAddress: mintTo })
  return { is: 'minted' }
}

/**
 * A proof has a time of its own, so it outlives the minutes in which its PIN can be typed, but not what makes the PIN
 * void.
 */
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

/** Throws unless the voucher is still the claim's pending one, or may become it, and can be sent. */
function assertIssuable(
  { vouchers, items }: LockedFacts,
  { ctx, claim }: Redemption,
  { row, isNew }: DueVoucher,
): void {
  if (vouchers.get(claim.id) !== (isNew ? undefined : row.id))
    throw new AppError('conflict', 'The voucher changed meanwhile. Try again.')
  if (isNew) assertUnminted({ ...items.get(claim.itemId)!, collection: claim.item.collection })
  // Expired by our clock but not yet by the chain's: it can't be sent any more, and a second voucher could mint
  // twice.
  if (Number(row.expiry) * 1000 <= ctx.now().getTime())
    throw new AppError(
      'voucher_running_out',
      'The earlier voucher is just running out on the chain. Try again in a minute.',
      { retryAfterSeconds: 30 },
    )
}

/**
 * Throws where no mint can be requested, and counts its gas: that of an escrow was counted when its transfer was
 * accepted.
 */
function assertMintable({ minting, items }: LockedFacts, left: Left, { ctx, claim }: Redemption): void {
  const item = items.get(claim.itemId)
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
