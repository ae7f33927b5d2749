import { type Context, inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'
import { advanceListing } from './advance-listing.ts'
import { statusOf } from './listing-state.ts'
import { lockListing } from './lock-listing.ts'

const BATCH = 200
const TASK = { kind: 'start and end listings', failure: 'A listing could not be started or ended in time.' }

/** Starts and ends listings whose time has come. Returns how many changed. */
export async function advanceListingsByTime(worker: WorkerContext): Promise<number> {
  const now = worker.now()
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.listing.findMany({
      where: {
        OR: [
          { status: 'SCHEDULED', OR: [{ startsAt: null }, { startsAt: { lte: now } }] },
          { status: { in: ['SCHEDULED', 'ACTIVE', 'PAUSED'] }, endsAt: { lte: now } },
        ],
      },
      orderBy: { id: 'asc' },
      select: { id: true, organizationId: true },
      ...range,
    }),
  )
  const moved = await sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => advanceByTime(tx, id)))
  return due.length === BATCH && moved > 0 ? moved + (await advanceListingsByTime(worker)) : moved
}

async function advanceByTime(tx: Context, id: string): Promise<boolean> {
  const listing = await lockListing(tx, id)
  const to = statusOf(listing, tx.now())
  if (to === listing.status) return false
  await advanceListing(tx, listing, to)
  return true
}
