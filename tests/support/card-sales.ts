import { onTestFinished } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { POST as receive } from '../../app/webhooks/cards/[adapter]/route.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { JOBS } from '../../lib/platform/jobs/jobs.ts'
import { connectSandbox } from '../../lib/selling/payments/connect-sandbox.ts'
import type { Cards } from '../../lib/ports/cards/cards.ts'
import { ports } from '../../lib/ports/ports.ts'
import { type Post, runSandboxCards } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { runJob } from '../../lib/worker/run-jobs.ts'
import { callerOf } from './call.ts'
import { makeListing } from './listings.ts'
import { makeOrganization } from './organization.ts'

/** Delivers the built-in provider's events to our own webhook route in this process. */
export const postToCardWebhook: Post = async (url, init) => {
  const adapter = url.split('/').at(-1)!
  return receive(new Request(url, init), { params: Promise.resolve({ adapter }) })
}

/** Runs the waiting jobs of these names (default: all) in this process until none is left. Returns their number. */
export async function drainJobs(...names: string[]): Promise<number> {
  const drained = names.length > 0 ? names : JOBS.map(({ name }) => name)
  for (let done = 0; ;) {
    const taken = await systemClient().$queryRaw<{ name: string; payload: unknown }[]>(
      Prisma.sql`DELETE FROM jobs WHERE name = ANY(${drained}::text[]) AND lease IS NULL AND failed_at IS NULL RETURNING name, payload`,
    )
    if (taken.length === 0) return done
    for (const { name, payload } of taken) await runJob({ name }, payload)
    done += taken.length
  }
}

/** Delivers all events of the provider and runs the jobs that process them. */
export async function processCardEvents(post: Post = postToCardWebhook): Promise<void> {
  while ((await runSandboxCards(post)) > 0) await drainJobs('process-card-event', 'settle-purchase')
  await drainJobs('process-card-event', 'settle-purchase')
}

/**
 * Changes parts of the card provider, for contexts that exist already as well, until the test ends or the returned
 * function is called.
 */
export function overrideCards(
  change: (cards: Cards) => Partial<Pick<Cards, 'accounts' | 'payments' | 'refunds'>>,
): () => void {
  const [sandbox] = ports().cards.known
  const { accounts, payments, refunds } = sandbox!
  Object.assign(sandbox!, change({ ...sandbox! }))
  const end = () => void Object.assign(sandbox!, { accounts, payments, refunds })
  onTestFinished(end)
  return end
}

export type CardShop = Awaited<ReturnType<typeof makeCardShop>>

/** An organization that sells editions for 19.99 USD by card. */
export async function makeCardShop({
  units = 10n,
  price = 1999n,
  currency = 'USD',
}: { units?: bigint; price?: bigint; currency?: string } = {}) {
  const organization = await makeOrganization()
  const integration = await connectSandbox(organization.ctx)
  const listing = await makeListing(organization, { units, price, currency, payment_providers: ['CARD_PROVIDER'] })
  const { ctx } = organization
  const buy = async (more: object = {}) => {
    const answer = await callerOf().post('/public/v1/purchase-intents', {
      listing_id: listing.id,
      buyer: { email: `${newId()}@example.com` },
      ...more,
    })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    const payment = await ctx.db.payment.findFirstOrThrow({ where: { intentId: answer.body.id } })
    return {
      id: answer.body.id as string,
      secret: answer.body.secret as string,
      data: answer.body.data as Record<string, any>,
      paymentId: payment.id,
      providerId: payment.providerId!,
    } // as sent on the wire
  }
  const stateOf = async ({ id, paymentId }: { id: string; paymentId: string }) => {
    const [intent, payment] = await Promise.all([
      ctx.db.purchaseIntent.findFirstOrThrow({ where: { id } }),
      ctx.db.payment.findFirstOrThrow({ where: { id: paymentId } }),
    ])
    return [intent.status, intent.fulfillmentStatus, payment.state]
  }
  return { organization, ctx, integration: integration!, listing, buy, stateOf, worker: systemContext('test') }
}
