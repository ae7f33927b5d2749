'use server'

import { revalidatePath } from 'next/cache'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import * as me from '@/lib/platform/api/me'
import * as api from '@/lib/platform/api/members'
import type { Context } from '@/lib/platform/auth/context'
import { ORGANIZATION_COOKIE, SECURE_COOKIES } from '@/lib/platform/auth/cookies'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { createMember } from '@/lib/members/create-member'
import { getMember } from '@/lib/members/get-member'
import { leaveOrganization, removeMember } from '@/lib/members/remove-member'
import { resendInvitation } from '@/lib/members/resend-invitation'
import { updateMember } from '@/lib/members/update-member'

const path = '/dashboard/members'
const texts = () => getTranslations('dashboard.members')

export async function inviteAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createMember, { form }, (ctx, { body }) => createMember(ctx, body))
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('onItsWay', { email: done.value.email }) }
}

export async function changeRoleAction(memberId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const read = (ctx: Context) => getMember(ctx, memberId)
  const done = await save(api.updateMember, { params: { member_id: memberId }, form, read }, (ctx, { params, body }) =>
    updateMember(ctx, params.member_id, body),
  )
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  if (!done.value) return { ok: true, opened: done.opened }
  const { email, role } = done.value
  return { ok: true, message: (await texts())(`hasRole.${role}`, { email }), opened: done.opened }
}

export async function resendAction(memberId: string): Promise<ActionState> {
  const done = await act(api.resendInvitation, { params: { member_id: memberId } }, (ctx, { params }) =>
    resendInvitation(ctx, params.member_id),
  )
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('mailed', { email: done.value.email }) }
}

export async function removeAction(memberId: string): Promise<ActionState> {
  const done = await act(api.removeMember, { params: { member_id: memberId } }, (ctx, { params }) =>
    removeMember(ctx, params.member_id),
  )
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('removed') }
}

export async function leaveAction(): Promise<ActionState> {
  const done = await act(me.leaveOrganization, {}, (ctx) => leaveOrganization(ctx))
  if (!done.ok) return done
  const jar = await cookies()
  jar.delete({ name: ORGANIZATION_COOKIE, path: '/', secure: SECURE_COOKIES })
  redirect('/dashboard')
}
