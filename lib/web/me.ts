import * as api from '../platform/api/me.ts'
import { leaveOrganization } from '../members/remove-member.ts'
import { getMe } from '../organizations/get-me.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = [
  serve(api.getMe, (ctx) => getMe(ctx)),
  serve(api.leaveOrganization, (ctx) => leaveOrganization(ctx)),
]
