import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { WebhookForm } from '@/components/dashboard/webhooks/webhook-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { createWebhookAction } from '../actions'

export const generateMetadata = titled('dashboard.webhooks', 'list.new')

export default async function NewWebhookPage() {
  const [t] = await Promise.all([getTranslations('dashboard.webhooks'), dashboardContext()])
  return (
    <>
      <PageHeader back={{ href: '/dashboard/webhooks', label: t('title') }} title={t('list.new')} />
      <WebhookForm action={createWebhookAction} submit={t('form.create')} cancel="/dashboard/webhooks" />
    </>
  )
}
