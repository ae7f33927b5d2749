import { Prisma, type PaymentIntegration } from '../../../generated/prisma/client.ts'
import { type Context, within, type SystemContext } from '../../platform/auth/context.ts'
import { CardAccountLost, CardRefused, CardsUnavailable, type ListedPayment } from '../../ports/cards/cards.ts'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'
import { cardsOf } from './card-gateway.ts'
import { enterLostPayment } from './enter-lost-payment.ts'
import { UNPAID } from './payment-state.ts'
import { orderOf } from './payment-mark.ts'
import { readIntegration } from './read-integration.ts'
import { recordListing } from './recovery.ts'

/** How often an account's payments are listed while nothing is amiss. */
const EVERY_SECONDS = HOUR
/** A listing begins this long before the last one, in case the provider's clock differs from ours. */
const OVERLAP_SECONDS = HOUR
/** How far back a check goes that a person asked for. */
const CHECK_DAYS = 8
const BATCH = 200
const CONCURRENCY = 5
const TASK = {
  kind: 'list card payments',
  failure: 'A card account’s payments could not be compared with the books.',
} as const
const connected = { status: { not: 'DISCONNECTED' as const }, accountId: { not: null } }

/**
 * Lists the payments of accounts that weren't listed for an hour or since a worker started, and of those that recover,
 * and enters what the books don't have. Returns how many accounts it listed.
 */
export async function listDueAccounts(worker: SystemContext): Promise<number> {
  const [newest] = await worker.sql<{ at: Date | null }>(Prisma.sql`SELECT max(started_at) AS at FROM workers`)
  const hourAgo = secondsFrom(worker.now(), -EVERY_SECONDS)
  const before = newest?.at && newest.at > hourAgo ? newest.at : hourAgo
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.paymentIntegration.findMany({
      where: {
        ...connected,
        OR: [{ listedAt: null }, { listedAt: { lt: before } }, { recoveringSince: { not: null } }],
      },
      orderBy: [{ listedAt: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
      ...range,
    }),
  )
  return sweep(worker, TASK, due, (ctx, row) => listAccount(ctx, row, sinceOf(row)), {
    concurrency: CONCURRENCY,
    ignore: (error) => error instanceof CardsUnavailable,
  })
}

export type CheckedAccount = {
  organizationId: string
  integrationId: string
  accountId: string
  /** The provider's ids of our payments that the books didn't have. */
  found: string[]
  /** Whether its refunds and expiries still wait. */
  recovering: boolean
  /** Why it could not be listed completely; null when it was. */
  failure: string | null
}

/** Lists the payments that each connected account took in the last 8 days, and enters what the books don't have. */
export async function checkAccounts(worker: SystemContext): Promise<CheckedAccount[]> {
  const accounts = await worker.db.paymentIntegration.findMany({ where: connected, orderBy: { id: 'asc' } })
  const checked: CheckedAccount[] = []
  for (const row of accounts)
    checked.push(await within(worker, row.organizationId, (ctx) => checkAccount(ctx, row, row.accountId!)))
  return checked
}

async function checkAccount(ctx: Context, row: PaymentIntegration, accountId: string): Promise<CheckedAccount> {
  const days = secondsFrom(ctx.now(), -CHECK_DAYS * DAY)
  const since = days < sinceOf(row) ? days : sinceOf(row)
  const found: string[] = []
  let failure: string | null = null
  try {
    // The second listing ends the recovery, if the first one could enter all that it found.
    if (await listAccount(ctx, row, since, found)) await listAccount(ctx, row, since, found)
  } catch (error) {
    if (!(error instanceof CardsUnavailable || error instanceof CardRefused)) throw error
    failure = error.message
  }
  const after = await ctx.db.paymentIntegration.findFirstOrThrow({ where: { id: row.id } })
  const { organizationId, id: integrationId } = row
  return { organizationId, integrationId, accountId, found, recovering: after.recoveringSince !== null, failure }
}

const sinceOf = ({ listedAt, createdAt }: PaymentIntegration): Date =>
  secondsFrom(listedAt ?? createdAt, -OVERLAP_SECONDS)

/**
 * Goes through the account's payments since a time and enters what the books don't have. Returns how many there were,
 * and adds their ids to `found`. One that can't be entered holds up no other, but the account goes on recovering.
 */
async function listAccount(ctx: Context, row: PaymentIntegration, since: Date, found: string[] = []): Promise<number> {
  const { accountId } = row
  if (accountId === null) return 0
  const startedAt = ctx.now()
  const { payments } = cardsOf(ctx, row)
  const failures: unknown[] = []
  let lost = 0
  try {
    for await (const page of payments.list(accountId, { since }))
      for (const { id } of await findUnknown(ctx, accountId, page))
        try {
          if (await enterLostPayment(ctx, row, await payments.read(accountId, id))) found.push(id)
          lost++
        } catch (error) {
          if (error instanceof CardAccountLost) throw error
          failures.push(error)
        }
  } catch (error) {
    if (!(error instanceof CardAccountLost)) throw error
    await readIntegration(ctx, row.id)
    return lost
  }
  // An error of ours is told before a provider that is away, which is only waited for.
  if (failures.length > 0) throw failures.find((error) => !(error instanceof CardsUnavailable)) ?? failures[0]
  if (lost === 0) await recordListing(ctx, row, startedAt)
  return lost
}

/** The payments of a page that we ordered and that the books don't have. */
async function findUnknown(
  ctx: Context,
  accountId: string,
  page: readonly ListedPayment[],
): Promise<readonly ListedPayment[]> {
  const ours = page.filter((listed) => orderOf(listed, accountId))
  if (ours.length === 0) return []
  const ids = ours.map(({ id }) => id)
  const [known, entered] = await Promise.all([
    ctx.db.payment.findMany({
      where: {
        accountId,
        OR: [
          { providerId: { in: ids } },
          // The provider's answer to our request may be on its way.
          { providerId: null, state: { in: [...UNPAID] }, id: { in: ours.map(({ reference }) => reference!) } },
        ],
      },
      select: { id: true, providerId: true },
    }),
    ctx.db.lostPayment.findMany({
      where: { accountId, providerId: { in: ids } },
      select: { providerId: true },
    }),
  ])
  const providerIds = new Set([...known, ...entered].map(({ providerId }) => providerId))
  const unanswered = new Set(known.flatMap((payment) => (payment.providerId === null ? payment.id : [])))
  return ours.filter(({ id, reference }) => !providerIds.has(id) && !unanswered.has(reference!))
}
