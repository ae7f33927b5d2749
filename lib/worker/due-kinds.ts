import type { Statement } from '../db/statements.ts'

// What the look asks of each kind of work (look.ts): when the next row of it is due. Each answer may be too early, but
// never too late: it has to cover every row that the task itself would take. What isn't in a table (a provider, a node)
// is asked by timers of their own.

/** Milliseconds since 1970 of the first value of a column that some rows have, in the order of an index. */
const first = (column: string, rows: string): string =>
  `(SELECT ${msOf(column)} FROM ${rows} AND ${column} IS NOT NULL ORDER BY ${column} LIMIT 1)`
const msOf = (time: string): string => `extract(epoch FROM ${time})::float8 * 1000`
/** Due at once while there is any such row. */
const any = (rows: string): string => `(SELECT 0::float8 FROM ${rows} LIMIT 1)`
const earliest = (...times: string[]): string => `least(${times.join(', ')})`

/** Whose mail it is, as in lib/messaging/outbox/lease-mails.ts: the index is by owner first. */
const OWNER =
  "(CASE WHEN m.organization_id IS NULL THEN '00000000-0000-0000-0000-000000000000' ELSE m.organization_id END)"
const mails = (urgent: boolean): string => {
  const waiting = `outbox_messages m WHERE m.state = 'PENDING' AND m.next_at IS NOT NULL AND m.urgent = ${urgent}`
  return `(WITH RECURSIVE owners AS (
      (SELECT ${OWNER} AS id FROM ${waiting} ORDER BY 1 LIMIT 1)
      UNION ALL
      SELECT (SELECT ${OWNER} FROM ${waiting} AND ${OWNER} > o.id ORDER BY 1 LIMIT 1) FROM owners o
      WHERE o.id IS NOT NULL)
    SELECT min(d.at) FROM owners o CROSS JOIN LATERAL (
      SELECT ${msOf('m.next_at')} AS at FROM ${waiting} AND ${OWNER} = o.id ORDER BY m.next_at, m.id LIMIT 1) d)`
}

/** The earliest of all networks, of a kind that one task does for all. */
const ofNetworks = (at: string): string => `(SELECT min(${at}) FROM networks n)`

/** By the name of the timer or loop that does it. `$2`: the names of all jobs. */
const OF_INSTALLATION = {
  jobs: `(SELECT min(d.at) FROM unnest($2::text[]) AS k (name) CROSS JOIN LATERAL (
    SELECT ${msOf('q.due_at')} AS at FROM jobs q WHERE q.name = k.name AND q.failed_at IS NULL
    ORDER BY q.due_at, q.id LIMIT 1) d)`,
  'deliver webhooks': first('next_at', `webhook_deliveries WHERE state = 'PENDING'`),
  'send urgent mail': mails(true),
  'send mail': mails(false),
  'read foreign metadata': first('metadata_due_at', 'items WHERE true'),
  'built-in card provider': earliest(
    first('next_at', `sandbox_events WHERE delivered_at IS NULL AND created_at > now() - interval '3 days'`),
    first('verifies_at', `sandbox_accounts WHERE state = 'VERIFYING'`),
    first('disputes_at', 'sandbox_payment_intents WHERE true'),
    first('settles_at', 'sandbox_refunds WHERE true'),
  ),
  'expire claims': first('expires_at', `email_claims WHERE state IN ('OPEN', 'LOCKED')`),
  'expire vouchers': ofNetworks(`(SELECT v.expiry::float8 * 1000 FROM vouchers v
    WHERE v.network_id = n.id AND v.state = 'PENDING' ORDER BY v.expiry LIMIT 1)`),
  'expire transfers': ofNetworks(`(SELECT s.deadline::float8 * 1000 FROM signed_transfers s
    WHERE s.network_id = n.id AND s.state = 'PENDING' ORDER BY s.deadline LIMIT 1)`),
  'settle escrows': ofNetworks(`(SELECT 0::float8 FROM escrows e WHERE e.network_id = n.id
    AND e.state IN ('WAITING', 'HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED') ORDER BY e.id LIMIT 1)`),
  'start and end listings': earliest(
    any(`listings WHERE status = 'SCHEDULED' AND starts_at IS NULL`),
    first('starts_at', `listings WHERE status = 'SCHEDULED'`),
    first('ends_at', `listings WHERE status IN ('SCHEDULED', 'ACTIVE', 'PAUSED')`),
  ),
  'finish deletions': earliest(
    any('campaigns WHERE deleted_at IS NOT NULL'),
    any('webhooks WHERE deleted_at IS NOT NULL'),
  ),
  'run imports': any(`imports WHERE state = 'RUNNING'`),
  'mark metadata': first('due_at', 'metadata_passes WHERE true'),
  'take snapshots': any('snapshots WHERE ready_at IS NULL AND failure IS NULL'),
  'fold figures': earliest(any('claim_changes'), any('sale_changes')),
  'expire purchases': first('expires_at', `purchase_intents WHERE status = 'PENDING'`),
  'settle purchases': earliest(
    any(`purchase_intents WHERE status = 'CONFIRMED' AND fulfillment_status IN ('PENDING', 'EXCEPTION')`),
    any(`purchase_intents WHERE fulfillment_status = 'EXCEPTION'`),
    any(`holds WHERE state = 'EXCEPTION'`),
  ),
  'tell alarms': earliest(
    any('alarms WHERE resolved_at IS NULL AND told_at IS NULL'),
    any('alarms WHERE told_at IS NOT NULL AND end_told_at IS NULL'),
  ),
  'mail alarms': earliest(
    ...['OWNERS', 'OPERATOR'].map((channel) => any(`alarm_notices WHERE channel = '${channel}' AND told_at IS NULL`)),
  ),
  'post alarms to the operator': first(
    'next_at',
    `alarm_notices WHERE channel = 'OPERATOR_WEBHOOK' AND told_at IS NULL`,
  ),
  'end tries': earliest(
    first('next_try_at', 'row_tries WHERE true'),
    any(`alarms WHERE kind = 'row_stuck' AND resolved_at IS NULL`),
  ),
  'fold counts': any('row_counts WHERE NOT folded'),
  'fold sums of collections': earliest(
    any('collection_sums WHERE NOT folded OR amount = 0'),
    any('collection_owners WHERE items = 0'),
  ),
} as const satisfies Record<string, string>

/** Of each network `n`. Its loops are named by the kind and the network. */
const OF_NETWORK = {
  send: `(SELECT 0::float8 FROM transactions t WHERE t.network_id = n.id AND t.state = 'PENDING'
    ORDER BY t.id LIMIT 1)`,
  watch: `(SELECT 0::float8 FROM transactions t WHERE t.network_id = n.id AND t.state = 'SUBMITTED'
    ORDER BY t.operator, t.nonce LIMIT 1)`,
  // While anything is in flight whose end only the chain tells.
  index: earliest(
    `(SELECT 0::float8 FROM transactions t WHERE t.network_id = n.id AND t.state IN ('PENDING', 'SUBMITTED')
      ORDER BY t.created_at LIMIT 1)`,
    `(SELECT 0::float8 FROM vouchers v WHERE v.network_id = n.id AND v.state = 'PENDING' ORDER BY v.expiry LIMIT 1)`,
    `(SELECT 0::float8 FROM escrows e WHERE e.network_id = n.id AND e.state IN ('WAITING', 'HELD', 'RETURNING')
      ORDER BY e.id LIMIT 1)`,
    `(SELECT 0::float8 FROM collections c WHERE c.network_id = n.id AND NOT c.following
      AND c.deployment_status = 'SUCCESS' AND c.contract_address IS NOT NULL ORDER BY c.updated_at LIMIT 1)`,
    `(SELECT 0::float8 FROM recoveries r WHERE r.network_id = n.id AND r.ended_at IS NULL LIMIT 1)`,
    any('snapshots WHERE ready_at IS NULL AND failure IS NULL'),
  ),
  'apply voucher facts': `(SELECT ${msOf('f.next_try_at')} FROM voucher_facts f WHERE f.network_id = n.id
    ORDER BY f.next_try_at LIMIT 1)`,
  'adopt tokens': `(SELECT 0::float8 FROM item_history h WHERE h.network_id = n.id AND h.item_id IS NULL
    ORDER BY h.collection_id, h.token_id, h.id LIMIT 1)`,
  recover: earliest(
    `(SELECT 0::float8 FROM unmatched_mints u WHERE u.network_id = n.id AND u.state IN ('UNCHECKED', 'OURS') LIMIT 1)`,
    `(SELECT 0::float8 FROM recoveries r WHERE r.network_id = n.id AND r.ended_at IS NULL LIMIT 1)`,
  ),
} as const satisfies Record<string, string>

export type InstallationKind = keyof typeof OF_INSTALLATION
export type NetworkKind = keyof typeof OF_NETWORK

/** Whether the look knows when the rows of a timer are due. */
export const isDueKind = (name: string): name is InstallationKind => Object.hasOwn(OF_INSTALLATION, name)

export const kindOf = (kind: NetworkKind, networkId: number): string => `${kind} ${networkId}`

/** `at`: milliseconds since 1970, in business time. */
export type DueKind = { kind: string; at: number }

/** When the next row of each kind is due; a kind without rows is missing. `$1`: the ids of the networks. */
export const FIND_DUE_KINDS: Statement = {
  name: 'due_kinds',
  text: `WITH networks AS MATERIALIZED (SELECT id FROM unnest($1::int[]) AS n (id))
    SELECT kind, at FROM (
      ${Object.entries(OF_INSTALLATION)
        .map(([kind, at]) => `SELECT '${kind}' AS kind, ${at} AS at`)
        .join('\n      UNION ALL ')}
      ${Object.entries(OF_NETWORK)
        .map(([kind, at]) => `UNION ALL SELECT '${kind} ' || n.id, ${at} FROM networks n`)
        .join('\n      ')}
    ) due WHERE at IS NOT NULL`,
}
