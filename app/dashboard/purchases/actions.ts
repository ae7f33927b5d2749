'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/purchase-decisions'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { refundPurchase } from '@/lib/selling/purchases/refund-purchase'
import { resolvePurchase } from '@/lib/selling/purchases/resolve-purchase'

export async function refundPurchaseAction(purchaseId: string): Promise<ActionState> {
  const done = await act(api.refundPurchaseIntent, { params: { purchase_intent_id: purchaseId } }, (ctx, { params }) =>
    refundPurchase(ctx, params.purchase_intent_id),
  )
  if (!done.ok) return done
  revalidatePath(`/dashboard/purchases/${purchaseId}`)
  const t = await getTranslations('dashboard.purchases.done')
  return { ok: true, message: t('refunding') }
}

export async function resolvePurchaseAction(
  purchaseId: string,
  outcome: (typeof api.RESOLUTIONS)[number],
): Promise<ActionState> {
  const done = await act(
    api.resolvePurchaseIntent,
    { params: { purchase_intent_id: purchaseId }, body: { outcome } },
    (ctx, { params, body }) => resolvePurchase(ctx, params.purchase_intent_id, body),
  )
  if (!done.ok) return done
  revalidatePath(`/dashboard/purchases/${purchaseId}`)
  const t = await getTranslations('dashboard.purchases.done')
  return { ok: true, message: t('recorded') }
}
