import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Send } from 'lucide-react'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { EmailDns } from '@/components/dashboard/email/email-dns'
import { EmailForm } from '@/components/dashboard/email/email-form'
import { EmailSuppressions } from '@/components/dashboard/email/email-suppressions'
import { PROVIDERS } from '@/components/dashboard/email/email-labels'
import { SettingsTabs } from '@/components/dashboard/shell/settings-tabs'
import { Alert } from '@/components/ui/alert'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/email-integrations'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { personOf } from '@/lib/platform/auth/person'
import { listEmailIntegrations } from '@/lib/messaging/email-integrations/list-email-integrations'
import { listSuppressions } from '@/lib/messaging/email-integrations/list-suppressions'
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

export const metadata: Metadata = { title: 'Email settings' }

const path = '/dashboard/settings/email'

type Integration = Awaited<ReturnType<typeof listEmailIntegrations>>['results'][number]

export default async function EmailSettingsPage({ searchParams }: PageProps<'/dashboard/settings/email'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listSuppressions.query, await searchParams)
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
      <PageHeader title="Settings" description="How mail reaches your recipients: links, PINs and receipts." />
      <SettingsTabs />
      {integration ? (
        <Own integration={integration} member={person?.email ?? null} mayWrite={mayWrite} />
      ) : (
        <Installation sender={sender} />
      )}
      {mayWrite && (
        <Card
          title={integration ? `Settings at ${PROVIDERS[integration.provider].name}` : 'Set up mail of your own'}
          description={
            integration
              ? 'After any change except the reply address, the settings must be activated again. To change the provider, delete them first.'
              : 'Recipients see your own address as the sender. Nothing changes until you activate it.'
          }
        >
          <EmailForm
            key={integration?.id ?? 'new'}
            action={
              integration ? updateEmailIntegrationAction.bind(null, integration.id) : createEmailIntegrationAction
            }
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
  return (
    <Card title="In use now">
      <Facts>
        <Fact name="Mail leaves by">This installation’s own server</Fact>
        <Fact name="Recipients see">“{sender}”, and the installation’s address</Fact>
      </Facts>
    </Card>
  )
}

const STATES = {
  PENDING: <StateBadge state="PENDING" label="Not activated yet" />,
  ACTIVE: <StateBadge state="ACTIVE" label="In use" />,
  FAILED: <StateBadge state="FAILED" label="Did not work" />,
} satisfies Record<Integration['status'], ReactNode>

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
  const active = status === 'ACTIVE'
  return (
    <Card title="In use now">
      <div className="grid gap-4">
        <Facts>
          <Fact name="Mail leaves by">
            {active ? PROVIDERS[provider].name : 'This installation’s own server, as long as yours isn’t activated'}
          </Fact>
          <Fact name={`Yours, at ${PROVIDERS[provider].name}`}>{STATES[status]}</Fact>
          <Fact name="Sender">{config.email_from}</Fact>
          <Fact name="Replies go to">{config.email_reply_to ?? 'The sender'}</Fact>
          {activated_at && (
            <Fact name="In use since">
              <Time at={activated_at} />
            </Fact>
          )}
        </Facts>
        {last_error && (
          <Alert
            tone={active ? 'warning' : 'danger'}
            title={active ? 'The last mail did not leave at once' : 'The test message did not leave'}
          >
            <span className="wrap-anywhere">{last_error}</span>
          </Alert>
        )}
        {mayWrite && (
          <>
            {!active && (
              <ActionForm action={activateEmailIntegrationAction.bind(null, id)}>
                <div className="flex flex-wrap items-center gap-3">
                  <Submit icon={<Send aria-hidden="true" className="size-4" />}>Activate</Submit>
                  <p className="text-sm text-muted wrap-anywhere">
                    Sends a test message to {member ?? 'you'}. When the mail server takes it, your mail leaves this way.
                  </p>
                </div>
              </ActionForm>
            )}
            <div className="flex flex-wrap gap-2">
              <ConfirmAction
                action={sendTestMailAction.bind(null, id)}
                trigger={<Button>Send a test message</Button>}
                title="Send a test message"
                description="It is sent with these settings, even if they aren’t active yet."
                confirm="Send it"
                tone="primary"
              >
                <Field label="To">
                  <Input name="email" type="email" defaultValue={member ?? ''} autoComplete="off" />
                </Field>
              </ConfirmAction>
              <ConfirmAction
                action={deleteEmailIntegrationAction.bind(null, id)}
                trigger={<Button variant="danger">Delete</Button>}
                title="Delete these settings?"
                description="The credentials are deleted. From then on, emails are sent by this installation’s own server, including those that are waiting. Stopped addresses stay stopped."
                confirm="Delete them"
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
  return (
    <Card
      title="Bounces and complaints"
      description="Enter this address at Mailgun under Sending, Webhooks, for the events Permanent Failure, Temporary Failure, Spam Complaints and Delivered Messages."
    >
      <p className="flex items-center gap-1 text-sm">
        <span className="figures break-all">{url}</span>
        <CopyButton text={url} label="Copy the webhook address" />
      </p>
    </Card>
  )
}
