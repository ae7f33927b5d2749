import { StateBadge } from '@/components/ui/badge'

export function DeploymentBadge({ status }: { status: 'PENDING' | 'SUCCESS' | 'FAILED' | null }) {
  if (status === null) return <StateBadge state="DRAFT" label="Not deployed" />
  return <StateBadge state={status} {...(status === 'PENDING' && { label: 'Deploying' })} />
}
