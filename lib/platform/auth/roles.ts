import { type Role, ROLE_PERMISSIONS, ROLES } from '../api/permissions.ts'
import { AppError } from '../../core/errors.ts'
import { type Context, heldPermissions, isTestKey } from './context.ts'
import { memberIdOf } from './person.ts'

const BEYOND_OWN = 'This role is beyond your own: only an owner makes, changes and removes owners.'

/**
 * Throws `role_beyond_own` with this detail when one of `roles` is above that of the member who asks, or whose API key
 * does; `forbidden` when that is no member any more. The system is above all.
 */
export async function assertWithinOwnRole(ctx: Context, roles: readonly Role[], detail = BEYOND_OWN): Promise<void> {
  if (ctx.actor.type === 'system') return
  const memberId = memberIdOf(ctx)
  const own =
    memberId === null
      ? null
      : await ctx.db.member.findFirst({ where: { id: memberId, removedAt: null }, select: { role: true } })
  if (!own) throw new AppError('forbidden', 'Only a member can do this.')
  if (roles.some((role) => isAbove(role, own.role))) throw new AppError('role_beyond_own', detail)
}

export const isAbove = (role: Role, other: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(other)

/**
 * Throws `role_beyond_own` unless the caller may give this role. An API key gives no role that has a permission which
 * the key lacks. A TEST key gives only roles that change nothing, since members may change what is LIVE.
 */
export async function assertMayGive(ctx: Context, role: Role): Promise<void> {
  await assertWithinOwnRole(ctx, [role])
  const { actor } = ctx
  if (actor.type !== 'api_key') return
  const permissions = ROLE_PERMISSIONS[role]
  const held = heldPermissions(ctx)
  const lacking = permissions.find((permission) => !held.includes(permission))
  if (lacking)
    throw new AppError('role_beyond_own', `This role has the permission ${lacking}, which your key doesn't have.`)
  if (isTestKey(actor) && permissions.some((permission) => permission.endsWith(':write')))
    throw new AppError(
      'role_beyond_own',
      'This role may change what is LIVE, and a TEST key may not. Use a LIVE key, or the dashboard.',
    )
}
