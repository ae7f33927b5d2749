import { Prisma } from '../../../generated/prisma/client.ts'
import { DAY, HOUR } from '../../core/clock.ts'
import { env } from '../../core/env.ts'

/** A time so many seconds before now. */
type Before = (seconds: number) => Prisma.Sql

/**
 * Which rows of a table are deleted, or emptied, and what bounds it in words. An index of the column `by` leads to the
 * rows: they are taken in its order, so that PostgreSQL doesn't read the whole table where it believes that many are
 * old.
 */
export type Rule = {
  because: string
  /** Its times are real ones, also in a sandbox whose clock was advanced. */
  isReal?: true
  by:
    | 'created_at'
    | 'expires'
    | 'expires_at'
    | 'expire'
    | 'processed_at'
    | 'resolved_at'
    | 'next_try_at'
    | 'closed_at'
    | 'failed_at'
  old: (before: Before) => Prisma.Sql
  /** The assignments that empty a row. Left out: the row is deleted. */
  empties?: Prisma.Sql
}
/** A sentence about a table whose rows no timer deletes: why they stay, and what bounds them. */
type Kept = string

const days = (count: number): number => count * DAY

/** Events whose cause a rebuilt index or a late answer of a card provider could report again: their keys stay. */
const REPEATABLE = Prisma.raw(
  "('item.minted', 'item.transferred', 'item.burned', 'claim.delivered', 'collection.deployed', " +
    "'purchase.confirmed', 'purchase.fulfilled', 'purchase.refunded')",
)

/**
 * The bound of each table: the rules by which old rows are deleted, or why they stay. A test fails for a table that
 * isn't here.
 */
export const BOUNDS: Record<string, readonly Rule[] | Kept> = {
  organizations: 'One row an organization, kept as its records are.',
  users: 'One row a person.',
  accounts: 'A few rows a person.',
  passkeys: 'A few rows a person; they delete them.',
  wallet_copies: 'At most ten for each wallet that has received something; kept until its holder removes them.',
  members: 'One row for each person that an organization invited.',
  saved_views: 'At most 30 for each member and list.',
  api_keys: 'Made by members, and kept after their end: audit entries name them.',
  item_types: 'Made and deleted by members.',
  collections: 'Made and deleted by members.',
  reveal_proofs: 'One row for each collection that was revealed.',
  metadata_passes: 'One row for each external contract whose metadata changed.',
  items: 'Made by members and by the contracts that an organization connected.',
  listings: 'Made by members; purchases refer to them.',
  listing_allowances: 'Deleted with their listing’s allow list.',
  listing_buyers: 'One row for each buyer of a listing.',
  campaigns: 'Made and deleted by members.',
  email_claims: 'Deleted with their campaign or never used; else the record of a promise.',
  claim_tokens: 'Live as long as their claim: a link that was replaced is told from an unknown one.',
  holds: 'The record of every promise of units, which the books are checked by.',
  vouchers: 'What was signed can be sent to the chain; kept.',
  voucher_facts: 'Deleted when they are applied.',
  transactions: 'The record of what was sent to a chain; kept.',
  signed_transactions: 'What was signed can be mined; kept.',
  mint_requests: 'The record of every mint; kept.',
  signed_transfers: 'What holders signed and we sent; kept.',
  transfer_budgets: 'One row for each organization and network.',
  escrows: 'What holders sent to mailboxes; kept, as the transfer that brought it.',
  perks: 'At most 50 for each item and collection; made and deleted by members.',
  perk_codes: 'At most 100,000 for each perk; deleted with it.',
  perk_file_parts: 'At most 10 MiB for each perk; deleted with it.',
  operator_lanes: 'One row for each operator and network.',
  recoveries: 'One row for each time a backup was put back.',
  unmatched_mints: 'One row for each mint that no promise explains, which a recovery finds.',
  database_server: 'One row.',
  leases: 'One row for each task.',
  row_counts: 'Folded into one row for each list by a timer (lib/records/counts).',
  collection_sums: 'Folded into one row for each sum by a timer (lib/catalog/collections/fold-collection-sums.ts).',
  collection_owners: 'One row for each owner of a collection’s tokens; deleted when nothing is left.',
  claim_changes: 'Deleted by a timer when they are counted (lib/data/analytics/fold-figures.ts).',
  claim_figures: 'One row a claim.',
  claim_days: 'A few rows for each campaign, collection and day.',
  sale_changes: 'Deleted by a timer when they are counted (lib/data/analytics/fold-figures.ts).',
  sale_days: 'A row for each listing, collection and day with sales.',
  process_clocks: 'Deleted some minutes after their processes ended (lib/records/alarms/apart-clocks.ts).',
  workers: 'Deleted a day after they ended (lib/records/alarms/silent-workers.ts).',
  chain_blocks: 'Deleted when they are too deep for a reorg (lib/onchain/indexer).',
  chain_cursors: 'One row a network.',
  chain_logs: 'The chain’s own record, which projections are rebuilt from; kept.',
  item_history: 'What happened to a token is shown as long as it exists.',
  item_owners: 'One row for each owner of a token; deleted when nothing is left.',
  audit_entries: 'Kept: who did what must stay known.',
  purchase_intents: 'The record of every purchase; kept.',
  purchase_units: 'Parts of a purchase; kept.',
  payments: 'The record of every payment; kept.',
  payment_integrations: 'A few rows an organization.',
  lost_payments: 'One row for each payment that was found at a provider only.',
  email_integrations: 'One row an organization.',
  email_templates: 'A few rows an organization.',
  email_template_versions: 'Made by members who save a template.',
  suppressions: 'One row an address that bounced or complained, until a member deletes it.',
  mail_opt_outs: 'One row an address that unsubscribed, until its owner undoes it.',
  webhooks: 'Made and deleted by members.',
  webhook_attempts: 'Deleted with their delivery, which has a bounded number of them.',
  media_files: 'Uploaded by members.',
  imports: 'One row for each file that a member uploaded.',
  import_rows: 'Deleted RETAIN_IMPORTS_DAYS after the import’s end (lib/data/imports/delete-old-lines.ts).',
  snapshots: 'Made by members.',
  snapshot_holders: 'Deleted with their snapshot.',
  suspensions: 'Made by the operator.',
  maintenance: 'One row.',
  sandbox_clock: 'One row.',
  sandbox_accounts: 'One row for each account connected to the built-in provider.',
  sandbox_refunds: 'Parts of a payment of the built-in provider.',

  idempotency_records: [
    {
      because: 'A repeated request gets the same answer for 24 hours.',
      isReal: true,
      by: 'created_at',
      old: (before) => Prisma.sql`created_at < ${before(DAY)}`,
    },
  ],
  rate_limits: [
    {
      because: 'A window is over after its time.',
      isReal: true,
      by: 'expire',
      old: (before) => Prisma.sql`expire < (extract(epoch FROM ${before(HOUR)}) * 1000)::bigint`,
    },
  ],
  sessions: [{ because: 'They expire.', by: 'expires', old: (before) => Prisma.sql`expires <= ${before(0)}` }],
  verification_tokens: [
    { because: 'They expire.', by: 'expires', old: (before) => Prisma.sql`expires <= ${before(0)}` },
  ],
  passkey_challenges: [
    { because: 'They expire.', by: 'expires', old: (before) => Prisma.sql`expires <= ${before(0)}` },
  ],
  used_challenges: [
    { because: 'They expire.', by: 'expires_at', old: (before) => Prisma.sql`expires_at <= ${before(0)}` },
  ],
  setup_links: [{ because: 'They expire.', by: 'expires_at', old: (before) => Prisma.sql`expires_at <= ${before(0)}` }],
  sign_ups: [
    {
      because: 'Limits of mails count a day; an organization’s row stays with it.',
      by: 'created_at',
      old: (before) => Prisma.sql`organization_id IS NULL AND created_at <= ${before(DAY)}`,
    },
  ],
  claim_handovers: [
    {
      because: 'A code works for five minutes.',
      by: 'expires_at',
      old: (before) => Prisma.sql`expires_at <= ${before(DAY)}`,
    },
  ],
  pins: [
    {
      because: 'Limits count an hour, and a PIN works for minutes.',
      by: 'expires_at',
      old: (before) => Prisma.sql`expires_at <= ${before(DAY)}`,
    },
  ],
  outbox_messages: [
    {
      because:
        'What concerns a claim is kept with it; PINs and other mails for RETAIN_MAILS_DAYS. ' +
        'Bodies are deleted when a mail is sent.',
      by: 'created_at',
      old: (before) =>
        Prisma.sql`(claim_id IS NULL OR template_type = 'CLAIM_PINCODE') AND state IN ('SENT', 'FAILED', 'DISCARDED')
          AND created_at < ${before(days(env.RETAIN_MAILS_DAYS))}`,
    },
  ],
  mail_events: [
    {
      because: 'A provider repeats an event for some days.',
      by: 'created_at',
      old: (before) => Prisma.sql`created_at < ${before(days(env.RETAIN_MAILS_DAYS))}`,
    },
  ],
  webhook_deliveries: [
    {
      because: 'Shown and replayed for RETAIN_DELIVERIES_DAYS. A waiting one is at most 3 days old.',
      by: 'created_at',
      old: (before) => Prisma.sql`state <> 'PENDING' AND created_at < ${before(days(env.RETAIN_DELIVERIES_DAYS))}`,
    },
  ],
  events: [
    {
      because: 'Replayed for RETAIN_DELIVERIES_DAYS.',
      by: 'created_at',
      old: (before) =>
        Prisma.sql`type NOT IN ${REPEATABLE} AND created_at < ${before(days(env.RETAIN_DELIVERIES_DAYS) + DAY)}`,
    },
    {
      because: 'Only their keys stay, so that none is told twice.',
      by: 'created_at',
      old: (before) =>
        Prisma.sql`type IN ${REPEATABLE} AND data <> '{}'
          AND created_at < ${before(days(env.RETAIN_DELIVERIES_DAYS) + DAY)}`,
      empties: Prisma.sql`data = '{}'`,
    },
  ],
  card_events: [
    {
      because: 'Providers repeat an event for 30 days at most.',
      by: 'processed_at',
      old: (before) => Prisma.sql`processed_at < ${before(days(90))}`,
    },
  ],
  alarms: [
    {
      because: 'Ended and told for RETAIN_ALARMS_DAYS.',
      by: 'resolved_at',
      old: (before) => Prisma.sql`resolved_at < ${before(days(env.RETAIN_ALARMS_DAYS))}`,
    },
  ],
  alarm_notices: [
    {
      because: 'Told, or given up, within days.',
      by: 'created_at',
      old: (before) => Prisma.sql`created_at < ${before(days(30))}`,
    },
  ],
  jobs: [
    {
      because: 'Done ones are deleted at once; one that failed for good is there to be looked at.',
      isReal: true,
      by: 'failed_at',
      old: (before) => Prisma.sql`failed_at < ${before(days(7))}`,
    },
  ],
  row_tries: [
    {
      because: 'A row that still fails is tried at least once an hour.',
      by: 'next_try_at',
      old: (before) => Prisma.sql`next_try_at < ${before(days(30))}`,
    },
  ],
  abuse_reports: [
    {
      because: 'Closed for RETAIN_ALARMS_DAYS.',
      by: 'closed_at',
      old: (before) => Prisma.sql`closed_at < ${before(days(env.RETAIN_ALARMS_DAYS))}`,
    },
  ],
  sandbox_events: [
    {
      because: 'The built-in provider repeats an event for 30 days.',
      by: 'created_at',
      old: (before) => Prisma.sql`created_at < ${before(days(30))}`,
    },
  ],
  sandbox_payment_intents: [
    {
      because: 'A cancelled payment is over; the others can be refunded as long as their purchase is there.',
      by: 'created_at',
      old: (before) => Prisma.sql`status = 'canceled' AND created_at < ${before(days(30))}`,
    },
  ],
}
