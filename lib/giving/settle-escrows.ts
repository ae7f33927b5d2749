import { type Escrow, Prisma } from '../../generated/prisma/client.ts'
import { DAY, HOUR, secondsFrom } from '../core/clock.ts'
import { crashPoint } from '../core/crash.ts'
import { AppError } from '../core/errors.ts'
import { advanceEscrow } from '../onchain/escrows/advance-escrow.ts'
import { ESCROW_DAYS } from '../onchain/escrows/request-escrow.ts'
import { assertReceives } from '../onchain/mints/assert-receives.ts'
import { refuseReturn } from '../onchain/escrows/return-token.ts'
import { requestMint } from '../onchain/mints/request-mint.ts'
import { isRecoveringSql } from '../orders/recovering.ts'
import { type Context, inTransaction, type SystemContext } from '../platform/auth/context.ts'
import { type DueRow, findReady, sweep } from '../platform/jobs/sweep.ts'
import { type Chain, ChainUnavailable } from '../ports/chain/chain.ts'
import { resolveAlarm } from '../records/alarms/raise-alarm.ts'
import { releaseHolds } from '../stock/advance-hold.ts'
import { lockItemRows } from '../stock/lock-item-rows.ts'
import { issueClaim } from './issue-claim.ts'
import { type ClaimRow, lockClaimInFull } from './read-claim.ts'
import { withdrawClaim } from './withdraw-claim.ts'

const BATCH = 100
const TASK = {
  kind: 'settle escrows',
  failure: 'A token that a holder sent to a mailbox could not be settled.',
} as const
/** The clocks of blocks may differ by so much. A transfer that failed is over when its deadline lies so far behind. */
const MARGIN_SECONDS = HOUR

/** A hold of the escrow `e`: its own, or its claim's. */
const heldAs = (state: 'HELD' | 'EXCEPTION') => Prisma.sql`EXISTS (SELECT 1 FROM holds h
  WHERE h.organization_id = e.organization_id AND h.item_id = e.item_id AND h.state = ${state}::"HoldState"
    AND h.holder_type IN ('ESCROW', 'CLAIM')
    AND escrow_of_holder(h.holder_type, h.holder_id) = e.id)`

/** Nobody can send the transfer any more: it failed, and the index has passed its deadline. */
const isOver = Prisma.sql`s.state = 'FAILED' AND s.deadline + ${MARGIN_SECONDS} <
  (SELECT extract(epoch FROM b.timestamp) FROM chain_blocks b WHERE b.network_id = e.network_id
    ORDER BY b.number DESC LIMIT 1)`

/** As for what is sent from custody: the token's last move is confirmed. */
const hasArrived = ({ id, confirmations }: Chain['network']) => Prisma.sql`i.kept_by IS NOT NULL
  AND (SELECT max(t.block_number) FROM item_history t WHERE t.item_id = e.item_id)
    <= (SELECT k.number FROM chain_cursors k WHERE k.network_id = ${id}) - ${confirmations} + 1`

/**
 * Takes escrows of a network further: one whose token has arrived is offered to its mailbox, one that nobody took is
 * returned to its sender, and one whose token never came, or was taken away by a reorg for good, ends. What is
 * suspended waits. Returns how many went on.
 */
export async function settleEscrows(worker: SystemContext, chain: Chain): Promise<number> {
  const { network } = chain
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
      SELECT e.id::text, e.organization_id::text AS "organizationId"
      FROM escrows e
        JOIN signed_transfers s ON s.organization_id = e.organization_id AND s.id = e.id
        JOIN items i ON i.id = e.item_id
      WHERE e.network_id = ${network.id} AND NOT ${isRecoveringSql(Prisma.sql`e.collection_id`)}
        AND e.state IN ('WAITING', 'HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED')
        AND (${isOver} AND (e.state = 'WAITING' OR ${heldAs('EXCEPTION')})
          OR (e.state = 'RETURNING' OR e.state = 'HELD' AND e.email IS NOT NULL) AND ${heldAs('HELD')}
            AND ${hasArrived(network)} AND NOT is_suspended(e.organization_id, e.collection_id))
      ORDER BY e.id LIMIT ${take} OFFSET ${skip}`),
  )
  if (due.length === 0) return 0
  return sweep(worker, TASK, due, (ctx, { id }) => settle(ctx, id), {
    // No node answers, or an organization that waits for approval has used up its mails of the day.
    ignore: (error) =>
      error instanceof ChainUnavailable || (error instanceof AppError && error.code === 'rate_limited'),
  })
}

async function settle(ctx: Context, id: string): Promise<boolean> {
  const isRefused = await refusesReturn(ctx, id)
  const done = await inTransaction(ctx, async (tx) => {
    const { itemId } = await tx.db.escrow.findFirstOrThrow({ where: { id }, select: { itemId: true } })
    const claim = await findOpenClaim(tx, itemId, id)
    await lockItemRows(tx, [itemId])
    const escrow = await tx.db.escrow.findFirstOrThrow({ where: { id } })
    const holder = await tx.db.hold.findFirst({
      where: { itemId, holderId: claim?.id ?? id, state: { in: ['HELD', 'EXCEPTION'] } },
      select: { state: true },
    })
    if (escrow.state === 'WAITING') await advanceEscrow(tx, escrow, 'ENDED')
    else if (holder?.state === 'EXCEPTION') await end(tx, escrow, claim)
    else if (holder && escrow.state === 'HELD' && escrow.email !== null) await offer(tx, escrow, escrow.email)
    else if (holder && escrow.state === 'RETURNING')
      await (isRefused
        ? refuseReturn(tx, id, 'This address belongs to a contract that refuses the token.')
        : giveBack(tx, escrow))
    else return false
    return true
  })
  crashPoint('escrow_settled')
  return done
}

/** Whether the token is to go back to a contract that doesn't take it. It calls the network. */
async function refusesReturn(ctx: Context, id: string): Promise<boolean> {
  const { state, fromAddress, item } = await ctx.db.escrow.findFirstOrThrow({
    where: { id },
    include: { item: { include: { collection: true } } },
  })
  if (state !== 'RETURNING') return false
  try {
    await assertReceives(ctx, item, { address: fromAddress, quantity: 1n })
    return false
  } catch (error) {
    if (error instanceof AppError && error.code === 'address_cannot_receive') return true
    throw error
  }
}

/** The escrow's claim, locked, while it can be redeemed. */
async function findOpenClaim(tx: Context, itemId: string, escrowId: string): Promise<ClaimRow | null> {
  const row = await tx.db.emailClaim.findFirst({
    where: { itemId, escrowId, state: { in: ['OPEN', 'LOCKED'] } },
    select: { id: true },
  })
  return row && lockClaimInFull(tx, row.id)
}

/** The recipient gets a claim, and the mail about it. It says nothing that the sender could have written. */
async function offer(tx: Context, escrow: Escrow, email: string): Promise<void> {
  const { id, collectionId, itemId } = escrow
  const offeredUntil = secondsFrom(tx.now(), ESCROW_DAYS * DAY)
  await issueClaim(tx, {
    collectionId,
    itemId,
    campaignId: null,
    email,
    quantity: 1n,
    txPayer: 'SELLER',
    expiresAt: offeredUntil,
    createdAt: tx.now(),
    escrowId: id,
    hold: { from: { type: 'ESCROW', id } },
  })
  await advanceEscrow(tx, escrow, 'OFFERED', { offeredUntil })
}

/**
 * Hands the token over to its sender. What became of it is decided by the log of that transaction (return-token.ts).
 */
async function giveBack(tx: Context, { id, collectionId, itemId, fromAddress: toAddress }: Escrow): Promise<void> {
  const hold = { from: { type: 'ESCROW' as const, id } }
  await requestMint(tx, { collectionId, itemId, quantity: 1n, toAddress, escrowId: id, hold })
}

/**
 * A reorg took the token away, and its transfer can't be made again: it is with its sender, and nothing is left to
 * hold.
 */
async function end(tx: Context, escrow: Escrow, claim: ClaimRow | null): Promise<void> {
  await advanceEscrow(tx, escrow, 'ENDED')
  if (claim) await withdrawClaim(tx, claim)
  await releaseHolds(tx, claim ? { type: 'CLAIM', id: claim.id } : { type: 'ESCROW', id: escrow.id })
  await resolveAlarm(tx, 'token_gone', escrow.itemId)
  await resolveAlarm(tx, 'return_refused', escrow.id)
}
