import { ClosedPage } from '@/components/claim/closed-page'

export default function UnknownLink() {
  return <ClosedPage reason="unknown" />
}
