'use client'

import { CheckoutFrame } from '@/components/checkout/frame'
import { LoadFailed } from '@/components/shared/load-failed'

export default function ListingFailed({ reset }: { reset: () => void }) {
  return (
    <CheckoutFrame>
      <LoadFailed
        lead="Something is wrong on our side. Nothing was bought and nothing was charged: try again in a minute."
        onRetry={reset}
      />
    </CheckoutFrame>
  )
}
