import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { WebhookRotation } from '@/components/dashboard/webhooks/webhook-rotation'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getWebhook } from '@/lib/messaging/webhooks/get-webhook'
import { rotateSecretAction } from '../../actions'

export const generateMetadata = titled('dashboard.webhooks', 'rotation.title')

export default async function RotateSecretPage({ params }: PageProps<'/dashboard/webhooks/[webhookId]/rotate'>) {
  const { webhookId } = await params
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.webhooks')])
  const webhook = await orNotFound(webhookId, (id) => getWebhook(ctx, id))
  const back = `/dashboard/webhooks/${webhook.id}`
  return (
    <>
      <PageHeader back={{ href: back, label: webhook.name }} title={t('rotation.title')} />
      <WebhookRotation action={rotateSecretAction.bind(null, webhook.id)} back={back} />
    </>
  )
}
