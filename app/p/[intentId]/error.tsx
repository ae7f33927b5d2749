'use client'

import { CheckoutFrame } from '@/components/checkout/frame'
import { Button } from '@/components/ui/button'
import { Step } from '@/components/shared/step'

export default function PurchaseFailed({ reset }: { reset: () => void }) {
  return (
    <CheckoutFrame>
      <Step
        title="We can’t show this right now"
        lead="Something is wrong on our side, not with your purchase. This link keeps working: try again in a minute."
        takeFocus={false}
        level={1}
      >
        <Button size="lg" className="justify-self-start" onClick={reset}>
          Try again
        </Button>
      </Step>
    </CheckoutFrame>
  )
}
