import { useTranslations } from 'next-intl'
import { StateBadge } from '@/components/ui/badge'

export type ClaimStanding = {
  claimed: boolean
  inactive_reason: string | null
  opened_at: Date | null
  last_pin_code_email_sent_at: Date | null
  redeemed_at: Date | null
  delivery: { state: string }
}

/** A claim's state in one word. */
export function ClaimBadge({ claim }: { claim: ClaimStanding }) {
  const t = useTranslations('dashboard.claims.badge')
  const { claimed, inactive_reason: reason, delivery } = claim
  if (claimed && delivery.state === 'CONFIRMED') return <StateBadge state="CONFIRMED" label={t('delivered')} />
  if (delivery.state === 'FAILED' && reason !== 'REVOKED')
    return <StateBadge state="FAILED" label={t('deliveryFailed')} />
  if (claimed || (claim.redeemed_at && delivery.state !== 'NOT_STARTED' && reason === null))
    return <StateBadge state="SUBMITTED" />
  if (reason !== null) return <StateBadge state={reason} />
  if (claim.last_pin_code_email_sent_at) return <StateBadge state="OPENED" label={t('pinSent')} tone="info" />
  if (claim.opened_at) return <StateBadge state="OPENED" label={t('opened')} tone="info" />
  return <StateBadge state="SENT" label={t('sent')} />
}

/** Whether the claim's state will change soon without the reader. */
export const isMoving = ({ claimed, delivery }: ClaimStanding): boolean =>
  claimed && ['NOT_STARTED', 'QUEUED', 'SUBMITTED'].includes(delivery.state)
