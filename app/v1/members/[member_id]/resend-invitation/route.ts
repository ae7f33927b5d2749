import * as api from '@/lib/platform/api/members'
import { route, serve } from '@/lib/platform/http/serve'
import { resendInvitation } from '@/lib/members/resend-invitation'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.resendInvitation, (ctx, { params }) => resendInvitation(ctx, params.member_id)),
)
