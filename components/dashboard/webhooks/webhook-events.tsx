import { useTranslations } from 'next-intl'
import { ChevronRight } from 'lucide-react'
import { Card } from '@/components/ui/card'
import { EVENTS } from '@/lib/platform/api/events'
import { EVENT_GROUPS } from './webhook-labels'

/** The events: when each occurs, and its data. */
export function WebhookEvents() {
  const t = useTranslations('dashboard.webhooks')
  return (
    <Card
      flush
      title={t('eventsCard.title')}
      description={t('eventsCard.text', { shape: '{type, id, organization_id, timestamp, data}' })}
    >
      <div className="divide-y border-t">
        {EVENT_GROUPS.flatMap(({ events }) => events).map((event) => (
          <details key={event} className="group">
            <summary
              className={
                'flex list-none items-start gap-3 px-5 py-3 hover:bg-well/40 sm:px-6 ' +
                '[&::-webkit-details-marker]:hidden'
              }
            >
              <ChevronRight
                aria-hidden="true"
                className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
              />
              <span className="grid min-w-0 gap-x-6 gap-y-0.5 text-sm sm:grid-cols-[11rem_1fr]">
                <span className="figures">{event}</span>
                <span className="text-muted">{t(`events.${event}`)}</span>
              </span>
            </summary>
            <pre className="figures border-t bg-well/40 px-5 py-4 text-sm whitespace-pre-wrap wrap-anywhere sm:px-6">
              {JSON.stringify(EVENTS[event].data, null, 2)}
            </pre>
          </details>
        ))}
      </div>
    </Card>
  )
}
