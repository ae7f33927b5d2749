import * as api from '@/lib/platform/api/members'
import { route, serve } from '@/lib/platform/http/serve'
import { getMember } from '@/lib/members/get-member'
import { removeMember } from '@/lib/members/remove-member'
import { updateMember } from '@/lib/members/update-member'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getMember, (ctx, { params }) => getMember(ctx, params.member_id)),
  serve(api.updateMember, (ctx, { params, body }) => updateMember(ctx, params.member_id, body)),
  serve(api.removeMember, (ctx, { params }) => removeMember(ctx, params.member_id)),
)
