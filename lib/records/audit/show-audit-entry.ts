import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { auditEntry } from '../../platform/api/audit-entries.ts'
import { peopleOf } from '../../platform/auth/person.ts'
import type { FoundEntry } from './find-entries.ts'

export type ShownEntry = z.output<typeof auditEntry>
type Facts = Record<string, unknown>

/** Entries with the names of their actors; the members' are read in one query. `full` includes unchanged fields. */
export async function auditEntriesOf(rows: readonly FoundEntry[], { full = false } = {}): Promise<ShownEntry[]> {
  const people = await peopleOf([...new Set(rows.flatMap(({ userId }) => userId ?? []))])
  return rows.map((row) => ({
    id: row.id,
    actor: {
      type: row.actorType as ShownEntry['actor']['type'],
      id: row.actorId,
      name: row.keyName ?? people.get(row.userId ?? '')?.email ?? null,
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
