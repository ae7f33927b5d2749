import { Prisma, type MintState } from '../../../generated/prisma/client.ts'
import { advanceRows, stateTable } from '../../records/audit/advance-rows.ts'
import type { Context } from '../../platform/auth/context.ts'
import { escrowReturned, escrowReturnFailed, escrowReturnUndone } from '../escrows/return-token.ts'
import { claimMintFailed } from '../../giving/on-mint-failed.ts'
import { claimsDelivered, claimUndelivered } from '../../giving/on-token-delivered.ts'
import { AppError } from '../../core/errors.ts'
import { reconcileHolds } from '../indexer/reconcile-holds.ts'
import { purchaseMintFailed } from '../../selling/purchases/on-mint-failed.ts'
import { purchaseDelivered, purchaseUndelivered } from '../../selling/purchases/on-token-delivered.ts'
import { releaseHolds } from '../../stock/advance-hold.ts'
import { findConsumedHolds } from '../../stock/find-consumed-holds.ts'

/**
 * The states of a mint request, whether it mints or hands over a token in custody. FAILED is permanent: nothing signed
 * for it can be mined any more. The same progress in three vocabularies: mint request WAITING, SUBMITTED, COMPLETED,
 * FAILED or CANCELLED; delivery (of claims and purchases) QUEUED, SUBMITTED, CONFIRMED, FAILED, and NOT_STARTED before
 * there is a request; transaction PENDING, SUBMITTED, COMPLETED with on_chain_status, CANCELLED, FAILED, which is what
 * was sent and carries up to a hundred requests.
 */
const MINT = stateTable<MintState>('mint request', 'mint_request.advanced', {
  WAITING: ['SUBMITTED', 'COMPLETED', 'FAILED', 'CANCELLED'],
  SUBMITTED: ['COMPLETED', 'FAILED', 'CANCELLED', 'WAITING'],
  COMPLETED: ['SUBMITTED'],
  FAILED: [],
  CANCELLED: [],
})

/** With an escrow and without a claim, it returns a token to its sender. */
export type Mint = {
  id: string
  state: MintState
  claimId: string | null
  purchaseIntentId: string | null
  escrowId: string | null
}

const returnedEscrowOf = ({ claimId, escrowId }: Mint): string | null => (claimId === null ? escrowId : null)

/** `txHashes`: of each mint by its id, for mints of several transactions. */
type Change = { txHash?: string | null; txHashes?: ReadonlyMap<string, string>; failure?: string }

/** Moves a mint request one step, and tells its claim or purchase what that means for it. */
export const advanceMint = (tx: Context, mint: Mint, to: MintState, change: Change = {}): Promise<void> =>
  advanceMints(tx, [mint], to, change)

/**
 * Moves mint requests of one organization one step, and tells their claims and purchases as `advanceMint` does. The
 * steps, and the deliveries of claims, take as many statements for a hundred as for one.
 */
export async function advanceMints(
  tx: Context,
  mints: readonly Mint[],
  to: MintState,
  change: Change = {},
): Promise<void> {
  for (const [from, group] of Map.groupBy(mints, (mint) => mint.state)) {
    await writeState(tx, group, from, to, change)
    await notifyOwners(tx, group, from, to, change)
  }
}

/**
 * Cancels mint requests that wait. Their units stay with them, and no claim or purchase hears of it: the caller sees to
 * both, and leaves out those that the chain has minted already.
 */
export const withdrawMints = (tx: Context, mints: readonly Mint[], reason: string): Promise<void> =>
  writeState(tx, mints, 'WAITING', 'CANCELLED', { failure: reason })

async function writeState(
  tx: Context,
  mints: readonly Mint[],
  from: MintState,
  to: MintState,
  { txHash, txHashes, failure }: Change,
): Promise<void> {
  if (mints.length === 0) return
  const ids = mints.map(({ id }) => id)
  const hashOf = (id: string) => txHashes?.get(id) ?? txHash
  const write = () =>
    tx.db.mintRequest.updateMany({
      where: { id: { in: ids }, state: from },
      data: {
        state: to,
        ...(txHash !== undefined && { txHash }),
        ...(failure !== undefined && { failure }),
        completedAt: to === 'COMPLETED' ? tx.now() : null,
      },
    })
  await advanceRows(tx, MINT, mints, to, write, ({ id }) => ({
    ...(failure && { failure }),
    ...(hashOf(id) && { tx_hash: hashOf(id) }),
  }))
  if (txHashes)
    await tx.sql(Prisma.sql`
      UPDATE mint_requests m SET tx_hash = h.tx_hash
      FROM unnest(${ids}::uuid[], ${ids.map((id) => hashOf(id) ?? '')}::text[]) AS h(id, tx_hash)
      WHERE m.id = h.id`)
}

async function notifyOwners(
  tx: Context,
  mints: readonly Mint[],
  from: MintState,
  to: MintState,
  { txHash, txHashes, failure }: Change,
): Promise<void> {
  if (to === 'COMPLETED') {
    const deliveries = mints.flatMap(({ id, claimId }) =>
      claimId ? [[claimId, { txHash: txHashes?.get(id) ?? txHash! }] as const] : [],
    )
    await claimsDelivered(tx, new Map(deliveries))
  }
  for (const mint of mints) {
    if (from === 'COMPLETED' && mint.claimId) await claimUndelivered(tx, mint.claimId)
    if (to === 'COMPLETED' && mint.purchaseIntentId) await purchaseDelivered(tx, mint.purchaseIntentId)
    if (from === 'COMPLETED' && mint.purchaseIntentId) await purchaseUndelivered(tx, mint.purchaseIntentId)
    const escrowId = returnedEscrowOf(mint)
    if (to === 'COMPLETED' && escrowId) await escrowReturned(tx, escrowId)
    if (from === 'COMPLETED' && escrowId) await escrowReturnUndone(tx, escrowId)
    if (to === 'FAILED' || to === 'CANCELLED') await returnMintUnits(tx, mint, failure ?? 'The mint was cancelled.')
  }
  if (to === 'FAILED' || to === 'CANCELLED') await assertNotMinted(tx, mints)
}

/**
 * Throws `conflict` where the chain has given the units of one of these mints: they never go back to a claim, a
 * purchase or stock as well. The items are locked, so that no log of such a mint is being entered.
 */
async function assertNotMinted(tx: Context, mints: readonly Mint[]): Promise<void> {
  const consumed = await findConsumedHolds(
    tx,
    mints.map(({ id }) => id),
  )
  if (consumed.length > 0) throw new AppError('conflict', 'The token is on the chain already.')
}

/** The units of a mint that won't happen go back to its purchase, to its claim, or to stock. */
async function returnMintUnits(tx: Context, mint: Mint, reason: string): Promise<void> {
  const { id: mintId, claimId, purchaseIntentId } = mint
  const escrowId = returnedEscrowOf(mint)
  if (purchaseIntentId) return purchaseMintFailed(tx, { mintId, intentId: purchaseIntentId }, reason)
  if (claimId) return claimMintFailed(tx, { mintId, claimId }, reason)
  if (escrowId) return escrowReturnFailed(tx, { mintId, escrowId }, reason)
  await releaseHolds(tx, { type: 'MINT_REQUEST', id: mintId })
  // A hold that became EXCEPTION while this mint was on the chain may have room again.
  const { itemId } = await tx.db.mintRequest.findFirstOrThrow({ where: { id: mintId }, select: { itemId: true } })
  const waiting = await tx.db.hold.count({ where: { itemId, state: 'EXCEPTION' } })
  if (waiting > 0) await reconcileHolds(tx, [itemId], { restore: true })
}
