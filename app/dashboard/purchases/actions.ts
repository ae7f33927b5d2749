'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import type * as api from '@/lib/platform/api/purchase-decisions'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { handlers as web } from '@/lib/web/purchase-decisions'

const texts = () => getTranslations('dashboard.purchases.done')

export async function refundPurchaseAction(purchaseId: string): Promise<ActionState> {
  const done = await act(web.refundPurchaseIntent, { params: { purchase_intent_id: purchaseId } })
  if (!done.ok) return done
  revalidatePath(`/dashboard/purchases/${purchaseId}`)
  return { ok: true, message: (await texts())('refunding') }
}

export async function resolvePurchaseAction(
  purchaseId: string,
  outcome: (typeof api.RESOLUTIONS)[number],
): Promise<ActionState> {
  const done = await act(web.resolvePurchaseIntent, { params: { purchase_intent_id: purchaseId }, body: { outcome } })
  if (!done.ok) return done
  revalidatePath(`/dashboard/purchases/${purchaseId}`)
  return { ok: true, message: (await texts())('recorded') }
}
