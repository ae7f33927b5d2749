'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/transactions'
import { returnTransfer } from '@/lib/platform/api/transfers'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { retryReturn } from '@/lib/onchain/escrows/retry-return'
import { cancelTransaction } from '@/lib/onchain/transactions/cancel-transaction'

export async function cancelTransactionAction(transactionId: string): Promise<ActionState> {
  const done = await act(api.cancelTransaction, { params: { transaction_id: transactionId } }, (ctx, { params }) =>
    cancelTransaction(ctx, params.transaction_id),
  )
  if (!done.ok) return done
  revalidatePath(`/dashboard/transactions/${transactionId}`)
  const t = await getTranslations('dashboard.transactions.done')
  return { ok: true, message: done.value.state === 'CANCELLED' ? t('cancelled') : t('replaced') }
}

export async function returnTransferAction(transactionId: string, transferId: string): Promise<ActionState> {
  const done = await act(returnTransfer, { params: { transfer_id: transferId }, body: {} }, (ctx, { params }) =>
    retryReturn(ctx, params.transfer_id),
  )
  if (!done.ok) return done
  revalidatePath(`/dashboard/transactions/${transactionId}`)
  const t = await getTranslations('dashboard.transactions.done')
  return { ok: true, message: t('askedAgain') }
}
