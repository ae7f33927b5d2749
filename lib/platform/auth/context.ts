import type { Permission } from '../api/permissions.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import type { Model, ModelsReach, ModelsScope, PersonReach, PersonScope } from '../../db/narrow-scopes.ts'
import type { Reach, Scope, SystemReach, SystemScope } from '../../db/scope.ts'
import { organizationTransaction } from '../../db/organization-transaction.ts'
import type { Call } from '../../db/statements.ts'
import type { Ports } from '../../ports/ports.ts'
import { noteOrganization } from '../http/open-requests.ts'

/** Who is asking. */
export type Actor =
  | {
      type: 'api_key'
      id: string
      memberId: string
      mode: 'TEST' | 'LIVE'
      permissions: readonly Permission[]
      expiresAt: Date | null
    }
  | {
      type: 'member'
      id: string
      userId: string
      email: string
      permissions: readonly Permission[]
      session: { id: string; signedInAt: Date; passkeyId: string | null }
    }
  /** `pinProof`: what a browser that showed the PIN before sends along; not verified yet. */
  | { type: 'claim'; id: string; generation: number; pinProof?: string | undefined }
  | { type: 'purchase'; id: string }
  | { type: 'anonymous' }
  | { type: 'system' }

/** The part of a context that is the same whichever rows it sees. */
type Request = {
  actor: Actor
  requestId: string
  clientAddress: string
  now: Clock
  ports: Ports
  /** Aborted once nobody waits for the answer any more. Its reason is thrown where something new would be begun. */
  signal?: AbortSignal | undefined
  /** Gives the request's turn to another one (lib/platform/http/turns.ts), for a verb that only waits from now on. */
  endTurn?: (() => void) | undefined
  /** The statement that stores the result of an idempotent request, for the transaction that made it true. */
  storingResult?: ((result: unknown) => Call) | undefined
  /** Identifies this request and its Idempotency-Key, to find rows of a first try that died. */
  requestKey?: string | undefined
  /**
   * Locks the row that the request changes, and throws unless it is as its If-Match says. Every transaction begins with
   * it.
   */
  assertUnchanged?: ((tx: Reach) => Promise<void>) | undefined
  isInTransaction?: boolean
}

/** The first argument of every verb: who is asking, the only rows they can reach, the ports, the clock. */
export type Context = Scope &
  Request & {
    sees: 'organization'
    /** Empty for an anonymous reader, who sees the published rows of all organizations. */
    organizationId: string
  }

/** For the worker and scripts alone: every organization's rows. What concerns one organization runs in `within`. */
export type SystemContext = SystemScope & Request & { sees: 'everything' }

/**
 * For a way in that belongs to no organization (lib/platform/auth/narrow-contexts.ts): every organization's rows of
 * these models alone. A `SystemContext` can be passed for it.
 */
export type ModelsContext<M extends Model> = ModelsScope<M> & Request & { sees: 'models' | 'everything' }

/** What belongs to the person signed in, and to no organization. */
export type PersonContext = PersonScope & Request & { sees: 'person' }

/** For the few that serve both: an alarm or a mail may concern one organization or the whole installation. */
export type AnyContext = Context | SystemContext

/** null: the whole installation. */
export const organizationIdOf = (ctx: AnyContext | ModelsContext<never>): string | null =>
  ctx.sees === 'organization' ? ctx.organizationId || null : null

/**
 * Runs `work` in one database transaction, joining the caller's if there is one. The outermost one of a request is its
 * effect: its result is what an idempotent repeat gets. Nothing external happens inside.
 */
export function inTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T>
export function inTransaction<T>(ctx: SystemContext, work: (tx: SystemContext) => Promise<T>): Promise<T>
export function inTransaction<T>(ctx: AnyContext, work: (tx: AnyContext) => Promise<T>): Promise<T>
export function inTransaction<T>(ctx: PersonContext, work: (tx: PersonContext) => Promise<T>): Promise<T>
export function inTransaction<T, M extends Model>(
  ctx: ModelsContext<M>,
  work: (tx: ModelsContext<M>) => Promise<T>,
): Promise<T>
export function inTransaction<T>(
  ctx: AnyContext | PersonContext | ModelsContext<never>,
  work: (tx: never) => Promise<T>,
): Promise<T> {
  if (ctx.isInTransaction) return work(ctx as never)
  const run = async (reach: Reach | SystemReach | PersonReach | ModelsReach<never>) => {
    const joined = { transaction: <R>(inner: (own: typeof reach) => Promise<R>) => inner(reach) }
    await ctx.assertUnchanged?.(reach as Reach) // only requests of an organization have one
    const result = await work({ ...ctx, ...reach, ...joined, isInTransaction: true, storingResult: undefined } as never)
    const storing = ctx.storingResult?.(result)
    if (storing) await reach.later(storing.statement, ...storing.values)
    return result
  }
  return ctx.transaction(run)
}

/**
 * A context in a transaction that is written by statements alone. Every other context of an organization can be passed
 * for it.
 */
export type StatementContext = Omit<Context, 'db' | 'sql' | 'transaction'>

/**
 * Runs `work` in one transaction without Prisma, whose statements PostgreSQL parses and plans each time. Making an item
 * takes three round trips and 0.45 ms of the web process by it; by `inTransaction` as many, and 1.5 ms. Statements that
 * `later` holds back go out with the next one, or with the end.
 */
export function inStatements<T>(ctx: Context, work: (tx: StatementContext) => Promise<T>): Promise<T> {
  // An action of the system may be a task of the worker, whose transactions are bound to its lease.
  if (ctx.isInTransaction || ctx.actor.type === 'system' || ctx.assertUnchanged) return inTransaction(ctx, work)
  const bounds = { mode: isTestKey(ctx.actor) ? ('TEST' as const) : undefined, signal: ctx.signal }
  return organizationTransaction(ctx.organizationId, bounds, async (run, last) => {
    const held: Call[] = []
    const send = async (call: Call) => (await run(...held.splice(0), call)).at(-1)!
    const { db: _db, sql: _sql, transaction: _transaction, ...rest } = ctx
    const tx: StatementContext = {
      ...rest,
      rows: async <R>(statement: Call['statement'], ...values: Call['values']) =>
        (await send({ statement, values })) as R[],
      later: async (statement, ...values) => void held.push({ statement, values }),
      isInTransaction: true,
      storingResult: undefined,
    }
    const result = await work(tx)
    await last(...held, ...[ctx.storingResult?.(result) ?? []].flat())
    return result
  })
}

/**
 * The one way from the worker to one organization: `work` gets a context that sees its rows only, with the rights of
 * `vitrine_app`. Joins the worker's transaction, where one is open; else `work` opens its own. A second one in the same
 * transaction at the same time throws, and so does the worker's own context meanwhile.
 */
export function within<T>(
  worker: SystemContext,
  organizationId: string,
  work: (ctx: Context) => Promise<T>,
  requestId = worker.requestId,
): Promise<T> {
  return worker.within(organizationId, (scope) => work(opened(worker, scope, organizationId, { requestId })))
}

/** The context of an organization that was opened from one that belongs to none. */
function opened(
  { actor, requestId, clientAddress, now, ports, isInTransaction = false }: Request,
  scope: Scope,
  organizationId: string,
  changes: Partial<Pick<Request, 'requestId' | 'actor'>>,
): Context {
  const asking = { actor, requestId, clientAddress, now, ports, isInTransaction, ...changes }
  return { ...scope, ...asking, sees: 'organization', organizationId }
}

/** Runs `work` in one transaction of an organization, for the worker. */
export const withinTransaction = <T>(
  worker: SystemContext,
  organizationId: string,
  work: (tx: Context) => Promise<T>,
): Promise<T> => within(worker, organizationId, (ctx) => inTransaction(ctx, work))

/**
 * Runs `work` in each organization that the person signed in has joined, or in `organizationId` alone, one after
 * another, as their member there.
 */
export function inJoinedOrganizations(
  person: PersonContext,
  work: (own: Context) => Promise<void>,
  organizationId?: string,
): Promise<void> {
  const { actor } = person
  if (actor.type !== 'member') throw new Error('Only somebody signed in has memberships.')
  return person.inJoined(
    (scope, member) => work(opened(person, scope, member.organizationId, { actor: { ...actor, id: member.id } })),
    organizationId,
  )
}

/**
 * For what the worker and a request both do: `work` in the organization's context, which `ctx` is already where it sees
 * just one.
 */
export async function inOrganization<T>(
  ctx: AnyContext,
  organizationId: string,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  if (ctx.sees === 'everything') return within(ctx, organizationId, work)
  if (ctx.organizationId !== organizationId) throw new Error('A context reaches its own organization only.')
  return work(ctx)
}

/** A context whose transactions are not the request's effect: counting a wrong PIN, say. */
export const withoutIdempotentResult = (ctx: Context): Context => changed(ctx, { storingResult: undefined })

/** A context whose first transaction stores its result for an idempotent repeat. */
export const withIdempotency = (ctx: Context, how: Pick<Request, 'storingResult' | 'requestKey'>): Context =>
  changed(ctx, how)

/** A context whose transaction fails unless the row that it changes is as it was read. */
export const withAssertion = (ctx: Context, assertUnchanged: Request['assertUnchanged']): Context =>
  changed(ctx, { assertUnchanged })

/** A context of the same request that sees other rows. */
export function withScope(ctx: Context, scope: Scope, organizationId = ctx.organizationId): Context {
  noteOrganization(organizationId)
  return changed(ctx, { ...scope, organizationId })
}

/** Contexts are copied here and for transactions, and nowhere else. */
const changed = (ctx: Context, changes: Partial<Context>): Context => ({ ...ctx, ...changes })

export const heldPermissions = (ctx: Context): readonly Permission[] =>
  'permissions' in ctx.actor ? ctx.actor.permissions : []

export const may = (ctx: Context, permission: Permission): boolean => heldPermissions(ctx).includes(permission)

export const isTestKey = (actor: Actor): boolean => actor.type === 'api_key' && actor.mode === 'TEST'

export function assertPermission(ctx: Context, permission: Permission): void {
  if (!may(ctx, permission))
    throw new AppError('forbidden', `This needs the permission ${permission}.`, { extra: { permission } })
}
