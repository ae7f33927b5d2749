import * as api from '../platform/api/members.ts'
import { createMember } from '../members/create-member.ts'
import { getMember } from '../members/get-member.ts'
import { listMembers } from '../members/list-members.ts'
import { removeMember } from '../members/remove-member.ts'
import { resendInvitation } from '../members/resend-invitation.ts'
import { updateMember } from '../members/update-member.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = [
  serve(api.listMembers, (ctx, { query }) => listMembers(ctx, query)),
  serve(api.createMember, (ctx, { body }) => createMember(ctx, body)),
  serve(api.getMember, (ctx, { params }) => getMember(ctx, params.member_id)),
  serve(api.updateMember, (ctx, { params, body }) => updateMember(ctx, params.member_id, body)),
  serve(api.removeMember, (ctx, { params }) => removeMember(ctx, params.member_id)),
  serve(api.resendInvitation, (ctx, { params }) => resendInvitation(ctx, params.member_id)),
]
