import { useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { Time } from '@/components/ui/time'
import { type AdminPurchase, deliveryStateOf } from './purchase-steps'

/** Every change of a purchase's state. */
export function PurchaseTimeline({ timeline }: Pick<AdminPurchase, 'timeline'>) {
  const t = useTranslations('dashboard.purchases')
  if (timeline.length === 0) return null
  return (
    <Card title={t('timeline.title')}>
      <ol className="divide-y text-sm">
        {timeline.map(({ at, detail, ...state }, index) => (
          <li key={index} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
            <span>
              <span>{t(`timeline.${deliveryStateOf(state)}`, { state: t(`states.${state.status}`) })}</span>
              {detail && (
                <span lang="en" className="block text-muted">
                  {detail}
                </span>
              )}
            </span>
            <span className="text-muted">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
