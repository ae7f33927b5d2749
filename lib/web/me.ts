import * as api from '../platform/api/me.ts'
import { leaveOrganization } from '../members/remove-member.ts'
import { getMe } from '../organizations/get-me.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  getMe: serve(api.getMe, (ctx) => getMe(ctx)),
  leaveOrganization: serve(api.leaveOrganization, (ctx) => leaveOrganization(ctx)),
}
