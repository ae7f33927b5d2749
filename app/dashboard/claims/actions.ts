'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { getClaim } from '@/lib/giving/get-claim'
import { DAY, now, secondsFrom } from '@/lib/core/clock'
import type { ActionState, BulkOutcome } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { actOnEach } from '@/lib/platform/http/bulk'
import { shownOf } from '@/lib/platform/http/changed-fields'
import { formBody } from '@/lib/platform/http/form-body'
import { handlers as web } from '@/lib/web/email-claims'

const pathOf = (claimId: string) => `/dashboard/claims/${claimId}`
const texts = () => getTranslations('dashboard.claims.done')

export async function sendClaimAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { days, ...body } = formBody(form)
  const expiration = typeof days === 'number' ? secondsFrom(now(), days * DAY).toISOString() : undefined
  const done = await act(web.createEmailClaim, { form, body: { ...body, expiration } })
  if (!done.ok) return done
  redirect(pathOf(done.value.id))
}

/** One claim for each item; the form has its email address in `email-<item id>`. */
export async function sendManyAction(ids: string[], form: FormData): Promise<BulkOutcome> {
  const { days, tx_payer, campaign_id } = formBody(form)
  const expiration = typeof days === 'number' ? secondsFrom(now(), days * DAY).toISOString() : undefined
  const outcome = await actOnEach(ids, (item_id) => {
    const email = String(form.get(`email-${item_id}`) ?? '')
    return act(web.createEmailClaim, { body: { email, item_id, tx_payer, campaign_id, expiration } })
  })
  revalidatePath('/dashboard/claims')
  return outcome
}

export async function resendClaimAction(claimId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await save(web.resendEmailClaim, {
    params: { email_claim_id: claimId },
    form,
    read: async (ctx) => shownOf(await getClaim(ctx, claimId), ['email']),
    isCommand: true,
  })
  if (!done.ok) return done
  revalidatePath(pathOf(claimId))
  return { ok: true, message: (await texts())('resent', { email: done.value!.email }) }
}

export async function revokeClaimAction(claimId: string): Promise<ActionState> {
  const done = await act(web.revokeEmailClaim, { params: { email_claim_id: claimId } })
  if (!done.ok) return done
  revalidatePath(pathOf(claimId))
  return { ok: true, message: (await texts())('revoked') }
}

export async function resendManyAction(ids: string[]): Promise<BulkOutcome> {
  const outcome = await actOnEach(ids, (email_claim_id) =>
    act(web.resendEmailClaim, { params: { email_claim_id }, body: {} }),
  )
  revalidatePath('/dashboard/claims')
  return outcome
}

export async function revokeManyAction(ids: string[]): Promise<BulkOutcome> {
  const outcome = await actOnEach(ids, (email_claim_id) => act(web.revokeEmailClaim, { params: { email_claim_id } }))
  revalidatePath('/dashboard/claims')
  return outcome
}
