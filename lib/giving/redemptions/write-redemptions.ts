import { auditCall } from '../../records/audit/record-audit.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import { eventsCall } from '../../messaging/webhooks/record-event.ts'
import { mintCalls } from '../../onchain/mints/request-together.ts'
import { costOfMint } from '../../orders/gas-budget.ts'
import { passHoldsCall } from '../../stock/hold-many.ts'
import { advanceGuessedClaims } from '../advance-claim.ts'
import { claimEventOf } from '../claim-event.ts'
import type { DecidedMint, Judged } from './judge-redemptions.ts'
import type { LockedFacts, LockedPin } from './lock-claims.ts'

const GUESSED: Statement = {
  name: 'change_guessed_pins',
  text: `UPDATE pins p SET state = g.state::"PinState", wrong_tries = g.wrong_tries
    FROM unnest($1::uuid[], $2::text[], $3::int[]) AS g(id, state, wrong_tries) WHERE p.id = g.id`,
}

const pinsCall = (pins: readonly LockedPin[]): Call =>
  call(
    GUESSED,
    pins.map(({ id }) => id),
    pins.map(({ state }) => state),
    pins.map(({ wrongTries }) => wrongTries),
  )

/** The statements that write what was decided, in the order of locks. They go out together with the end of their transaction. */
export function redemptionCalls({ minting }: LockedFacts, { changed, mints }: Judged, now: Date): Call[] {
  if (changed.length === 0) return []
  const { change, audits } = advanceGuessedClaims(changed, now)
  return [
    change,
    pinsCall(changed.map(({ pin }) => pin)),
    ...(minting && mints.length > 0 ? mintedCalls(minting, mints, now) : []),
    ...(audits.length > 0 ? [auditCall(audits, now)] : []),
  ]
}

const mintedCalls = (
  { collection, items, waiting, gas }: NonNullable<LockedFacts['minting']>,
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
  eventsCall(
    mints.map(({ id, toAddress, order: { ctx, claim } }) => ({
      organizationId: collection.organizationId,
      type: 'claim.redeemed' as const,
      key: id,
      data: claimEventOf(claim, { to_address: toAddress, mint_request_id: id }),
      requestId: ctx.requestId,
    })),
    now,
  ),
]
