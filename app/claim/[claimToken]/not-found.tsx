import { PageFrame } from '@/app/language/page-frame'
import { ClosedPage } from '@/components/claim/closed-page'

export default function UnknownLink() {
  return (
    <PageFrame>
      <ClosedPage reason="unknown" />
    </PageFrame>
  )
}
