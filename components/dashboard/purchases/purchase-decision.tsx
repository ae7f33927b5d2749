import { Button } from '@/components/ui/button'
import type { FormAction } from '@/lib/platform/api/form-action'
import type { RESOLUTIONS } from '@/lib/platform/api/purchase-decisions'
import { ConfirmAction } from '../forms/confirm-action'
import type { AdminPurchase } from './purchase-steps'

type Outcome = (typeof RESOLUTIONS)[number]

const WORDS: Record<Outcome, { label: string; title: string; description: string }> = {
  DELIVERED: {
    label: 'It was delivered',
    title: 'Was it paid and delivered?',
    description: 'The purchase counts as sold and delivered. Units that are still set aside for it are free again.',
  },
  REFUNDED: {
    label: 'It was refunded',
    title: 'Was it paid and refunded?',
    description:
      'Choose this if the card provider already returned the money to the buyer. Nothing more is refunded here.',
  },
  NOT_PAID: {
    label: 'Nobody paid',
    title: 'Was it never paid?',
    description: 'The purchase ends, and its units can be sold again.',
  },
}

/** What can still be said of an unresolved purchase. Whether one was paid is known here, unless its card account was lost before. */
const outcomesOf = ({ payment }: AdminPurchase): readonly Outcome[] =>
  payment?.state === 'CANCELLING'
    ? ['DELIVERED', 'REFUNDED', 'NOT_PAID']
    : payment?.state === 'SUCCEEDED'
      ? ['DELIVERED']
      : []

/** Lets a person say what became of an unresolved purchase. */
export function PurchaseDecision({
  purchase,
  actionOf,
}: {
  purchase: AdminPurchase
  actionOf: (outcome: Outcome) => FormAction
}) {
  const outcomes = outcomesOf(purchase)
  if (outcomes.length === 0) return null
  return (
    <span className="mt-3 flex flex-wrap gap-3">
      {outcomes.map((outcome) => (
        <ConfirmAction
          key={outcome}
          action={actionOf(outcome)}
          trigger={<Button variant="secondary">{WORDS[outcome].label}</Button>}
          title={WORDS[outcome].title}
          description={`${WORDS[outcome].description} It can’t be undone.`}
          confirm="Record it"
        />
      ))}
    </span>
  )
}
