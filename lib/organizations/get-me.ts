import type { Output } from '../platform/api/endpoint.ts'
import type { getMe as endpoint } from '../platform/api/me.ts'
import type { Context } from '../platform/auth/context.ts'
import { personOf } from '../platform/auth/person.ts'
import { getOrganization } from './get-organization.ts'

/** The caller: organization, person, permissions and API key mode. */
export async function getMe(ctx: Context): Promise<Output<typeof endpoint>> {
  const [organization, person] = await Promise.all([getOrganization(ctx), personOf(ctx)])
  return {
    organization,
    user: person && {
      member_id: person.memberId,
      email: person.email,
      name: person.name,
      role: person.role,
      locale: person.locale,
    },
    permissions: 'permissions' in ctx.actor ? [...ctx.actor.permissions] : [],
    mode: ctx.actor.type === 'api_key' ? ctx.actor.mode : null,
  }
}
