import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { email, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { ROLES } from './permissions.ts'

const area = 'Members'
const params = z.object({ member_id: uuid })
const role = z.enum(ROLES)

export const MEMBER_STATUSES = ['INVITED', 'ACTIVE'] as const

export const member = z
  .object({
    id: uuid,
    email: z.string(),
    name: z.string().nullable(),
    role,
    status: z.enum(MEMBER_STATUSES).describe('INVITED until the first sign-in.'),
    invited_by_id: uuid.nullable().describe('The inviting member; null for the organization’s first member.'),
    invited_at: timestamp.nullable(),
    joined_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Member' })

export const listMembers = endpoint({
  id: 'list-members',
  method: 'GET',
  path: '/v1/members',
  area,
  auth: 'api_key',
  permission: 'members:read',
  summary: 'List members',
  description: 'Members who have joined, and those who are invited.',
  query: pageQuery().extend({
    role: role.nullish(),
    status: z.enum(MEMBER_STATUSES).nullish(),
    email: email.nullish(),
  }),
  response: pageOf(member),
})

export const createMember = endpoint({
  id: 'create-member',
  method: 'POST',
  path: '/v1/members',
  area,
  auth: 'api_key',
  permission: 'members:write',
  summary: 'Invite a member',
  description:
    'Mails a sign-in link that works once, within seven days. Nobody can give a role beyond their own; ' +
    'a key gives no role with a permission that it lacks, and a TEST key only the role VIEWER. ' +
    'A removed person who is invited again is the same member as before.',
  body: z.strictObject({ email, role }),
  response: member,
  status: 201,
  errors: ['member_exists', 'role_beyond_own', 'sign_in_again'],
  example: { email: 'grace@example.com', role: 'EDITOR' },
})

export const getMember = endpoint({
  id: 'get-member',
  method: 'GET',
  path: '/v1/members/{member_id}',
  area,
  auth: 'api_key',
  permission: 'members:read',
  summary: 'Get a member',
  params,
  response: member,
})

export const updateMember = endpoint({
  id: 'update-member',
  method: 'PATCH',
  path: '/v1/members/{member_id}',
  area,
  auth: 'api_key',
  permission: 'members:write',
  summary: 'Change a member’s role',
  description:
    'Neither the old nor the new role may be beyond the caller’s own, ' +
    'and a raised role is bounded as in an invitation. At least one member who has joined stays an owner.',
  params,
  body: z.strictObject({ role: role.optional() }),
  response: member,
  errors: ['role_beyond_own', 'last_owner', 'sign_in_again'],
  example: { role: 'ADMIN' },
})

export const removeMember = endpoint({
  id: 'remove-member',
  method: 'DELETE',
  path: '/v1/members/{member_id}',
  area,
  auth: 'api_key',
  permission: 'members:write',
  summary: 'Remove a member',
  description: 'Their API keys are revoked, and their sessions lose access to the organization at once.',
  params,
  response: noContent,
  status: 204,
  errors: ['role_beyond_own', 'last_owner', 'sign_in_again'],
})

export const resendInvitation = endpoint({
  id: 'resend-invitation',
  method: 'POST',
  path: '/v1/members/{member_id}/resend-invitation',
  area,
  auth: 'api_key',
  permission: 'members:write',
  summary: 'Mail an invitation again',
  description: 'With a new link. At most once a minute.',
  params,
  body: z.strictObject({}),
  response: member,
  errors: ['member_exists', 'role_beyond_own', 'rate_limited'],
  example: {},
})
