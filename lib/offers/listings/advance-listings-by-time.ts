import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { type DueRow, findReady, sweep } from '../../platform/jobs/sweep.ts'
import { advanceListing } from './advance-listing.ts'
import { statusOf } from './listing-state.ts'
import { lockListing } from './lock-listing.ts'

const BATCH = 200
const TASK = { kind: 'start and end listings', failure: 'A listing could not be started or ended in time.' } as const

/** Starts and ends listings whose time has come. Returns how many changed. */
export async function advanceListingsByTime(worker: SystemContext): Promise<number> {
  const now = worker.now().toISOString()
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
    SELECT id::text, organization_id::text AS "organizationId" FROM listings
    WHERE status = 'SCHEDULED' AND (starts_at IS NULL OR starts_at <= ${now}::timestamptz)
    UNION
    SELECT id::text, organization_id::text FROM listings
    WHERE status IN ('SCHEDULED', 'ACTIVE', 'PAUSED') AND ends_at <= ${now}::timestamptz
    ORDER BY id LIMIT ${take} OFFSET ${skip}`),
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
