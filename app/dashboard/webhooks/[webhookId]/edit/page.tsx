import type { Metadata } from 'next'
import { WebhookForm } from '@/components/dashboard/webhooks/webhook-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getWebhook } from '@/lib/messaging/webhooks/get-webhook'
import { updateWebhookAction } from '../../actions'

export const metadata: Metadata = { title: 'Edit webhook' }

export default async function EditWebhookPage({ params }: PageProps<'/dashboard/webhooks/[webhookId]/edit'>) {
  const { webhookId } = await params
  const ctx = await dashboardContext()
  const webhook = await orNotFound(webhookId, (id) => getWebhook(ctx, id))
  const back = `/dashboard/webhooks/${webhook.id}`
  const { name, url, events } = webhook
  return (
    <>
      <PageHeader back={{ href: back, label: name }} title="Edit the webhook" />
      <WebhookForm
        action={updateWebhookAction.bind(null, webhook.id)}
        webhook={{ name, url, events }}
        submit="Save"
        cancel={back}
      />
    </>
  )
}
