import type { ReactElement } from 'react'
import { useTranslations } from 'next-intl'
import { ChevronRight } from 'lucide-react'
import type { z } from 'zod'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { RelativeTime } from '@/components/ui/relative-time'
import { Time } from '@/components/ui/time'
import type { webhookDelivery } from '@/lib/platform/api/webhooks'
import { DeliveryBadge } from './webhook-badge'

type Delivery = z.output<typeof webhookDelivery>

/** Deliveries, newest first. Each expands to its payload and its attempts. */
export function WebhookDeliveries({
  deliveries,
  replay,
}: {
  deliveries: readonly Delivery[]
  replay: (delivery: Delivery) => ReactElement | false | null
}) {
  const t = useTranslations('dashboard.webhooks.deliveries')
  return (
    <ul className="divide-y">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <details className="group">
            <summary
              className={
                'flex list-none flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3 hover:bg-well/40 ' +
                'sm:px-6 [&::-webkit-details-marker]:hidden'
              }
            >
              <ChevronRight
                aria-hidden="true"
                className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
              />
              <span className="figures min-w-0 grow wrap-anywhere">{delivery.event_type}</span>
              {delivery.replay_of && <span className="text-sm text-muted">{t('isReplay')}</span>}
              <DeliveryBadge delivery={delivery} />
              <span className="text-sm text-muted">
                <RelativeTime at={delivery.created_at} />
              </span>
            </summary>
            <div className="grid gap-5 border-t bg-well/40 px-5 py-5 sm:px-6">
              <Facts>
                <Fact name={t('id')}>
                  <span className="figures break-all">{delivery.message_id}</span>
                </Fact>
                {delivery.delivered_at && (
                  <Fact name={t('delivered')}>
                    <Time at={delivery.delivered_at} />
                  </Fact>
                )}
                {delivery.next_attempt_at && delivery.attempts > 0 && (
                  <Fact name={t('next')}>
                    <Time at={delivery.next_attempt_at} />
                  </Fact>
                )}
              </Facts>
              <section className="grid gap-2">
                <h3 className="text-sm font-medium">{t('attempts', { count: delivery.log.length })}</h3>
                {delivery.log.length > 0 && (
                  <ol className="divide-y rounded-md border bg-pane">
                    {delivery.log.map((attempt) => (
                      <li key={attempt.created_at.toISOString()} className="grid gap-1 px-4 py-2.5 text-sm">
                        <span className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
                          <span className="figures">{attempt.status ?? t('noAnswer')}</span>
                          <span className="text-muted">
                            <Time at={attempt.created_at} />
                          </span>
                          <span className="text-muted">{t('milliseconds', { count: attempt.milliseconds })}</span>
                        </span>
                        {attempt.error && (
                          <span lang="en" className="text-bad wrap-anywhere">
                            {attempt.error}
                          </span>
                        )}
                        {attempt.answer && (
                          <span
                            className={`figures max-h-40 overflow-hidden whitespace-pre-wrap text-muted wrap-anywhere`}
                          >
                            {attempt.answer.slice(0, 600)}
                          </span>
                        )}
                      </li>
                    ))}
                  </ol>
                )}
              </section>
              <section className="grid gap-2">
                <div className="flex flex-wrap items-center justify-between gap-2">
                  <h3 className="text-sm font-medium">{t('payload')}</h3>
                  <CopyButton text={JSON.stringify(delivery.payload, null, 2)} label={t('copyPayload')} showLabel />
                </div>
                <pre className="figures rounded-md border bg-pane px-4 py-3 text-sm whitespace-pre-wrap wrap-anywhere">
                  {JSON.stringify(delivery.payload, null, 2)}
                </pre>
              </section>
              {replay(delivery)}
            </div>
          </details>
        </li>
      ))}
    </ul>
  )
}
