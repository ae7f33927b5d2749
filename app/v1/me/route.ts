import * as api from '@/lib/platform/api/me'
import { route, serve } from '@/lib/platform/http/serve'
import { leaveOrganization } from '@/lib/members/remove-member'
import { getMe } from '@/lib/organizations/get-me'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getMe, (ctx) => getMe(ctx)),
  serve(api.leaveOrganization, (ctx) => leaveOrganization(ctx)),
)
