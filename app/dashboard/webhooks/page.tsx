import type { Metadata } from 'next'
import { Plus } from 'lucide-react'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { DeliveryBadge, WebhookBadge } from '@/components/dashboard/webhooks/webhook-badge'
import { WebhookEvents } from '@/components/dashboard/webhooks/webhook-events'
import { eventsInWords } from '@/components/dashboard/webhooks/webhook-labels'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/webhooks'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { listWebhooks } from '@/lib/messaging/webhooks/list-webhooks'

export const metadata: Metadata = { title: 'Webhooks' }

const path = '/dashboard/webhooks'

export default async function WebhooksPage({ searchParams }: PageProps<'/dashboard/webhooks'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listWebhooks.query, await searchParams)
  const webhooks = await listWebhooks(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const make = may(ctx, 'webhooks:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      New webhook
    </LinkButton>
  )
  return (
    <>
      <ListPage
        path={path}
        title="Webhooks"
        description="Send events to your own programs as they happen: signed, retried for three days, and sent again whenever you like."
        actions={make}
        noun={['webhook', 'webhooks']}
        page={webhooks}
        cursor={query.cursor}
        empty={{
          title: 'No webhooks yet',
          action: make,
          children: 'Enter a URL. Whenever something is minted, sold or claimed, we send an event there.',
        }}
      >
        <Card flush>
          <Table caption="Webhooks">
            <Thead>
              <Th>Name</Th>
              <Th>Address</Th>
              <Th>Events</Th>
              <Th>State</Th>
              <Th>Last delivery</Th>
            </Thead>
            <Tbody>
              {webhooks.results.map((webhook) => (
                <Tr key={webhook.id}>
                  <Td rowHeader>
                    <TextLink href={`${path}/${webhook.id}`} className="wrap-anywhere">
                      {webhook.name}
                    </TextLink>
                  </Td>
                  <Td label="Address">
                    <span className="figures break-all">{webhook.url}</span>
                  </Td>
                  <Td label="Events">{eventsInWords(webhook.events)}</Td>
                  <Td label="State">
                    <WebhookBadge webhook={webhook} />
                  </Td>
                  <Td label="Last delivery">
                    {webhook.last_delivery ? (
                      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
                        <DeliveryBadge delivery={webhook.last_delivery} />
                        <RelativeTime at={webhook.last_delivery.created_at} />
                      </span>
                    ) : (
                      'None yet'
                    )}
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </Card>
      </ListPage>
      <WebhookEvents />
    </>
  )
}
