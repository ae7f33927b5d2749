import { StateBadge } from '@/components/ui/badge'

/** A webhook's state: active, failing or disabled. */
export function WebhookBadge({
  webhook,
}: {
  webhook: { status: 'ENABLED' | 'DISABLED'; disabled_reason: string | null; failing_since: unknown }
}) {
  if (webhook.status === 'DISABLED')
    return <StateBadge state="DISABLED" label="Disabled" tone={webhook.disabled_reason ? 'danger' : 'neutral'} />
  if (webhook.failing_since) return <StateBadge state="FAILING" label="Failing" tone="warning" />
  return <StateBadge state="ACTIVE" label="Enabled" />
}

/** A delivery's state. */
export function DeliveryBadge({
  delivery,
}: {
  delivery: { state: 'PENDING' | 'DELIVERED' | 'FAILED'; attempts?: number }
}) {
  if (delivery.state === 'DELIVERED') return <StateBadge state="SUCCESS" label="Delivered" />
  if (delivery.state === 'FAILED') return <StateBadge state="FAILED" label="Given up" />
  return delivery.attempts ? (
    <StateBadge state="RETRYING" label="Will be tried again" tone="warning" />
  ) : (
    <StateBadge state="PENDING" label="On its way" />
  )
}
