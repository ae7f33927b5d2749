import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'

export type Audited = {
  action: string
  subject: { type: string; id: string }
  before?: object | null
  after?: object | null
}

/** Who did what, before and after, from where. Call it in the transaction of the change. A row may be given whole: what is secret in it stays out. */
export async function recordAudit(tx: Context, entry: Audited): Promise<void> {
  await tx.db.auditEntry.create({ data: rowOf(tx, entry) })
}

/** The same of many things that happened together, in one statement. */
export async function recordAudits(tx: Context, entries: readonly Audited[]): Promise<void> {
  if (entries.length > 0) await tx.db.auditEntry.createMany({ data: entries.map((entry) => rowOf(tx, entry)) })
}

const rowOf = (tx: Context, { action, subject, before, after }: Audited) => ({
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
  createdAt: tx.now(),
})

/** bigint and Date as JSON has them. */
export const plain = (value: object): Prisma.InputJsonValue =>
  JSON.parse(
    JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? entry.toString() : entry)),
  ) as Prisma.InputJsonValue

/** Columns and fields that hold a secret, or something one could be guessed from. Bytes are none of the log's business in any case. */
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

/** What an entry says of a row or a record: named as on the wire, without bytes, without secrets. */
function factsOf(value: object): Prisma.InputJsonValue {
  const told = Object.entries(value).filter(
    ([name, entry]) => !SECRET_NAMES.has(wireName(name)) && !(entry instanceof Uint8Array),
  )
  return plain(Object.fromEntries(told.map(([name, entry]) => [wireName(name), withoutSecrets(entry)])))
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

/** A plain object: dates and amounts write themselves. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
