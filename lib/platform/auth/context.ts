import type { Permission } from '../api/permissions.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import type { Reach, Scope } from '../../db/scope.ts'
import type { Ports } from '../../ports/ports.ts'

/** Who is asking. */
export type Actor =
  | { type: 'api_key'; id: string; memberId: string; mode: 'TEST' | 'LIVE'; permissions: readonly Permission[] }
  | { type: 'member'; id: string; userId: string; email: string; permissions: readonly Permission[] }
  | { type: 'claim'; id: string; generation: number }
  | { type: 'purchase'; id: string }
  | { type: 'anonymous' }
  | { type: 'system' }

/** The first argument of every verb: who is asking, the only rows they can reach, the ports, the clock. */
export type Context = Scope & {
  /** Empty for an anonymous reader, who sees the published rows of all organizations. */
  organizationId: string
  actor: Actor
  requestId: string
  clientAddress: string
  now: Clock
  ports: Ports
  /** Keeps the answer of an idempotent request in the transaction that made it true. */
  settle?: ((reach: Reach, outcome: unknown) => Promise<void>) | undefined
  /** Names this request and its Idempotency-Key: what a first try left behind before it died is found by it. */
  requestKey?: string | undefined
  inTransaction?: boolean
}

/**
 * Runs `work` in one database transaction, joining the caller's if there is one. The outermost one of a request is its
 * effect: what it answers is what an idempotent repeat gets. Nothing external happens inside.
 */
export function inTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  if (ctx.inTransaction) return work(ctx)
  return ctx.transaction(async (reach) => {
    const outcome = await work({
      ...ctx,
      ...reach,
      transaction: (inner) => inner(reach),
      inTransaction: true,
      settle: undefined,
    })
    await ctx.settle?.(reach, outcome)
    return outcome
  })
}

/** A context whose transactions are not the request's effect: counting a wrong PIN, say. */
export const withoutIdempotentResult = (ctx: Context): Context => ({ ...ctx, settle: undefined })

export const heldPermissions = (ctx: Context): readonly Permission[] =>
  'permissions' in ctx.actor ? ctx.actor.permissions : []

export const may = (ctx: Context, permission: Permission): boolean => heldPermissions(ctx).includes(permission)

/** A TEST key touches what is on testnets only. `does`: what was tried, such as "cancels". */
export function assertModeAllowed({ actor }: Context, mode: 'TEST' | 'LIVE', does: string): void {
  if (actor.type === 'api_key' && actor.mode === 'TEST' && mode === 'LIVE')
    throw new AppError('mode_mismatch', `A TEST key ${does} what is on testnets only.`)
}

export function assertPermission(ctx: Context, permission: Permission): void {
  if (!may(ctx, permission))
    throw new AppError('forbidden', `This needs the permission ${permission}.`, { extra: { permission } })
}
