import { PageFrame } from '@/app/language/page-frame'
import { ClosedPage } from '@/components/checkout/closed-page'

export default function UnknownListing() {
  return (
    <PageFrame>
      <ClosedPage reason="unknown_listing" />
    </PageFrame>
  )
}
