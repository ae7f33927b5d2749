'use client'

import { Problem } from '@/packages/client/src/call'
import { ConfirmDialog } from '@/components/ui/dialog'
import { failureSentence } from '@/components/shared/api'
import type { PurchaseStepProps } from './purchase-step-props'
import { giveUp } from './purchase'

type Props = Pick<PurchaseStepProps, 'id' | 'secret' | 'purchase' | 'reload'> & {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks whether the purchase is to be given up. Loaded when it is asked for. */
export function GiveUpDialog({ id, secret, purchase, reload, open, onOpenChange }: Props) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Give it up?"
      description={
        purchase.provider === 'MINT_VOUCHER'
          ? 'It goes back to the others once your offer has run out. Don’t pay any more after this.'
          : 'It goes back to the others at once. Nothing is charged.'
      }
      confirm="Give it up"
      tone="danger"
      onConfirm={async () => {
        try {
          await giveUp(id, secret)
        } catch (failure) {
          // 409: it was paid meanwhile, which the reload shows.
          if (!(failure instanceof Problem && failure.status === 409)) return failureSentence(failure)
        }
        await reload()
      }}
    />
  )
}
