import type { Statement } from '../../db/statements.ts'

// The rows that need attention, a few of each kind. States are literals, so that partial indexes on them are used; rare
// rows are sorted by the text of their id, which no index gives, so that no other index is walked in the order of ids.
// $1 is the organization.

const MAX_PER_KIND = 5

/** Its failure, or what the last entry of its log that says something says. */
export type UnresolvedRow = {
  id: string
  buyer_email: string | null
  buyer_address: string | null
  failure: string | null
  detail: string | null
  payment_id: string | null
}
export const UNRESOLVED: Statement = {
  name: 'attention_purchases',
  text: `SELECT p.id::text AS id, p.buyer_email, p.buyer_address, p.failure,
      (SELECT a.after ->> 'detail' FROM audit_entries a
        WHERE a.organization_id = p.organization_id AND a.subject_type = 'purchase_intent'
          AND a.subject_id = p.id::text AND a.action IN ('purchase_intent.created', 'purchase_intent.advanced')
          AND a.after ->> 'status' = 'UNRESOLVED' AND a.after ->> 'detail' <> ''
        ORDER BY a.id LIMIT 1) AS detail,
      (SELECT y.id::text FROM payments y
        WHERE y.organization_id = p.organization_id AND y.intent_id = p.id AND y.state <> 'CANCELLED'
        ORDER BY y.id DESC LIMIT 1) AS payment_id
    FROM purchase_intents p WHERE p.organization_id = $1::uuid AND p.status = 'UNRESOLVED'
    ORDER BY p.id::text DESC LIMIT ${MAX_PER_KIND}`,
}

export type AccountRow = { id: string; mode: string; status: 'PENDING' | 'RESTRICTED' }
export const ACCOUNTS: Statement = {
  name: 'attention_accounts',
  text: `SELECT id::text AS id, mode::text AS mode, status::text AS status FROM payment_integrations
    WHERE organization_id = $1::uuid AND status IN ('PENDING', 'RESTRICTED')
    ORDER BY payment_integrations.id DESC LIMIT ${MAX_PER_KIND}`,
}

export type DeploymentRow = { id: string; name: string; transaction_id: string | null }
export const DEPLOYMENTS: Statement = {
  name: 'attention_deployments',
  text: `SELECT id::text AS id, name, deployment_transaction_id::text AS transaction_id FROM collections
    WHERE organization_id = $1::uuid AND deployment_status = 'FAILED'
    ORDER BY collections.id DESC LIMIT ${MAX_PER_KIND}`,
}

export type TransactionRow = { id: string; type: string; failure: string | null }
/** $2: those that failed since then. */
export const TRANSACTIONS: Statement = {
  name: 'attention_transactions',
  text: `SELECT id::text AS id, tx_type::text AS type, failure FROM transactions
    WHERE organization_id = $1::uuid AND state = 'FAILED' AND completed_at >= $2::timestamptz
    ORDER BY transactions.id DESC LIMIT ${MAX_PER_KIND}`,
}

export type LockedClaimRow = { id: string; email: string }
/** $2: the time. */
export const LOCKED_CLAIMS: Statement = {
  name: 'attention_claims',
  text: `SELECT id::text AS id, email FROM email_claims
    WHERE organization_id = $1::uuid AND state = 'LOCKED' AND (expires_at IS NULL OR expires_at > $2::timestamptz)
    ORDER BY email_claims.id DESC LIMIT ${MAX_PER_KIND}`,
}

export type MailRow = { id: string | null; last_error: string | null; stopped: number }
/** The mail server that failed, if one did, and to how many addresses no more is sent since $2. */
export const MAIL: Statement = {
  name: 'attention_mail',
  text: `SELECT e.id::text AS id, e.last_error, s.stopped FROM
      (SELECT count(*)::int AS stopped FROM suppressions
          WHERE organization_id = $1::uuid AND created_at >= $2::timestamptz) s
      LEFT JOIN (SELECT id, last_error FROM email_integrations
          WHERE organization_id = $1::uuid AND status = 'FAILED' LIMIT 1) e ON true`,
}

export type WebhookRow = { id: string; name: string; status: 'ENABLED' | 'DISABLED'; disabled_reason: string | null }
export const WEBHOOKS: Statement = {
  name: 'attention_webhooks',
  text: `SELECT id::text AS id, name, status::text AS status, disabled_reason FROM webhooks
    WHERE organization_id = $1::uuid AND deleted_at IS NULL
      AND (disabled_reason IS NOT NULL AND status = 'DISABLED' OR failing_since IS NOT NULL AND status = 'ENABLED')
    ORDER BY webhooks.id DESC LIMIT ${MAX_PER_KIND}`,
}

export type ImportRow = { id: string; file_name: string | null; ok_count: number }
export const IMPORTS: Statement = {
  name: 'attention_imports',
  text: `SELECT id::text AS id, file_name, ok_count FROM imports
    WHERE organization_id = $1::uuid AND state = 'JUDGED' AND ok_count > 0
    ORDER BY imports.id DESC LIMIT ${MAX_PER_KIND}`,
}
