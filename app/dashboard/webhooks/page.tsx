import { getTranslations } from 'next-intl/server'
import { Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { DeliveryBadge, WebhookBadge } from '@/components/dashboard/webhooks/webhook-badge'
import { WebhookEvents } from '@/components/dashboard/webhooks/webhook-events'
import { eventsInWords } from '@/components/dashboard/webhooks/webhook-labels'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/webhooks'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { listWebhooks } from '@/lib/messaging/webhooks/list-webhooks'

export const generateMetadata = titled('dashboard.webhooks', 'title')

const path = '/dashboard/webhooks'

export default async function WebhooksPage({ searchParams }: PageProps<'/dashboard/webhooks'>) {
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.webhooks')])
  const query = readQuery(api.listWebhooks.query, await searchParams)
  const webhooks = await listWebhooks(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const make = may(ctx, 'webhooks:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      {t('list.new')}
    </LinkButton>
  )
  return (
    <>
      <ListPage
        path={path}
        title={t('title')}
        description={t('list.description')}
        actions={make}
        noun={[t('noun.one'), t('noun.other')]}
        page={webhooks}
        query={query}
        empty={{
          title: t('list.emptyTitle'),
          action: make,
          children: t('list.empty'),
        }}
      >
        <Card flush>
          <DataTable
            caption={t('title')}
            rows={webhooks.results}
            columns={[
              {
                label: t('list.name'),
                cell: (webhook) => (
                  <TextLink href={`${path}/${webhook.id}`} className="wrap-anywhere">
                    {webhook.name}
                  </TextLink>
                ),
              },
              { label: t('list.address'), cell: (webhook) => <span className="figures break-all">{webhook.url}</span> },
              { label: t('list.events'), cell: (webhook) => eventsInWords(webhook.events, t) },
              { label: t('list.state'), cell: (webhook) => <WebhookBadge webhook={webhook} /> },
              {
                label: t('list.last'),
                cell: (webhook) =>
                  webhook.last_delivery ? (
                    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
                      <DeliveryBadge delivery={webhook.last_delivery} />
                      <RelativeTime at={webhook.last_delivery.created_at} />
                    </span>
                  ) : (
                    t('list.noneYet')
                  ),
              },
            ]}
          />
        </Card>
      </ListPage>
      <WebhookEvents />
    </>
  )
}
