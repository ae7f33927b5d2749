import { systemClient } from '../../lib/db/client.ts'

/** What is different in each copy of a row, by table, as SQL of the copy's number `n`. */
const COPIED = {
  campaigns: "jsonb_build_object('name', gen_random_uuid())",
  item_types: "jsonb_build_object('name', gen_random_uuid())",
  items: "jsonb_build_object('token_id', (1000 + n)::text)",
  email_claims: "'{}'",
  transactions: "'{}'",
  snapshots: "'{}'",
  suppressions: "jsonb_build_object('email', gen_random_uuid() || '@example.com')",
  webhooks: "'{}'",
  webhook_deliveries: "jsonb_build_object('message_id', gen_random_uuid())",
  media_files: "jsonb_build_object('cid', gen_random_uuid())",
  imports: "'{}'",
  audit_entries: "'{}'",
  purchase_intents: "'{}'",
  listings: "'{}'",
}

/** Copies the first row of each of these tables that an organization has 19 times, so that its lists have 20 rows. */
export async function copyRows(organizationId: string, others: Record<string, string> = {}): Promise<void> {
  for (const [table, changes] of Object.entries({ ...COPIED, ...others }))
    await systemClient().$executeRawUnsafe(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid()) || ${changes}::jsonb)).*
       FROM (SELECT * FROM ${table} WHERE organization_id = $1::uuid ORDER BY id LIMIT 1) t, generate_series(1, 19) n`,
      organizationId,
    )
}
