import type { Metadata } from 'next'
import { KeyRound, Pencil, RotateCcw, Send } from 'lucide-react'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Filters } from '@/components/dashboard/lists/filters'
import { hrefOf } from '@/components/dashboard/lists/href'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { WebhookBadge } from '@/components/dashboard/webhooks/webhook-badge'
import { WebhookDeliveries } from '@/components/dashboard/webhooks/webhook-deliveries'
import { WebhookSnippets } from '@/components/dashboard/webhooks/webhook-secret'
import { eventsInWords } from '@/components/dashboard/webhooks/webhook-labels'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Time } from '@/components/ui/time'
import { EVENT_TYPES, TEST_EVENT } from '@/lib/platform/api/events'
import * as api from '@/lib/platform/api/webhooks'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { readQuery } from '@/lib/platform/http/page-query'
import { getWebhook } from '@/lib/messaging/webhooks/get-webhook'
import { listDeliveries } from '@/lib/messaging/webhooks/list-deliveries'
import {
  deleteWebhookAction,
  replayDeliveryAction,
  replaySinceAction,
  testWebhookAction,
  turnWebhookAction,
} from '../actions'

export const metadata: Metadata = { title: 'Webhook' }

const STATES = { PENDING: 'On its way', DELIVERED: 'Delivered', FAILED: 'Given up' } as const
const SPANS = {
  1: 'The last hour',
  24: 'The last 24 hours',
  72: 'The last 3 days',
  168: 'The last 7 days',
  672: 'The last 4 weeks',
} as const

export default async function WebhookPage({ params, searchParams }: PageProps<'/dashboard/webhooks/[webhookId]'>) {
  const { webhookId } = await params
  const ctx = await dashboardContext()
  const query = readQuery(api.listWebhookDeliveries.query, await searchParams)
  const [webhook, deliveries] = await Promise.all([
    orNotFound(webhookId, (id) => getWebhook(ctx, id)),
    orNotFound(webhookId, (id) => listDeliveries(ctx, id, { ...query, limit: Math.min(query.limit, 25) })),
  ])
  const { state, event_type } = query
  const filtered = Boolean(state || event_type)
  const path = `/dashboard/webhooks/${webhook.id}`
  const enabled = webhook.status === 'ENABLED'
  const mayWrite = may(ctx, 'webhooks:write')
  const waiting = deliveries.results.filter((delivery) => delivery.state === 'PENDING')
  const fresh = waiting.some(({ attempts }) => attempts === 0)
  return (
    <>
      {enabled && waiting.length > 0 && <Refresh everySeconds={fresh ? 2 : 10} />}
      <PageHeader
        back={{ href: '/dashboard/webhooks', label: 'Webhooks' }}
        title={webhook.name}
        badge={<WebhookBadge webhook={webhook} />}
        description={<span className="figures break-all">{webhook.url}</span>}
        actions={
          mayWrite && (
            <>
              {enabled && (
                <ActionForm action={testWebhookAction.bind(null, webhook.id)}>
                  <Submit variant="secondary" icon={<Send aria-hidden="true" className="size-4" />}>
                    Send a test event
                  </Submit>
                </ActionForm>
              )}
              <LinkButton href={`${path}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                Edit
              </LinkButton>
              <Turn webhook={webhook} />
              <ConfirmAction
                action={deleteWebhookAction.bind(null, webhook.id)}
                trigger={<Button variant="danger">Delete</Button>}
                title="Delete this webhook?"
                description="No more events are sent, and its deliveries are deleted. This can’t be undone."
                confirm="Delete the webhook"
                type={webhook.name}
              />
            </>
          )
        }
      />
      {!enabled && (
        <Alert tone={webhook.disabled_reason ? 'danger' : 'info'} title="Nothing is sent.">
          {webhook.disabled_reason && `${webhook.disabled_reason} `}
          Events that happen meanwhile aren’t lost: once it is enabled, replay what it missed.
        </Alert>
      )}
      {enabled && webhook.failing_since && (
        <Alert tone="warning" title="Every attempt fails.">
          Since <Time at={webhook.failing_since} />. After 5 days of nothing but failures the webhook is disabled, and
          owners and admins get a mail.
        </Alert>
      )}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          {(filtered || deliveries.total_results > 0) && (
            <Filters path={path} active={filtered}>
              <Field label="State">
                <Select name="state" defaultValue={state ?? ''}>
                  <option value="">Any</option>
                  {Object.entries(STATES).map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </Select>
              </Field>
              <Field label="Event">
                <Select name="event_type" defaultValue={event_type ?? ''}>
                  <option value="">Any</option>
                  {[...EVENT_TYPES, TEST_EVENT].map((value) => (
                    <option key={value} value={value}>
                      {value}
                    </option>
                  ))}
                </Select>
              </Field>
            </Filters>
          )}
          <Card
            flush
            title="Deliveries"
            description="Newest first. Old ones are deleted after some months."
            actions={mayWrite && enabled && <Replay webhookId={webhook.id} />}
          >
            {deliveries.results.length > 0 ? (
              <div className="border-t">
                <WebhookDeliveries
                  deliveries={deliveries.results}
                  replay={(delivery) =>
                    mayWrite &&
                    enabled && (
                      <ActionForm action={replayDeliveryAction.bind(null, webhook.id, delivery.id)}>
                        <div>
                          <Submit
                            variant="secondary"
                            size="sm"
                            icon={<RotateCcw aria-hidden="true" className="size-4" />}
                          >
                            {delivery.state === 'PENDING' ? 'Try it now' : 'Send it again'}
                          </Submit>
                        </div>
                      </ActionForm>
                    )
                  }
                />
              </div>
            ) : filtered ? (
              <EmptyState title="No deliveries match" action={<LinkButton href={path}>Show all</LinkButton>} />
            ) : (
              <EmptyState title="Nothing sent yet">
                Send a test event to check your receiver. Every delivery is listed here, with the response.
              </EmptyState>
            )}
          </Card>
          <Pager
            first={query.cursor ? hrefOf(path, { state, event_type }) : null}
            next={deliveries.cursor && hrefOf(path, { state, event_type, cursor: deliveries.cursor })}
            total={deliveries.total_results}
            noun={deliveries.total_results === 1 ? 'delivery' : 'deliveries'}
          />
        </div>
        <div className="grid min-w-0 gap-6">
          <Card title="Events">
            {webhook.events.length <= 2 ? (
              <p className="text-sm">{eventsInWords(webhook.events)}</p>
            ) : (
              <ul className="figures grid gap-1 text-sm">
                {webhook.events.map((event) => (
                  <li key={event}>{event}</li>
                ))}
              </ul>
            )}
          </Card>
          <Card title="Signing secret">
            <Facts>
              <Fact name="Signs">{webhook.previous_secret_until ? 'Both secrets' : 'One secret'}</Fact>
              {webhook.previous_secret_until && (
                <Fact name="The old one until">
                  <Time at={webhook.previous_secret_until} />
                </Fact>
              )}
            </Facts>
            {mayWrite && (
              <LinkButton
                href={`${path}/rotate`}
                size="sm"
                className="mt-3"
                icon={<KeyRound aria-hidden="true" className="size-4" />}
              >
                Replace it
              </LinkButton>
            )}
          </Card>
        </div>
      </div>
      <WebhookSnippets />
    </>
  )
}

function Turn({ webhook }: { webhook: { id: string; status: 'ENABLED' | 'DISABLED' } }) {
  if (webhook.status === 'DISABLED')
    return (
      <ActionForm action={turnWebhookAction.bind(null, webhook.id, 'ENABLED')}>
        <Submit>Enable</Submit>
      </ActionForm>
    )
  return (
    <ConfirmAction
      action={turnWebhookAction.bind(null, webhook.id, 'DISABLED')}
      trigger={<Button>Disable</Button>}
      title="Disable this webhook?"
      description="No more events are sent, and waiting deliveries are dropped. You can enable it at any time and send what it missed again."
      confirm="Disable it"
      tone="primary"
    />
  )
}

function Replay({ webhookId }: { webhookId: string }) {
  return (
    <ConfirmAction
      action={replaySinceAction.bind(null, webhookId)}
      trigger={
        <Button size="sm" icon={<RotateCcw aria-hidden="true" className="size-4" />}>
          Replay
        </Button>
      }
      title="Send events again"
      description="Oldest first, with their original ids, so that your receiver can skip what it already has. Deliveries in progress aren’t affected."
      confirm="Send them"
      tone="primary"
    >
      <Field label="Events of">
        <Select name="hours" defaultValue="24">
          {Object.entries(SPANS).map(([hours, words]) => (
            <option key={hours} value={hours}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <Checkbox
        name="only_failed:flag"
        defaultChecked
        label="Only failed deliveries"
        hint="Failed permanently, or never sent because the webhook was disabled or didn’t exist yet."
      />
    </ConfirmAction>
  )
}
