import type { Prisma } from '../../../generated/prisma/client.ts'
import type { StatementContext } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { writeIn } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'

export type Audited = {
  action: string
  subject: { type: string; id: string }
  before?: object | null
  after?: object | null
}

/**
 * Records who changed what, from which address. Call it in the transaction of the change. Whole rows may be passed:
 * secret fields are left out.
 */
export async function recordAudit(tx: StatementContext, entry: Audited): Promise<void> {
  await recordAudits(tx, [entry])
}

/** Like `recordAudit`, for many entries in one statement. */
export async function recordAudits(tx: StatementContext, entries: readonly Audited[]): Promise<void> {
  if (entries.length === 0) return
  const caused = entries.map((entry) => ({ ctx: tx, entry }))
  await writeIn(tx, auditCall(caused, tx.now()))
}

/** The statement that records entries, also of several requests that were carried out together. */
export const auditCall = (entries: readonly { ctx: StatementContext; entry: Audited }[], now: Date): Call =>
  call(RECORD, JSON.stringify(entries.map(({ ctx, entry }) => rowOf(ctx, entry, now))))

const RECORD: Statement = {
  name: 'record_audit',
  text: `INSERT INTO audit_entries (id, organization_id, actor_type, actor_id, action, subject_type, subject_id, before,
      after, request_id, client_address, created_at)
    SELECT id, "organizationId", "actorType", "actorId", action, "subjectType", "subjectId", before, after,
      "requestId", "clientAddress", "createdAt"
    FROM jsonb_to_recordset($1::jsonb) AS entry (id uuid, "organizationId" uuid, "actorType" text, "actorId" text,
      action text, "subjectType" text, "subjectId" text, before jsonb,
      after jsonb, "requestId" text, "clientAddress" text, "createdAt" timestamptz)`,
}

const rowOf = (tx: StatementContext, { action, subject, before, after }: Audited, now: Date) => ({
  id: newId(),
  organizationId: tx.organizationId,
  actorType: tx.actor.type,
  actorId: 'id' in tx.actor ? tx.actor.id : null,
  action,
  subjectType: subject.type,
  subjectId: subject.id,
  ...(before && { before: factsOf(before) }),
  ...(after && { after: factsOf(after) }),
  requestId: tx.requestId,
  clientAddress: tx.clientAddress || null,
  createdAt: now,
})

/** A value as JSON: a bigint becomes a decimal string, a Date an ISO string. */
export const plain = (value: object): Prisma.InputJsonValue =>
  JSON.parse(
    JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? entry.toString() : entry)),
  ) as Prisma.InputJsonValue

/** Columns and fields that hold a secret, or something from which one could be guessed. Bytes are never logged. */
export const SECRET_NAMES: ReadonlySet<string> = new Set([
  'access_token',
  'api_key',
  'client_secret',
  'id_token',
  'password',
  'pin',
  'previous_secret',
  'refresh_token',
  'reveal_seed',
  'revealed_seed',
  'secret',
  'secret_hash',
  'secrets',
  'session_token',
  'smtp_password',
  'token',
  'variables',
  'webhook_signing_key',
])

const wireName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A row or record as the audit log stores it: wire names, no bytes, no secrets. */
function factsOf(value: object): Prisma.InputJsonValue {
  const facts = Object.entries(value).filter(
    ([name, entry]) => !SECRET_NAMES.has(wireName(name)) && !(entry instanceof Uint8Array),
  )
  return plain(Object.fromEntries(facts.map(([name, entry]) => [wireName(name), withoutSecrets(entry)])))
}

function withoutSecrets(value: unknown): unknown {
  if (value instanceof Uint8Array) return undefined
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) =>
      SECRET_NAMES.has(wireName(name)) ? [] : [[name, withoutSecrets(entry)]],
    ),
  )
}

/** Whether this is a plain object. Dates and amounts are not: they have their own JSON form. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
