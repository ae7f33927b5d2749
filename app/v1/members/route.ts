import * as api from '@/lib/platform/api/members'
import { route, serve } from '@/lib/platform/http/serve'
import { createMember } from '@/lib/members/create-member'
import { listMembers } from '@/lib/members/list-members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listMembers, (ctx, { query }) => listMembers(ctx, query)),
  serve(api.createMember, (ctx, { body }) => createMember(ctx, body)),
)
