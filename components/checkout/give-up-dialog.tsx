'use client'

import { useTranslations } from 'next-intl'
import { Problem } from '@/packages/client/src/call'
import { ConfirmDialog } from '@/components/ui/dialog'
import { useFailureText } from '@/components/shared/failure-text'
import type { PurchaseStepProps } from './purchase-step-props'
import { giveUp } from './purchase'

type Props = Pick<PurchaseStepProps, 'id' | 'secret' | 'purchase' | 'reload'> & {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks whether the purchase is to be given up. Loaded when it is asked for. */
export function GiveUpDialog({ id, secret, purchase, reload, open, onOpenChange }: Props) {
  const t = useTranslations('purchase.giveUp')
  const failureText = useFailureText()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title')}
      description={t(purchase.provider === 'MINT_VOUCHER' ? 'leadVoucher' : 'lead')}
      confirm={t('yes')}
      tone="danger"
      onConfirm={async () => {
        try {
          await giveUp(id, secret)
        } catch (failure) {
          // 409: it was paid meanwhile, which the reload shows.
          if (!(failure instanceof Problem && failure.status === 409)) return failureText(failure)
        }
        await reload()
      }}
    />
  )
}
