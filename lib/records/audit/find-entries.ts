import { Prisma } from '../../../generated/prisma/client.ts'
import type { listAuditEntries as endpoint } from '../../platform/api/audit-entries.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import { lowestIdOf } from '../../core/id.ts'
import type { PageQuery } from '../../core/page.ts'
import type { Range } from '../../core/paginate.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Value } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'

const { sql } = Prisma

export type AuditFilter = Omit<Input<typeof endpoint>['query'], keyof PageQuery>

/** An entry with who did it: the member's user, or the key's name. */
export type FoundEntry = RowOf<typeof ENTRY_COLUMNS> & { userId: string | null; keyName: string | null }

const ENTRY_COLUMNS = columns('e', 'AuditEntry', [
  'id',
  'organizationId',
  'actorType',
  'actorId',
  'action',
  'subjectType',
  'subjectId',
  'before',
  'after',
  'requestId',
  'clientAddress',
  'createdAt',
])
const ACTOR_COLUMNS = `${columns('m', 'Member', ['userId'])}, ${columns('k', 'ApiKey', ['name'], 'key')}`
const SHOWN = Prisma.raw(`${ENTRY_COLUMNS}, ${ACTOR_COLUMNS}`)
const ACTORS = sql`LEFT JOIN members m ON e.actor_type = 'member' AND m.organization_id = e.organization_id
    AND m.id::text = e.actor_id
  LEFT JOIN api_keys k ON e.actor_type = 'api_key' AND k.organization_id = e.organization_id
    AND k.id::text = e.actor_id`

const ownOf = (ctx: Context): Prisma.Sql => sql`organization_id = ${ctx.organizationId}::uuid`

/** SQL conditions for the filters that are neither a period nor an action. */
const plainFiltersOf = (query: AuditFilter): Prisma.Sql[] => [
  ...(query.actor_type ? [sql`actor_type = ${query.actor_type}`] : []),
  ...(query.actor_id ? [sql`actor_id = ${query.actor_id}`] : []),
  ...(query.subject_type ? [sql`subject_type = ${query.subject_type}`] : []),
  ...(query.subject_id ? [sql`subject_id = ${query.subject_id}`] : []),
]

/**
 * How many entries match, up to `most`; `ids`: among these. Without an order, so that an index of their time can be
 * used.
 */
export async function countMatching(
  ctx: Context,
  query: AuditFilter,
  { most, ids }: { most?: number; ids?: readonly string[] },
): Promise<number> {
  const conditions = [
    ownOf(ctx),
    ...plainFiltersOf(query),
    ...(query.action ? [sql`starts_with(action, ${query.action})`] : []),
    ...(query.from ? [sql`created_at >= ${query.from}::timestamptz`] : []),
    ...(query.to ? [sql`created_at < ${query.to}::timestamptz`] : []),
    ...(ids ? [sql`id = ANY (${[...ids]}::uuid[])`] : []),
  ]
  const { text, values } =
    sql`SELECT count(*)::int AS total FROM (SELECT 1 FROM audit_entries WHERE ${Prisma.join(conditions, ' AND ')}
    LIMIT ${most ?? null}::bigint) found`
  const [row] = await ctx.rows<{ total: number }>({ name: '', text }, ...(values as Value[]))
  return row!.total
}

/** A page of an organization's entries in the order of their ids. */
export async function findEntries(
  ctx: Context,
  query: AuditFilter,
  { after, direction, take }: Range,
): Promise<FoundEntry[]> {
  const [order, beyond] =
    direction === 'asc' ? [Prisma.raw('ASC'), Prisma.raw('>')] : [Prisma.raw('DESC'), Prisma.raw('<')]
  const own = ownOf(ctx)
  const conditions = [...plainFiltersOf(query), ...(after === undefined ? [] : [sql`id ${beyond} ${after}::uuid`])]
  const page = (which: Prisma.Sql[], key: Prisma.Sql) => {
    const parts = partsOf(query).map(
      ({ source, bounds }) =>
        sql`(SELECT * FROM ${source} WHERE ${Prisma.join([own, ...which, ...conditions, ...bounds], ' AND ')}
          ORDER BY ${key} ${order} LIMIT ${take})`,
    )
    return sql`SELECT * FROM (${Prisma.join(parts, ' UNION ALL ')}) part ORDER BY part.id ${order} LIMIT ${take}`
  }
  // One index has each action’s entries in their order; there are few actions, and the counts of rows know which. Both
  // bounds, with the action in the order, say the same as `=`, but leave no other index that could give the order:
  // walking all entries for a rare action takes long.
  const byAction = query.action || (query.subject_type && !query.subject_id && !query.actor_id)
  const ofAction = () =>
    page([sql`action >= a.action AND action <= a.action`], sql`audit_entries.action ${order}, audit_entries.id`)
  const entries = byAction
    ? sql`SELECT p.* FROM (
          SELECT DISTINCT traits[3] AS action FROM row_counts
          WHERE table_name = 'audit_entries' AND ${own} AND parent_id = ${ctx.organizationId}::uuid
            AND starts_with(traits[3], ${query.action || ''})
            ${query.subject_type ? sql`AND traits[4] = ${query.subject_type}` : Prisma.empty}) a
        CROSS JOIN LATERAL (${ofAction()}) p ORDER BY p.id ${order} LIMIT ${take}`
    : page([], sql`audit_entries.id`)
  const { text, values } = sql`SELECT ${SHOWN} FROM (${entries}) e ${ACTORS} ORDER BY e.id ${order}`
  // Without a name it is planned for its values.
  return ctx.rows<FoundEntry>({ name: '', text }, ...(values as Value[]))
}

const HOUR = 3_600_000

type Part = { source: Prisma.Sql; bounds: Prisma.Sql[] }
const ENTRIES = sql`audit_entries`

/**
 * The entries of a period: those whose ids were made within an hour of their time, which lie between two ids and are
 * walked in their order, and the few others, which have an index of their own.
 */
function partsOf({ from, to }: AuditFilter): Part[] {
  if (!from && !to) return [{ source: ENTRIES, bounds: [] }]
  const bounds = [
    sql`NOT is_out_of_order(id, created_at)`,
    ...(from ? [sql`created_at >= ${from}::timestamptz AND id >= ${lowestIdOf(from.getTime() - HOUR)}::uuid`] : []),
    ...(to ? [sql`created_at < ${to}::timestamptz AND id < ${lowestIdOf(to.getTime() + HOUR)}::uuid`] : []),
  ]
  const others = sql`entries_out_of_order(${from ?? null}::timestamptz, ${to ?? null}::timestamptz) AS audit_entries`
  return [
    { source: ENTRIES, bounds },
    { source: others, bounds: [] },
  ]
}

const ENTRY = {
  name: 'audit_entry',
  text: sql`SELECT ${SHOWN} FROM audit_entries e ${ACTORS} WHERE e.organization_id = ${''}::uuid AND e.id = ${''}::uuid`
    .text,
}

/** The entry of an id, or none. */
export const findEntry = (ctx: Context, id: string): Promise<FoundEntry[]> =>
  ctx.rows<FoundEntry>(ENTRY, ctx.organizationId, id)
