'use client'

import { CheckoutFrame } from '@/components/checkout/frame'
import { LoadFailed } from '@/components/shared/load-failed'

export default function PurchaseFailed({ reset }: { reset: () => void }) {
  return (
    <CheckoutFrame>
      <LoadFailed
        lead="Something is wrong on our side, not with your purchase. This link keeps working: try again in a minute."
        onRetry={reset}
      />
    </CheckoutFrame>
  )
}
