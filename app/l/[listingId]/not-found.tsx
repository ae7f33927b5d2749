import { ClosedPage } from '@/components/checkout/closed-page'
import { CheckoutFrame } from '@/components/checkout/frame'

export default function UnknownListing() {
  return (
    <CheckoutFrame>
      <ClosedPage reason="unknown_listing" />
    </CheckoutFrame>
  )
}
