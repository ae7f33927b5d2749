import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { Send } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { EmailDns } from '@/components/dashboard/email/email-dns'
import { EmailForm } from '@/components/dashboard/email/email-form'
import { EmailSuppressions } from '@/components/dashboard/email/email-suppressions'
import { SettingsTabs } from '@/components/dashboard/shell/settings-tabs'
import { Alert } from '@/components/ui/alert'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { FormField } from '@/components/dashboard/forms/action-form'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/email-integrations'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { personOf } from '@/lib/platform/auth/person'
import { listEmailIntegrations } from '@/lib/messaging/email-integrations/list-email-integrations'
import { listSuppressions } from '@/lib/messaging/email-integrations/list-suppressions'
import { shownOf } from '@/lib/platform/http/changed-fields'
import { readQuery } from '@/lib/platform/http/page-query'
import { defaultSenderOf, senderFactsOf } from '@/lib/messaging/campaigns/show-campaign'
import {
  activateEmailIntegrationAction,
  allowAgainAction,
  createEmailIntegrationAction,
  deleteEmailIntegrationAction,
  sendTestMailAction,
  updateEmailIntegrationAction,
} from './actions'

export const generateMetadata = titled('dashboard.settings.mail', 'title')

const path = '/dashboard/settings/email'

type Integration = Awaited<ReturnType<typeof listEmailIntegrations>>['results'][number]

export default async function EmailSettingsPage({ searchParams }: PageProps<'/dashboard/settings/email'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listSuppressions.query, await searchParams)
  const [t, tSettings] = await Promise.all([
    getTranslations('dashboard.settings.mail'),
    getTranslations('dashboard.settings'),
  ])
  const [{ results }, suppressions, sender, person] = await Promise.all([
    listEmailIntegrations(ctx, { limit: 1 }),
    listSuppressions(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    senderFactsOf(ctx).then(defaultSenderOf),
    personOf(ctx),
  ])
  const [integration] = results
  const mayWrite = may(ctx, 'email_integrations:write')
  return (
    <>
      <PageHeader title={tSettings('title')} description={t('lead')} />
      <SettingsTabs />
      {integration ? (
        <Own integration={integration} member={person?.email ?? null} mayWrite={mayWrite} />
      ) : (
        <Installation sender={sender} />
      )}
      {mayWrite && (
        <Card
          title={integration ? t('settingsAt', { provider: t(`providers.${integration.provider}.name`) }) : t('setUp')}
          description={integration ? t('settingsLead') : t('setUpLead')}
        >
          <EmailForm
            key={integration?.id ?? 'new'}
            action={
              integration ? updateEmailIntegrationAction.bind(null, integration.id) : createEmailIntegrationAction
            }
            {...(integration && { opened: shownOf(integration, ['config']) })}
            current={integration ?? null}
            sender={sender}
          />
        </Card>
      )}
      {integration && <EmailDns integration={integration} />}
      {integration?.webhook_url && <Events url={integration.webhook_url} />}
      <EmailSuppressions
        path={path}
        query={query}
        page={suppressions}
        allowAgain={mayWrite ? (id) => allowAgainAction.bind(null, id) : null}
      />
    </>
  )
}

function Installation({ sender }: { sender: string }) {
  const t = useTranslations('dashboard.settings.mail')
  return (
    <Card title={t('inUse')}>
      <Facts>
        <Fact name={t('leavesBy')}>{t('installation')}</Fact>
        <Fact name={t('see')}>{t('seen', { sender })}</Fact>
      </Facts>
    </Card>
  )
}

function Own({
  integration,
  member,
  mayWrite,
}: {
  integration: Integration
  member: string | null
  mayWrite: boolean
}) {
  const { id, provider, status, config, last_error, activated_at } = integration
  const t = useTranslations('dashboard.settings.mail')
  const active = status === 'ACTIVE'
  return (
    <Card title={t('inUse')}>
      <div className="grid gap-4">
        <Facts>
          <Fact name={t('leavesBy')}>{active ? t(`providers.${provider}.name`) : t('installationUntil')}</Fact>
          <Fact name={t('yours', { provider: t(`providers.${provider}.name`) })}>
            <StateBadge state={status} label={t(`states.${status}`)} />
          </Fact>
          <Fact name={t('sender')}>{config.email_from}</Fact>
          <Fact name={t('repliesTo')}>{config.email_reply_to ?? t('theSender')}</Fact>
          {activated_at && (
            <Fact name={t('inUseSince')}>
              <Time at={activated_at} />
            </Fact>
          )}
        </Facts>
        {last_error && (
          <Alert tone={active ? 'warning' : 'danger'} title={active ? t('lastFailed') : t('testFailed')}>
            <span className="wrap-anywhere">{last_error}</span>
          </Alert>
        )}
        {mayWrite && (
          <>
            {!active && (
              <ActionForm action={activateEmailIntegrationAction.bind(null, id)}>
                <div className="flex flex-wrap items-center gap-3">
                  <Submit icon={<Send aria-hidden="true" className="size-4" />}>{t('activate')}</Submit>
                  <p className="text-sm text-muted wrap-anywhere">
                    {t('activateLead', { email: member ?? t('toYou') })}
                  </p>
                </div>
              </ActionForm>
            )}
            <div className="flex flex-wrap gap-2">
              <ConfirmAction
                action={sendTestMailAction.bind(null, id)}
                draft="test"
                trigger={<Button>{t('test')}</Button>}
                title={t('test')}
                description={t('testLead')}
                confirm={t('testIt')}
                tone="primary"
              >
                <FormField name="email" label={t('to')}>
                  <Input name="email" type="email" defaultValue={member ?? ''} autoComplete="off" />
                </FormField>
              </ConfirmAction>
              <ConfirmAction
                action={deleteEmailIntegrationAction.bind(null, id)}
                trigger={<Button variant="danger">{t('delete')}</Button>}
                title={t('deleteTitle')}
                description={t('deleteLead')}
                confirm={t('deleteIt')}
                type={config.email_from ?? provider}
              />
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function Events({ url }: { url: string }) {
  const t = useTranslations('dashboard.settings.mail')
  return (
    <Card title={t('events')} description={t('eventsLead')}>
      <p className="flex items-center gap-1 text-sm">
        <span className="figures break-all">{url}</span>
        <CopyButton text={url} label={t('copyWebhook')} />
      </p>
    </Card>
  )
}
