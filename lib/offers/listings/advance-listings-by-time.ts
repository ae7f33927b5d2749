import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { advanceListing } from './advance-listing.ts'
import { statusOf } from './listing-state.ts'
import { lockListing } from './lock-listing.ts'

const BATCH = 200

/** Writes down what time has made of listings: they start and end on their own. For the worker; answers how many moved. */
export async function advanceListingsByTime(ctx: Context): Promise<number> {
  const now = ctx.now()
  const due = await ctx.db.listing.findMany({
    where: {
      OR: [
        { status: 'SCHEDULED', OR: [{ startsAt: null }, { startsAt: { lte: now } }] },
        { status: { in: ['SCHEDULED', 'ACTIVE', 'PAUSED'] }, endsAt: { lte: now } },
      ],
    },
    orderBy: { id: 'asc' },
    take: BATCH,
    select: { id: true },
  })
  let moved = 0
  for (const { id } of due) {
    try {
      if (await inTransaction(ctx, (tx) => advanceByTime(tx, id))) moved++
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      log.error({ error, listingId: id }, 'A listing could not be started or ended in time.')
    }
  }
  return due.length === BATCH && moved > 0 ? moved + (await advanceListingsByTime(ctx)) : moved
}

async function advanceByTime(ctx: Context, id: string): Promise<boolean> {
  const listing = await lockListing(ctx, id)
  const to = statusOf(listing, ctx.now())
  if (to === listing.status) return false
  await advanceListing({ ...ctx, organizationId: listing.organizationId }, listing, to)
  return true
}
