import { useTranslations } from 'next-intl'
import { StateBadge } from '@/components/ui/badge'
import type { Tone } from '@/components/ui/badge'
import type { INTENT_STATUSES } from '@/lib/platform/api/purchases'

type PurchaseState = { status: (typeof INTENT_STATUSES)[number]; fulfillment_status: string; price: string }

const TONES: Record<PurchaseState['status'], Tone> = {
  PENDING: 'info',
  CONFIRMED: 'positive',
  EXPIRED: 'neutral',
  CANCELLED: 'neutral',
  UNRESOLVED: 'warning',
  REFUNDED: 'neutral',
}

/** A purchase's state in one word. */
export function PurchaseBadge({ purchase }: { purchase: PurchaseState }) {
  const t = useTranslations('dashboard.purchases')
  const { status, fulfillment_status: fulfillment, price } = purchase
  if (status !== 'CONFIRMED') return <StateBadge state={status} label={t(`states.${status}`)} tone={TONES[status]} />
  if (fulfillment === 'COMPLETED') return <StateBadge state="COMPLETED" label={t('badge.delivered')} />
  if (fulfillment === 'EXCEPTION') return <StateBadge state="EXCEPTION" />
  return (
    <StateBadge state="CONFIRMED" label={BigInt(price) === 0n ? t('badge.ordered') : t('badge.paid')} tone="info" />
  )
}

/** Whether the purchase's state will change soon without the reader. */
export const isUnderWay = ({ status, fulfillment_status: fulfillment }: PurchaseState): boolean =>
  status === 'PENDING' || (status === 'CONFIRMED' && (fulfillment === 'PENDING' || fulfillment === 'ASSIGNED'))
