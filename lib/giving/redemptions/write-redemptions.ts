import type { Context } from '../../platform/auth/context.ts'
import { auditCall } from '../../records/audit/record-audit.ts'
import type { Call } from '../../db/statements.ts'
import { eventsCall } from '../../messaging/webhooks/record-event.ts'
import { vouchersCall } from '../../onchain/vouchers/issue-voucher.ts'
import { mintCalls } from '../../onchain/mints/request-together.ts'
import { costOfMint } from '../../orders/gas-budget.ts'
import { passHoldsCall } from '../../stock/hold-many.ts'
import { advanceClaimsCall, type ClaimStep, claimStepAudits } from '../advance-claim.ts'
import { claimEventOf } from '../claim-event.ts'
import type { ChangedClaim, DecidedMint, Judged, Redemption } from './judge-redemptions.ts'
import type { LockedFacts } from './lock-claims.ts'
import { pinsCall } from './spend-pin.ts'

/**
 * The statements that write what was decided, in the order of locks. They go out together with the end of their
 * transaction.
 */
export function redemptionCalls(
  { minting, items }: LockedFacts,
  { changed, mints, vouched }: Judged,
  now: Date,
): Call[] {
  if (changed.length === 0) return []
  const steps = changed.map((each) => stepOf(each, now))
  const audits = steps.flatMap((step) => claimStepAudits(step).map((entry) => ({ ctx: step.ctx, entry })))
  const events = [...mints.map(mintEventOf), ...vouched.map(voucherEventOf)]
  return [
    advanceClaimsCall(steps, now),
    pinsCall(changed.map(({ pin }) => pin)),
    ...(minting && mints.length > 0 ? mintingCalls(minting, items, mints, now) : []),
    ...(vouched.length > 0 ? [vouchersCall(vouched.map(({ voucher }) => voucher!.row))] : []),
    ...(events.length > 0 ? [eventsCall(events, now)] : []),
    ...(audits.length > 0 ? [auditCall(audits, now)] : []),
  ]
}

const stepOf = ({ ctx, claim, before, why, toAddress }: ChangedClaim, now: Date): ClaimStep & { ctx: Context } => ({
  ctx,
  claim: { id: claim.id, state: before },
  ...(claim.state !== before && { to: claim.state }),
  change: {
    wrongPins: claim.wrongPins,
    linkWrongPins: claim.linkWrongPins,
    ...(toAddress !== null && { toAddress, redeemedAt: now }),
  },
  why,
})

const mintingCalls = (
  { collection, waiting, gas }: NonNullable<LockedFacts['minting']>,
  items: LockedFacts['items'],
  mints: readonly DecidedMint[],
  now: Date,
): Call[] => [
  passHoldsCall(
    { from: 'CLAIM', to: 'MINT_REQUEST' },
    mints.map(({ id, order }) => ({ fromId: order.claim.id, toId: id, itemId: order.claim.itemId })),
    now,
  ),
  ...mintCalls(
    mints.map(({ id, toAddress, order: { ctx, claim, receiverUnasked = false } }) => ({
      id,
      itemId: claim.itemId,
      quantity: claim.quantity,
      toAddress,
      receiverUnasked,
      claimId: claim.id,
      escrowId: claim.escrowId,
      custodian: items.get(claim.itemId)!.custodian,
      requestId: ctx.requestId,
    })),
    {
      collection: { ...collection, networkId: collection.networkId! },
      waiting,
      gasWei: costOfMint(gas),
      now,
    },
  ),
]

const mintEventOf = ({ id, toAddress, order }: DecidedMint) =>
  redeemedEventOf(order, id, { to_address: toAddress, mint_request_id: id })

function voucherEventOf(order: Redemption) {
  const { id, minter } = order.voucher!.row
  return redeemedEventOf(order, id, { to_address: minter, voucher_id: id })
}

const redeemedEventOf = <More extends object>({ ctx, claim }: Redemption, key: string, more: More) => ({
  organizationId: claim.organizationId,
  type: 'claim.redeemed' as const,
  key,
  data: claimEventOf(claim, more),
  requestId: ctx.requestId,
})
