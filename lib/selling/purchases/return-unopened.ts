import { inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { expireClaim } from '../../giving/expire-claims.ts'
import { HOUR, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { recoveringNetworks } from '../../orders/recovering.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'

const BATCH = 200
const TASK = { kind: 'return unopened', failure: 'An unopened claim could not be ended.' }

/** Ends free claims of listings that nobody has opened for days, so that nobody can empty a listing with mailboxes of others. */
export async function returnUnopened(worker: WorkerContext, hours = env.UNOPENED_CLAIM_HOURS): Promise<void> {
  if (hours === 0) return
  const recovering = await recoveringNetworks(worker)
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.emailClaim.findMany({
      where: {
        state: 'OPEN',
        openedAt: null,
        lastPinSentAt: null,
        createdAt: { lte: secondsFrom(worker.now(), -hours * HOUR) },
        purchaseIntent: { provider: 'EMAIL_CLAIM' },
        vouchers: { none: { state: 'PENDING' } },
        NOT: { collection: { networkId: { in: recovering } } },
      },
      orderBy: { id: 'asc' },
      select: { id: true, organizationId: true },
      ...range,
    }),
  )
  await sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => expireClaim(tx, id, { unopened: true })))
}
