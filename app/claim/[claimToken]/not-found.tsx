import { Closed } from '@/components/claim/closed'

export default function UnknownLink() {
  return <Closed reason="unknown" alone />
}
