import type { Attention } from '../../core/attention.ts'
import type { Context } from '../../platform/auth/context.ts'
import { listOpenAlarms } from '../../records/alarms/list-open-alarms.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { preflightOf } from '../../offers/listings/preflight.ts'
import { getOrganization } from '../../organizations/get-organization.ts'
import { listPurchases } from '../../selling/purchases/list-purchases.ts'

const MAX_PER_KIND = 5
/** Transactions that failed longer ago are not shown. */
const RECENT_DAYS = 7
const SOON_DAYS = 2

/** Everything that needs a person, the urgent first. Calls networks, so call it outside of transactions. */
export async function findAttention(ctx: Context): Promise<Attention[]> {
  const [alarms, purchases, ...others] = await Promise.all([
    alarmsOf(ctx),
    unresolvedOf(ctx),
    paymentsOf(ctx),
    payoutOf(ctx),
    deliveriesOf(ctx),
    mailOf(ctx),
    webhooksOf(ctx),
    importsOf(ctx),
    listingsOf(ctx),
  ])
  const known = new Set([
    ...purchases.flatMap(({ subjects }) => subjects),
    ...others.flat().flatMap(({ subject }) => subject ?? []),
  ])
  const found = [
    ...purchases.map(({ entry }) => entry),
    ...alarms.filter(({ subject }) => !subject || !known.has(subject)),
    ...others.flat(),
  ]
  return [...found.filter(({ urgent }) => urgent), ...found.filter(({ urgent }) => !urgent)]
}

/** Alarm kinds that other entries below cover better. */
const COVERED_ELSEWHERE = ['mail_stopped', 'webhook_disabled']

async function alarmsOf(ctx: Context): Promise<Attention[]> {
  const alarms = (await listOpenAlarms(ctx)).filter(({ kind }) => !COVERED_ELSEWHERE.includes(kind))
  const mails = await ctx.db.outboxMessage.findMany({
    where: { id: { in: alarms.filter(({ kind }) => kind === 'mail_failed').map(({ subject }) => subject) } },
    select: { id: true, claimId: true },
  })
  const claimOf = new Map(mails.map(({ id, claimId }) => [id, claimId]))
  return alarms.map(({ kind, subject, detail, of_kind }, at): Attention => {
    const last = of_kind > 3 && alarms.findLastIndex((other) => other.kind === kind) === at
    const sentence = last ? `${detail} And ${of_kind - 3} more of this kind.` : detail
    if (kind === 'mail_failed')
      return { kind: 'mail', urgent: false, subject: claimOf.get(subject) ?? null, detail: sentence }
    return { kind: SUBJECTS[kind] ?? 'alarm', urgent: true, subject, detail: sentence }
  })
}

/** The kind of an alarm's subject, which decides the page it links to. */
const SUBJECTS: Record<string, Attention['kind']> = {
  deployment_unexpected: 'transaction',
  mint_without_log: 'transaction',
  purchase_unresolved: 'purchase',
  purchase_recovered: 'purchase',
  card_account_lost: 'payment_integration',
  account_recovering: 'payment_integration',
}

async function unresolvedOf(ctx: Context): Promise<{ entry: Attention; subjects: string[] }[]> {
  const { results } = await listPurchases(ctx, { limit: MAX_PER_KIND, status: 'UNRESOLVED' })
  return results.map(({ id, email, eth_address, failure, timeline, payment }) => {
    const why =
      timeline.find(({ status, detail }) => status === 'UNRESOLVED' && detail)?.detail ??
      failure ??
      'It was paid, and is neither delivered nor refunded.'
    return {
      entry: {
        kind: 'purchase',
        urgent: true,
        subject: id,
        detail: `The purchase of ${email ?? eth_address ?? 'an unknown buyer'} needs a decision. ${why}`,
      },
      subjects: [id, ...(payment ? [payment.id] : [])],
    }
  })
}

async function paymentsOf(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.db.paymentIntegration.findMany({
    where: { status: { in: ['PENDING', 'RESTRICTED'] } },
    orderBy: { id: 'desc' },
    take: MAX_PER_KIND,
  })
  return rows.map(({ id, mode, status }) => ({
    kind: 'payment_integration',
    urgent: status === 'RESTRICTED',
    subject: id,
    detail:
      status === 'PENDING'
        ? `The ${mode.toLowerCase()} card account isn’t verified yet.`
        : `The card provider has stopped payments to the ${mode.toLowerCase()} account.`,
  }))
}

async function payoutOf(ctx: Context): Promise<Attention[]> {
  const { payout_warnings } = await getOrganization(ctx)
  return payout_warnings.map(({ detail }) => ({ kind: 'payout', urgent: true, subject: null, detail }))
}

async function deliveriesOf(ctx: Context): Promise<Attention[]> {
  const since = secondsFrom(ctx.now(), -RECENT_DAYS * DAY)
  const [deployments, transactions, claims] = await Promise.all([
    ctx.db.collection.findMany({
      where: { deploymentStatus: 'FAILED' },
      orderBy: { id: 'desc' },
      take: MAX_PER_KIND,
      select: { id: true, name: true, deploymentTransactionId: true },
    }),
    ctx.db.transaction.findMany({
      where: { state: 'FAILED', completedAt: { gte: since } },
      orderBy: { id: 'desc' },
      take: MAX_PER_KIND,
      select: { id: true, txType: true, failure: true },
    }),
    ctx.db.emailClaim.findMany({
      where: { state: 'LOCKED', OR: [{ expiresAt: null }, { expiresAt: { gt: ctx.now() } }] },
      orderBy: { id: 'desc' },
      take: MAX_PER_KIND,
      select: { id: true, email: true },
    }),
  ])
  const deploying = new Set(deployments.map(({ deploymentTransactionId }) => deploymentTransactionId))
  return [
    ...deployments.map(({ id, name }): Attention => ({
      kind: 'deployment',
      urgent: true,
      subject: id,
      detail: `The deployment of “${name}” failed.`,
    })),
    ...transactions
      .filter(({ id }) => !deploying.has(id))
      .map(({ id, txType, failure }): Attention => ({
        kind: 'transaction',
        urgent: true,
        subject: id,
        detail: `${txType === 'ADMIN_MINT' ? 'A mint' : 'A transaction'} failed: ${failure ?? 'the network gave no reason.'}`,
      })),
    ...claims.map(({ id, email }): Attention => ({
      kind: 'claim',
      urgent: false,
      subject: id,
      detail: `The claim of ${email} is locked after too many wrong PINs.`,
    })),
  ]
}

async function mailOf(ctx: Context): Promise<Attention[]> {
  const [integration, stopped] = await Promise.all([
    ctx.db.emailIntegration.findFirst({ where: { status: 'FAILED' } }),
    ctx.db.suppression.count({ where: { createdAt: { gte: secondsFrom(ctx.now(), -RECENT_DAYS * DAY) } } }),
  ])
  return [
    ...(integration
      ? [
          {
            kind: 'email_integration' as const,
            urgent: true,
            subject: integration.id,
            detail: `Your mail server doesn’t work. ${integration.lastError ?? ''}`.trim(),
          },
        ]
      : []),
    ...(stopped > 0
      ? [
          {
            kind: 'suppressions' as const,
            urgent: false,
            subject: null,
            detail: `Mail to ${stopped === 1 ? 'an address' : `${stopped} addresses`} bounced or was called spam this week: no more goes there.`,
          },
        ]
      : []),
  ]
}

async function webhooksOf(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.db.webhook.findMany({
    where: {
      OR: [
        { disabledReason: { not: null }, status: 'DISABLED' },
        { failingSince: { not: null }, status: 'ENABLED' },
      ],
    },
    orderBy: { id: 'desc' },
    take: MAX_PER_KIND,
  })
  return rows.map(({ id, name, status, disabledReason }) => ({
    kind: 'webhook',
    urgent: status === 'DISABLED',
    subject: id,
    detail:
      status === 'DISABLED'
        ? `The webhook “${name}” is disabled. ${disabledReason ?? ''}`.trim()
        : `The webhook “${name}” is failing at the moment; its deliveries are retried.`,
  }))
}

async function importsOf(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.db.import.findMany({
    where: { state: 'JUDGED', okCount: { gt: 0 } },
    orderBy: { id: 'desc' },
    take: MAX_PER_KIND,
    select: { id: true, fileName: true, okCount: true },
  })
  return rows.map(({ id, fileName, okCount }) => ({
    kind: 'import',
    urgent: false,
    subject: id,
    detail: `The import ${fileName ? `of ${fileName} ` : ''}waits to be started: ${okCount} ${okCount === 1 ? 'row is' : 'rows are'} ready.`,
  }))
}

/** Listings that start within two days and have preflight findings. */
async function listingsOf(ctx: Context): Promise<Attention[]> {
  const soon = await ctx.db.listing.findMany({
    where: {
      status: { in: ['SCHEDULED', 'ACTIVE'] },
      startsAt: { gt: ctx.now(), lte: secondsFrom(ctx.now(), SOON_DAYS * DAY) },
    },
    orderBy: { startsAt: 'asc' },
    take: MAX_PER_KIND,
    include: { item: { select: { attributes: true } }, collection: { select: { name: true } } },
  })
  const checked = await Promise.all(
    soon.map(async (listing) => ({ listing, findings: await preflightOf(ctx, listing) })),
  )
  return checked
    .filter(({ findings }) => findings.length > 0)
    .map(({ listing: { id, item, collection }, findings }) => {
      const title = (item?.attributes as { title?: unknown } | undefined)?.title
      return {
        kind: 'listing',
        urgent: findings.some(({ severity }) => severity === 'ERROR'),
        subject: id,
        detail: `“${typeof title === 'string' ? title : collection.name}” goes on sale soon. ${findings[0]!.detail}`,
      }
    })
}
