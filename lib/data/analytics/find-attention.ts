import type { Attention } from '../../core/attention.ts'
import type { Context } from '../../platform/auth/context.ts'
import { listOpenAlarms } from '../../records/alarms/list-open-alarms.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { type Offer, preflightsOf } from '../../offers/listings/preflight.ts'
import { findPayoutAddress } from '../../organizations/find-payout-address.ts'
import { listPayoutWarnings, listStoppedListings } from '../../organizations/payout-warnings.ts'
import {
  type AccountRow,
  ACCOUNTS,
  type DeploymentRow,
  DEPLOYMENTS,
  type ImportRow,
  IMPORTS,
  LOCKED_CLAIMS,
  type LockedClaimRow,
  MAIL,
  type MailRow,
  type TransactionRow,
  TRANSACTIONS,
  UNRESOLVED,
  type UnresolvedRow,
  type WebhookRow,
  WEBHOOKS,
} from './attention-rows.ts'

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

type ClaimOfMail = { id: string; claim_id: string | null }
const CLAIMS_OF_MAILS: Statement = {
  name: 'attention_mails',
  text: `SELECT id::text AS id, claim_id::text AS claim_id FROM outbox_messages
    WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`,
}

async function alarmsOf(ctx: Context): Promise<Attention[]> {
  const alarms = (await listOpenAlarms(ctx)).filter(({ kind }) => !COVERED_ELSEWHERE.includes(kind))
  const failed = alarms.filter(({ kind }) => kind === 'mail_failed').map(({ subject }) => subject)
  const mails = failed.length > 0 ? await ctx.rows<ClaimOfMail>(CLAIMS_OF_MAILS, ctx.organizationId, failed) : []
  const claimOf = new Map(mails.map(({ id, claim_id }) => [id, claim_id]))
  return alarms.map(({ kind, subject, detail, of_kind }, at): Attention => {
    const last = of_kind > 3 && alarms.findLastIndex((other) => other.kind === kind) === at
    const sentence = last ? `${detail} And ${of_kind - 3} more of this kind.` : detail
    const more = last ? { more: of_kind - 3 } : {}
    if (kind === 'mail_failed')
      return {
        kind: 'mail',
        urgent: false,
        subject: claimOf.get(subject) ?? null,
        detail: sentence,
        text: { code: 'mail' },
        ...more,
      }
    const text = { code: `alarms.${kind}` }
    return { kind: SUBJECTS[kind] ?? 'alarm', urgent: true, subject, detail: sentence, text, ...more }
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
  const rows = await ctx.rows<UnresolvedRow>(UNRESOLVED, ctx.organizationId)
  return rows.map(({ id, buyer_email, buyer_address, failure, detail, payment_id }) => {
    const buyer = buyer_email ?? buyer_address
    const why = detail ?? failure ?? 'It was paid, and is neither delivered nor refunded.'
    return {
      entry: {
        kind: 'purchase',
        urgent: true,
        subject: id,
        detail: `The purchase of ${buyer ?? 'an unknown buyer'} needs a decision. ${why}`,
        text: buyer ? { code: 'purchase', values: { buyer } } : { code: 'purchase_unknown' },
      },
      subjects: [id, ...(payment_id ? [payment_id] : [])],
    }
  })
}

async function paymentsOf(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.rows<AccountRow>(ACCOUNTS, ctx.organizationId)
  return rows.map(({ id, mode, status }) => ({
    kind: 'payment_integration',
    urgent: status === 'RESTRICTED',
    subject: id,
    detail:
      status === 'PENDING'
        ? `The ${mode.toLowerCase()} card account isn’t verified yet.`
        : `The card provider has stopped payments to the ${mode.toLowerCase()} account.`,
    text: { code: `account_${status.toLowerCase()}` },
  }))
}

async function payoutOf(ctx: Context): Promise<Attention[]> {
  const address = await findPayoutAddress(ctx)
  const warnings = address ? await listPayoutWarnings(ctx, address) : await listStoppedListings(ctx)
  const text = { code: address ? 'payout' : 'payout_missing' }
  return warnings.map(({ detail }) => ({ kind: 'payout', urgent: true, subject: null, detail, text }))
}

async function deliveriesOf(ctx: Context): Promise<Attention[]> {
  const since = secondsFrom(ctx.now(), -RECENT_DAYS * DAY)
  const [deployments, transactions, claims] = await Promise.all([
    ctx.rows<DeploymentRow>(DEPLOYMENTS, ctx.organizationId),
    ctx.rows<TransactionRow>(TRANSACTIONS, ctx.organizationId, since),
    ctx.rows<LockedClaimRow>(LOCKED_CLAIMS, ctx.organizationId, ctx.now()),
  ])
  const deploying = new Set(deployments.map(({ transaction_id }) => transaction_id))
  return [
    ...deployments.map(({ id, name }): Attention => ({
      kind: 'deployment',
      urgent: true,
      subject: id,
      detail: `The deployment of “${name}” failed.`,
      text: { code: 'deployment', values: { name } },
    })),
    ...transactions
      .filter(({ id }) => !deploying.has(id))
      .map(({ id, type, failure }): Attention => ({
        kind: 'transaction',
        urgent: true,
        subject: id,
        detail:
          `${type === 'ADMIN_MINT' ? 'A mint' : 'A transaction'} failed: ` +
          `${failure ?? 'the network gave no reason.'}`,
        text: { code: type === 'ADMIN_MINT' ? 'mint' : 'transaction' },
      })),
    ...claims.map(({ id, email }): Attention => ({
      kind: 'claim',
      urgent: false,
      subject: id,
      detail: `The claim of ${email} is locked after too many wrong PINs.`,
      text: { code: 'claim', values: { email } },
    })),
  ]
}

async function mailOf(ctx: Context): Promise<Attention[]> {
  const [mail] = await ctx.rows<MailRow>(MAIL, ctx.organizationId, secondsFrom(ctx.now(), -RECENT_DAYS * DAY))
  const { id, last_error, stopped } = mail!
  return [
    ...(id === null
      ? []
      : [
          {
            kind: 'email_integration' as const,
            urgent: true,
            subject: id,
            detail: `Your mail server doesn’t work. ${last_error ?? ''}`.trim(),
            text: { code: 'email_integration' },
          },
        ]),
    ...(stopped > 0
      ? [
          {
            kind: 'suppressions' as const,
            urgent: false,
            subject: null,
            detail:
              `Mail to ${stopped === 1 ? 'an address' : `${stopped} addresses`} bounced or was called spam ` +
              'this week: no more goes there.',
            text: { code: 'suppressions', values: { count: stopped } },
          },
        ]
      : []),
  ]
}

async function webhooksOf(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.rows<WebhookRow>(WEBHOOKS, ctx.organizationId)
  return rows.map(({ id, name, status, disabled_reason }) => ({
    kind: 'webhook',
    urgent: status === 'DISABLED',
    subject: id,
    detail:
      status === 'DISABLED'
        ? `The webhook “${name}” is disabled. ${disabled_reason ?? ''}`.trim()
        : `The webhook “${name}” is failing at the moment; its deliveries are retried.`,
    text: { code: status === 'DISABLED' ? 'webhook_disabled' : 'webhook_failing', values: { name } },
  }))
}

async function importsOf(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.rows<ImportRow>(IMPORTS, ctx.organizationId)
  return rows.map(({ id, file_name, ok_count }): Attention => ({
    kind: 'import',
    urgent: false,
    subject: id,
    text: file_name
      ? { code: 'import_of', values: { file: file_name, count: ok_count } }
      : { code: 'import', values: { count: ok_count } },
    detail:
      `The import ${file_name ? `of ${file_name} ` : ''}waits to be started: ` +
      `${ok_count} ${ok_count === 1 ? 'row is' : 'rows are'} ready.`,
  }))
}

/** The fields of a listing that starts soon which the checks and the words need. */
type SoonRow = RowOf<typeof SOON_COLUMNS> &
  Pick<Offer, 'paymentProviders'> & { title: string | null; collection: string }
const SOON_COLUMNS = columns('l', 'Listing', [
  'id',
  'networkId',
  'mode',
  'status',
  'txPayer',
  'quantityListed',
  'quantityOpen',
  'quantityConfirmed',
])
const SOON: Statement = {
  name: 'attention_listings',
  text: `SELECT ${SOON_COLUMNS}, l.payment_providers::text[] AS "paymentProviders", i.attributes ->> 'title' AS title,
      c.name AS collection
    FROM listings l JOIN collections c ON c.id = l.collection_id LEFT JOIN items i ON i.id = l.item_id
    WHERE l.organization_id = $1::uuid AND l.status IN ('SCHEDULED', 'ACTIVE') AND l.starts_at > $2::timestamptz
      AND l.starts_at <= $3::timestamptz
    ORDER BY l.starts_at LIMIT 5`,
}

/** Listings that start within two days and have preflight findings. */
async function listingsOf(ctx: Context): Promise<Attention[]> {
  const soon = await ctx.rows<SoonRow>(SOON, ctx.organizationId, ctx.now(), secondsFrom(ctx.now(), SOON_DAYS * DAY))
  const found = await preflightsOf(ctx, soon)
  return soon.flatMap(({ id, title, collection }, at) => {
    const findings = found[at]!
    if (findings.length === 0) return []
    return [
      {
        kind: 'listing' as const,
        urgent: findings.some(({ severity }) => severity === 'ERROR'),
        subject: id,
        detail: `“${title ?? collection}” goes on sale soon. ${findings[0]!.detail}`,
        text: { code: 'listing', values: { title: title ?? collection } },
      },
    ]
  })
}
