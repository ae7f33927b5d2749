import { StateBadge } from '@/components/ui/badge'
import type { Tone } from '@/components/ui/badge'
import { PURCHASE_STATES } from '../listings/selling-labels'

type PurchaseState = { status: keyof typeof PURCHASE_STATES; fulfillment_status: string; price: string }

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
  const { status, fulfillment_status: fulfillment, price } = purchase
  if (status !== 'CONFIRMED') return <StateBadge state={status} label={PURCHASE_STATES[status]} tone={TONES[status]} />
  if (fulfillment === 'COMPLETED') return <StateBadge state="COMPLETED" label="Delivered" />
  if (fulfillment === 'EXCEPTION') return <StateBadge state="EXCEPTION" />
  return <StateBadge state="CONFIRMED" label={BigInt(price) === 0n ? 'Ordered' : 'Paid'} tone="info" />
}

/** Whether the purchase's state will change soon without the reader. */
export const isUnderWay = ({ status, fulfillment_status: fulfillment }: PurchaseState): boolean =>
  status === 'PENDING' || (status === 'CONFIRMED' && (fulfillment === 'PENDING' || fulfillment === 'ASSIGNED'))
