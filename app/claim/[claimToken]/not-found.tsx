import { ClosedPage } from '@/components/claim/closed-page'
import { Frame } from '@/components/shared/frame'

export default function UnknownLink() {
  return (
    <Frame>
      <ClosedPage reason="unknown" />
    </Frame>
  )
}
