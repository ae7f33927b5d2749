'use server'

import { revalidatePath } from 'next/cache'
import * as api from '@/lib/platform/api/purchases'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { refundPurchase } from '@/lib/selling/purchases/refund-purchase'

export async function refundPurchaseAction(purchaseId: string): Promise<ActionState> {
  const done = await act(api.refundPurchaseIntent, { params: { purchase_intent_id: purchaseId } }, (ctx, { params }) =>
    refundPurchase(ctx, params.purchase_intent_id),
  )
  if (!done.ok) return done
  revalidatePath(`/dashboard/purchases/${purchaseId}`)
  return { ok: true, message: 'The money is on its way back.' }
}
