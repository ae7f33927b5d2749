import { type Context, inTransaction, type WorkerContext } from '../platform/auth/context.ts'
import { findReady, sweep } from '../platform/jobs/sweep.ts'
import { hasUnappliedFacts } from '../onchain/vouchers/has-unapplied-facts.ts'
import { recoveringNetworks } from '../orders/recovering.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'
import { advanceClaim } from './advance-claim.ts'
import { inactiveReasonOf } from './claim-state.ts'
import { returnUnits } from './return-units.ts'
import { lockClaimInFull } from './read-claim.ts'
import { voidPins } from './void-pins.ts'

const BATCH = 200
const TASK = { kind: 'expire claims', failure: 'An expired claim could not be ended.' }

/**
 * Ends expired claims and returns their units. A claim whose voucher is still valid waits, since its units could still
 * be minted, and so does one whose voucher the chain says something of that isn't applied yet, and one of a network whose books are
 * behind. Returns how many ended.
 */
export async function expireClaims(worker: WorkerContext): Promise<number> {
  const recovering = await recoveringNetworks(worker)
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.emailClaim.findMany({
      where: {
        state: { in: ['OPEN', 'LOCKED'] },
        expiresAt: { lte: worker.now() },
        NOT: { collection: { networkId: { in: recovering } } },
        vouchers: { none: { OR: [{ state: 'PENDING' }, { facts: { some: {} } }] } },
      },
      orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
      select: { id: true, organizationId: true },
      ...range,
    }),
  )
  const ended = await sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => expireClaim(tx, id)))
  return due.length === BATCH && ended > 0 ? ended + (await expireClaims(worker)) : ended
}

/** Ends one claim if it has expired, or, with `unopened`, if nobody opened it. false: it stays open. */
export async function expireClaim(tx: Context, id: string, { unopened = false } = {}): Promise<boolean> {
  const claim = await lockClaimInFull(tx, id)
  const open = claim.state === 'OPEN' || claim.state === 'LOCKED'
  const over = unopened ? !claim.openedAt && !claim.lastPinSentAt : inactiveReasonOf(claim, tx.now()) === 'EXPIRED'
  if (!open || !over || claim.vouchers[0]?.state === 'PENDING') return false
  if (claim.vouchers.length > 0 && (await hasUnappliedFacts(tx, { claimId: id }))) return false
  await advanceClaim(tx, claim, 'EXPIRED')
  await voidPins(tx, id)
  await discardMails(tx, id, ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIM_REMINDER'])
  await returnUnits(tx, claim, 'EXPIRED')
  return true
}
