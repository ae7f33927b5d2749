import type { Metadata } from 'next'
import { WebhookForm } from '@/components/dashboard/webhooks/webhook-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { createWebhookAction } from '../actions'

export const metadata: Metadata = { title: 'New webhook' }

export default async function NewWebhookPage() {
  await dashboardContext()
  return (
    <>
      <PageHeader back={{ href: '/dashboard/webhooks', label: 'Webhooks' }} title="New webhook" />
      <WebhookForm action={createWebhookAction} submit="Create the webhook" cancel="/dashboard/webhooks" />
    </>
  )
}
