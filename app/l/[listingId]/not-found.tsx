import { Closed } from '@/components/checkout/closed'
import { CheckoutFrame } from '@/components/checkout/frame'

export default function UnknownListing() {
  return (
    <CheckoutFrame>
      <Closed reason="unknown_listing" alone />
    </CheckoutFrame>
  )
}
