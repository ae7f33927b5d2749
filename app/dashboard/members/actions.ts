'use server'

import { revalidatePath } from 'next/cache'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import type { Context } from '@/lib/platform/auth/context'
import { ORGANIZATION_COOKIE, SECURE_COOKIES } from '@/lib/platform/auth/cookies'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { getMember } from '@/lib/members/get-member'
import { handlers as me } from '@/lib/web/me'
import { handlers as members } from '@/lib/web/members'

const path = '/dashboard/members'
const texts = () => getTranslations('dashboard.members')

export async function inviteAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(members.createMember, { form })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('onItsWay', { email: done.value.email }) }
}

export async function changeRoleAction(memberId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const read = (ctx: Context) => getMember(ctx, memberId)
  const done = await save(members.updateMember, { params: { member_id: memberId }, form, read })
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  if (!done.value) return { ok: true, opened: done.opened }
  const { email, role } = done.value
  return { ok: true, message: (await texts())(`hasRole.${role}`, { email }), opened: done.opened }
}

export async function resendAction(memberId: string): Promise<ActionState> {
  const done = await act(members.resendInvitation, { params: { member_id: memberId } })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('mailed', { email: done.value.email }) }
}

export async function removeAction(memberId: string): Promise<ActionState> {
  const done = await act(members.removeMember, { params: { member_id: memberId } })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('removed') }
}

export async function leaveAction(): Promise<ActionState> {
  const done = await act(me.leaveOrganization, {})
  if (!done.ok) return done
  const jar = await cookies()
  jar.delete({ name: ORGANIZATION_COOKIE, path: '/', secure: SECURE_COOKIES })
  redirect('/dashboard')
}
