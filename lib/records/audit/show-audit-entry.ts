import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { AuditEntry } from '../../../generated/prisma/client.ts'
import type { auditEntry } from '../../platform/api/audit-entries.ts'
import type { Context } from '../../platform/auth/context.ts'
import { peopleOf } from '../../platform/auth/person.ts'

export type ShownEntry = z.output<typeof auditEntry>
type Facts = Record<string, unknown>

/** Entries with the names of their actors, read in one query each. `full` includes unchanged fields. */
export async function auditEntriesOf(
  ctx: Context,
  rows: readonly AuditEntry[],
  { full = false } = {},
): Promise<ShownEntry[]> {
  const names = await namesOf(ctx, rows)
  return rows.map((row) => ({
    id: row.id,
    actor: {
      type: row.actorType as ShownEntry['actor']['type'],
      id: row.actorId,
      name: names.get(row.actorId ?? '') ?? null,
    },
    action: row.action,
    subject: { type: row.subjectType, id: row.subjectId },
    ...(full
      ? { before: row.before as Facts | null, after: row.after as Facts | null }
      : differenceOf(row.before as Facts | null, row.after as Facts | null)),
    request_id: row.requestId,
    client_address: row.clientAddress,
    created_at: row.createdAt,
  }))
}

async function namesOf(ctx: Context, rows: readonly AuditEntry[]): Promise<Map<string, string>> {
  const idsOf = (type: string) => [
    ...new Set(rows.flatMap(({ actorType, actorId }) => (actorType === type && actorId ? [actorId] : []))),
  ]
  const [members, keys] = await Promise.all([
    ctx.db.member.findMany({ where: { id: { in: idsOf('member') } }, select: { id: true, userId: true } }),
    ctx.db.apiKey.findMany({ where: { id: { in: idsOf('api_key') } }, select: { id: true, name: true } }),
  ])
  const people = await peopleOf(members.map(({ userId }) => userId))
  return new Map([
    ...members.map(({ id, userId }) => [id, people.get(userId)?.email ?? ''] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ])
}

/** Changes with every update, so it is left out of a difference. */
const ALWAYS_CHANGES = 'updated_at'

/** The fields that differ. A field that only one side has appears on that side only. */
export function differenceOf(before: Facts | null, after: Facts | null): { before: Facts | null; after: Facts | null } {
  if (!before || !after) return { before, after }
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => name !== ALWAYS_CHANGES && !isDeepStrictEqual(before[name], after[name]),
  )
  const only = (facts: Facts) =>
    Object.fromEntries(differing.filter((name) => name in facts).map((name) => [name, facts[name]]))
  return { before: only(before), after: only(after) }
}
