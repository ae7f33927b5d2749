import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { WebhookForm } from '@/components/dashboard/webhooks/webhook-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getWebhook } from '@/lib/messaging/webhooks/get-webhook'
import { updateWebhookAction } from '../../actions'
import { openedWebhook } from '../../opened-webhook'

export const generateMetadata = titled('dashboard.webhooks', 'form.edit')

export default async function EditWebhookPage({ params }: PageProps<'/dashboard/webhooks/[webhookId]/edit'>) {
  const { webhookId } = await params
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.webhooks')])
  const webhook = await orNotFound(webhookId, (id) => getWebhook(ctx, id))
  const back = `/dashboard/webhooks/${webhook.id}`
  const { name, url, events } = webhook
  return (
    <>
      <PageHeader back={{ href: back, label: name }} title={t('form.editTitle')} />
      <WebhookForm
        action={updateWebhookAction.bind(null, webhook.id)}
        webhook={{ name, url, events }}
        opened={openedWebhook(webhook)}
        submit={t('form.save')}
        cancel={back}
      />
    </>
  )
}
