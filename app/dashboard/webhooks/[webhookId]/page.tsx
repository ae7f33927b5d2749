import { useTranslations } from 'next-intl'
import { getLocale, getTranslations } from 'next-intl/server'
import { KeyRound, Pencil, RotateCcw, Send } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { FilterForm } from '@/components/dashboard/lists/filter-form'
import { hrefOf } from '@/components/dashboard/lists/href'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { WebhookBadge } from '@/components/dashboard/webhooks/webhook-badge'
import { WebhookDeliveries } from '@/components/dashboard/webhooks/webhook-deliveries'
import { WebhookSnippets } from '@/components/dashboard/webhooks/webhook-secret'
import { eventsInWords } from '@/components/dashboard/webhooks/webhook-labels'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Sentence } from '@/components/ui/sentence'
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

export const generateMetadata = titled('dashboard.webhooks', 'one.title')

const STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const
/** For how many hours back events can be sent again. */
const SPANS = [1, 24, 72, 168, 672] as const

export default async function WebhookPage({ params, searchParams }: PageProps<'/dashboard/webhooks/[webhookId]'>) {
  const { webhookId } = await params
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.webhooks'), getLocale()])
  const query = readQuery(api.listWebhookDeliveries.query, await searchParams)
  const [webhook, deliveries] = await Promise.all([
    orNotFound(webhookId, (id) => getWebhook(ctx, id)),
    orNotFound(webhookId, (id) => listDeliveries(ctx, id, { ...query, limit: Math.min(query.limit, 25) })),
  ])
  const { state, event_type } = query
  const states = STATES.map((value) => [value, t(`deliveries.states.${value}`)] as const)
  const filtered = Boolean(state || event_type)
  const path = `/dashboard/webhooks/${webhook.id}`
  const { failing_since: failingSince } = webhook
  const enabled = webhook.status === 'ENABLED'
  const mayWrite = may(ctx, 'webhooks:write')
  const waiting = deliveries.results.filter((delivery) => delivery.state === 'PENDING')
  const fresh = waiting.some(({ attempts }) => attempts === 0)
  return (
    <>
      <Refresh everySeconds={enabled && waiting.length > 0 && (fresh ? 2 : 10)} />
      <PageHeader
        back={{ href: '/dashboard/webhooks', label: t('title') }}
        title={webhook.name}
        badge={<WebhookBadge webhook={webhook} />}
        description={<span className="figures break-all">{webhook.url}</span>}
        actions={
          mayWrite && (
            <>
              {enabled && (
                <ActionForm action={testWebhookAction.bind(null, webhook.id)}>
                  <Submit variant="secondary" icon={<Send aria-hidden="true" className="size-4" />}>
                    {t('one.test')}
                  </Submit>
                </ActionForm>
              )}
              <LinkButton href={`${path}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                {t('one.edit')}
              </LinkButton>
              <Turn webhook={webhook} />
              <ConfirmAction
                action={deleteWebhookAction.bind(null, webhook.id)}
                trigger={<Button variant="danger">{t('one.delete')}</Button>}
                title={t('one.deleteTitle')}
                description={t('one.deleteText')}
                confirm={t('one.deleteConfirm')}
                type={webhook.name}
              />
            </>
          )
        }
      />
      {!enabled && (
        <Alert tone={webhook.disabled_reason ? 'danger' : 'info'} title={t('one.nothingSent')}>
          {webhook.disabled_reason && (
            <span>{`${locale === 'en' ? webhook.disabled_reason : t('one.autoDisabled')} `}</span>
          )}
          <span>{t('one.notLost')}</span>
        </Alert>
      )}
      {enabled && failingSince && (
        <Alert tone="warning" title={t('one.failingTitle')}>
          <Sentence>{t.rich('one.failing', { moment: () => <Time at={failingSince} /> })}</Sentence>
        </Alert>
      )}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          {(filtered || deliveries.total_results > 0) && (
            <FilterForm
              path={path}
              query={query}
              filters={[
                { name: 'state', label: t('deliveries.state'), options: states, any: t('deliveries.any') },
                {
                  name: 'event_type',
                  label: t('deliveries.event'),
                  options: [...EVENT_TYPES, TEST_EVENT].map((type) => [type, type]),
                  any: t('deliveries.any'),
                },
              ]}
            />
          )}
          <Card
            flush
            title={t('deliveries.title')}
            description={t('deliveries.description')}
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
                            {delivery.state === 'PENDING' ? t('deliveries.tryNow') : t('deliveries.sendAgain')}
                          </Submit>
                        </div>
                      </ActionForm>
                    )
                  }
                />
              </div>
            ) : filtered ? (
              <EmptyState
                title={t('deliveries.noneMatch')}
                action={<LinkButton href={path}>{t('deliveries.showAll')}</LinkButton>}
              />
            ) : (
              <EmptyState title={t('deliveries.emptyTitle')}>{t('deliveries.empty')}</EmptyState>
            )}
          </Card>
          <Pager
            first={query.cursor ? hrefOf(path, { state, event_type }) : null}
            next={deliveries.cursor && hrefOf(path, { state, event_type, cursor: deliveries.cursor })}
            total={deliveries.total_results}
            noun={deliveries.total_results === 1 ? t('deliveries.noun.one') : t('deliveries.noun.other')}
          />
        </div>
        <div className="grid min-w-0 gap-6">
          <Card title={t('one.events')}>
            {webhook.events.length <= 2 ? (
              <p className="text-sm">{eventsInWords(webhook.events, t)}</p>
            ) : (
              <ul className="figures grid gap-1 text-sm">
                {webhook.events.map((event) => (
                  <li key={event}>{event}</li>
                ))}
              </ul>
            )}
          </Card>
          <Card title={t('one.secret')}>
            <Facts>
              <Fact name={t('one.signs')}>
                {webhook.previous_secret_until ? t('one.bothSecrets') : t('one.oneSecret')}
              </Fact>
              {webhook.previous_secret_until && (
                <Fact name={t('one.oldUntil')}>
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
                {t('one.replace')}
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
  const t = useTranslations('dashboard.webhooks.one')
  if (webhook.status === 'DISABLED')
    return (
      <ActionForm action={turnWebhookAction.bind(null, webhook.id, 'ENABLED')}>
        <Submit>{t('enable')}</Submit>
      </ActionForm>
    )
  return (
    <ConfirmAction
      action={turnWebhookAction.bind(null, webhook.id, 'DISABLED')}
      trigger={<Button>{t('disable')}</Button>}
      title={t('disableTitle')}
      description={t('disableText')}
      confirm={t('disableConfirm')}
      tone="primary"
    />
  )
}

function Replay({ webhookId }: { webhookId: string }) {
  const t = useTranslations('dashboard.webhooks.replay')
  return (
    <ConfirmAction
      action={replaySinceAction.bind(null, webhookId)}
      draft="replay"
      trigger={
        <Button size="sm" icon={<RotateCcw aria-hidden="true" className="size-4" />}>
          {t('action')}
        </Button>
      }
      title={t('title')}
      description={t('text')}
      confirm={t('confirm')}
      tone="primary"
    >
      <Field label={t('of')}>
        <Select name="hours" defaultValue="24">
          {SPANS.map((hours) => (
            <option key={hours} value={hours}>
              {t(`spans.h${hours}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Checkbox name="only_failed:flag" defaultChecked label={t('onlyFailed')} hint={t('onlyFailedHint')} />
    </ConfirmAction>
  )
}
