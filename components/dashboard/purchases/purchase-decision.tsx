import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import type { FormAction } from '@/lib/platform/api/form-action'
import type { RESOLUTIONS } from '@/lib/platform/api/purchase-decisions'
import { ConfirmAction } from '../forms/confirm-action'
import type { AdminPurchase } from './purchase-steps'

type Outcome = (typeof RESOLUTIONS)[number]

/**
 * The outcomes that can still be declared of an unresolved purchase. Whether one was paid is known here, unless its
 * card account was lost before.
 */
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
  const t = useTranslations('dashboard.purchases.decision')
  const outcomes = outcomesOf(purchase)
  if (outcomes.length === 0) return null
  return (
    <span className="mt-3 flex flex-wrap gap-3">
      {outcomes.map((outcome) => (
        <ConfirmAction
          key={outcome}
          action={actionOf(outcome)}
          trigger={<Button variant="secondary">{t(`${outcome}.label`)}</Button>}
          title={t(`${outcome}.title`)}
          description={t(`${outcome}.text`)}
          confirm={t('confirm')}
        />
      ))}
    </span>
  )
}
