'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { handlers as transactions } from '@/lib/web/transactions'
import { handlers as transfers } from '@/lib/web/transfers'

export async function cancelTransactionAction(transactionId: string): Promise<ActionState> {
  const done = await act(transactions.cancelTransaction, { params: { transaction_id: transactionId } })
  if (!done.ok) return done
  revalidatePath(`/dashboard/transactions/${transactionId}`)
  const t = await getTranslations('dashboard.transactions.done')
  return { ok: true, message: done.value.state === 'CANCELLED' ? t('cancelled') : t('replaced') }
}

export async function returnTransferAction(transactionId: string, transferId: string): Promise<ActionState> {
  const done = await act(transfers.returnTransfer, { params: { transfer_id: transferId }, body: {} })
  if (!done.ok) return done
  revalidatePath(`/dashboard/transactions/${transactionId}`)
  const t = await getTranslations('dashboard.transactions.done')
  return { ok: true, message: t('askedAgain') }
}
