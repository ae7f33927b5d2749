import type { MintState } from '../../../generated/prisma/client.ts'
import { recordAudits } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { claimsDelivered } from '../../giving/claim-delivered.ts'
import { claimUndelivered } from '../../giving/claim-undelivered.ts'
import { endLostClaim } from '../../giving/end-lost-claim.ts'
import { reopenClaim } from '../../giving/reopen-claim.ts'
import { AppError } from '../../core/errors.ts'
import { reconcileHolds } from '../indexer/reconcile-holds.ts'
import { purchaseDelivered, purchaseUndelivered } from '../../selling/purchases/purchase-delivered.ts'
import { purchaseMintFailed } from '../../selling/purchases/purchase-mint-failed.ts'
import { passBack } from '../../selling/purchases/purchase-parts.ts'
import { releaseHolds } from '../../stock/advance-hold.ts'

/** The life of a mint request, whether it mints or hands over what was minted. FAILED means for good: nothing signed can bring it on chain any more. */
const NEXT = {
  WAITING: ['SUBMITTED', 'FAILED', 'CANCELLED'],
  SUBMITTED: ['COMPLETED', 'FAILED', 'CANCELLED', 'WAITING'],
  COMPLETED: ['SUBMITTED'],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<MintState, readonly MintState[]>

export type Mint = { id: string; state: MintState; claimId: string | null; purchaseIntentId: string | null }

type Change = { txHash?: string | null; failure?: string }

/** Moves a mint request one step, and with it whoever waits for it: the claim it delivers, the units it holds. */
export const advanceMint = (tx: Context, mint: Mint, to: MintState, change: Change = {}): Promise<void> =>
  advanceMints(tx, [mint], to, change)

/** The same for those of one transaction, which go the same way together: as many statements for a hundred as for one. */
export async function advanceMints(
  tx: Context,
  mints: readonly Mint[],
  to: MintState,
  change: Change = {},
): Promise<void> {
  for (const [state, alike] of Map.groupBy(mints, (mint) => mint.state))
    await advanceAlike(tx, state, alike, to, change)
}

async function advanceAlike(
  tx: Context,
  state: MintState,
  mints: readonly Mint[],
  to: MintState,
  { txHash, failure }: Change,
): Promise<void> {
  if (!(NEXT[state] as readonly MintState[]).includes(to))
    throw new AppError('conflict', `A ${state} mint can't become ${to}.`)
  const { count } = await tx.db.mintRequest.updateMany({
    where: { id: { in: mints.map(({ id }) => id) }, state },
    data: {
      state: to,
      ...(txHash !== undefined && { txHash }),
      ...(failure !== undefined && { failure }),
      completedAt: to === 'COMPLETED' ? tx.now() : null,
    },
  })
  if (count !== mints.length) throw new AppError('conflict', 'The mint request changed meanwhile.')
  const after = { state: to, ...(failure && { failure }), ...(txHash && { tx_hash: txHash }) }
  await recordAudits(
    tx,
    mints.map(({ id }) => ({
      action: 'mint_request.advanced',
      subject: { type: 'mint_request', id },
      before: { state },
      after,
    })),
  )
  if (to === 'COMPLETED')
    await claimsDelivered(
      tx,
      mints.flatMap(({ claimId }) => claimId ?? []),
      { txHash: txHash! },
    )
  for (const mint of mints) {
    if (state === 'COMPLETED' && mint.claimId) await claimUndelivered(tx, mint.claimId)
    if (to === 'COMPLETED' && mint.purchaseIntentId) await purchaseDelivered(tx, mint.purchaseIntentId)
    if (state === 'COMPLETED' && mint.purchaseIntentId) await purchaseUndelivered(tx, mint.purchaseIntentId)
    if (to === 'FAILED' || to === 'CANCELLED') await giveBack(tx, mint, failure ?? 'The mint was cancelled.')
  }
}

/** What a mint that won't happen held goes back to its claim, which opens again, to its purchase, which is refunded, or to stock. */
async function giveBack(tx: Context, { id, claimId, purchaseIntentId }: Mint, reason: string): Promise<void> {
  if (purchaseIntentId) {
    await passBack(tx, { type: 'MINT_REQUEST', id }, purchaseIntentId)
    return purchaseMintFailed(tx, purchaseIntentId, reason)
  }
  if (!claimId) return giveUp(tx, id)
  const back = await tx.db.hold.updateManyAndReturn({
    where: { holderType: 'MINT_REQUEST', holderId: id, state: { in: ['HELD', 'EXCEPTION'] } },
    data: { holderType: 'CLAIM', holderId: claimId },
    select: { state: true },
  })
  // Nothing is held any more when the chain gave the item away by another's hand.
  if (back.some(({ state }) => state === 'HELD')) await reopenClaim(tx, claimId, reason)
  else await endLostClaim(tx, claimId, reason)
}

/** What gave way to an order that came back with a reorg, and then failed after all, is promised again. */
async function giveUp(tx: Context, id: string): Promise<void> {
  await releaseHolds(tx, { type: 'MINT_REQUEST', id })
  const { itemId } = await tx.db.mintRequest.findFirstOrThrow({ where: { id }, select: { itemId: true } })
  const waiting = await tx.db.hold.count({ where: { itemId, state: 'EXCEPTION' } })
  if (waiting > 0) await reconcileHolds(tx, [itemId], { restore: true })
}
