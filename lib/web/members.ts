import * as api from '../platform/api/members.ts'
import { createMember } from '../members/create-member.ts'
import { getMember } from '../members/get-member.ts'
import { listMembers } from '../members/list-members.ts'
import { removeMember } from '../members/remove-member.ts'
import { resendInvitation } from '../members/resend-invitation.ts'
import { updateMember } from '../members/update-member.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listMembers: serve(api.listMembers, (ctx, { query }) => listMembers(ctx, query)),
  createMember: serve(api.createMember, (ctx, { body }) => createMember(ctx, body)),
  getMember: serve(api.getMember, (ctx, { params }) => getMember(ctx, params.member_id)),
  updateMember: serve(api.updateMember, (ctx, { params, body }) => updateMember(ctx, params.member_id, body)),
  removeMember: serve(api.removeMember, (ctx, { params }) => removeMember(ctx, params.member_id)),
  resendInvitation: serve(api.resendInvitation, (ctx, { params }) => resendInvitation(ctx, params.member_id)),
}
