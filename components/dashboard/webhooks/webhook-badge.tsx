import { useTranslations } from 'next-intl'
import { StateBadge } from '@/components/ui/badge'

/** A webhook's state: active, failing or disabled. */
export function WebhookBadge({
  webhook,
}: {
  webhook: { status: 'ENABLED' | 'DISABLED'; disabled_reason: string | null; failing_since: unknown }
}) {
  const t = useTranslations('dashboard.webhooks.badge')
  if (webhook.status === 'DISABLED')
    return <StateBadge state="DISABLED" label={t('disabled')} tone={webhook.disabled_reason ? 'danger' : 'neutral'} />
  if (webhook.failing_since) return <StateBadge state="FAILING" label={t('failing')} tone="warning" />
  return <StateBadge state="ACTIVE" label={t('enabled')} />
}

/** A delivery's state. */
export function DeliveryBadge({
  delivery,
}: {
  delivery: { state: 'PENDING' | 'DELIVERED' | 'FAILED'; attempts?: number }
}) {
  const t = useTranslations('dashboard.webhooks.deliveries.states')
  if (delivery.state === 'DELIVERED') return <StateBadge state="SUCCESS" label={t('DELIVERED')} />
  if (delivery.state === 'FAILED') return <StateBadge state="FAILED" label={t('FAILED')} />
  return delivery.attempts ? (
    <StateBadge state="RETRYING" label={t('retrying')} tone="warning" />
  ) : (
    <StateBadge state="PENDING" label={t('PENDING')} />
  )
}
