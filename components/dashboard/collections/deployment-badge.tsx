import { useTranslations } from 'next-intl'
import { StateBadge } from '@/components/ui/badge'

export function DeploymentBadge({ status }: { status: 'PENDING' | 'SUCCESS' | 'FAILED' | null }) {
  const t = useTranslations('dashboard.collections')
  if (status === null) return <StateBadge state="DRAFT" label={t('states.none')} />
  return <StateBadge state={status} {...(status === 'PENDING' && { label: t('states.PENDING') })} />
}
