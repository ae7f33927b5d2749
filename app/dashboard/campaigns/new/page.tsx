import type { Metadata } from 'next'
import { CampaignForm } from '@/components/dashboard/campaigns/campaign-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { defaultSenderOf, senderFactsOf } from '@/lib/messaging/campaigns/show-campaign'
import { createCampaignAction } from '../actions'

export const metadata: Metadata = { title: 'New campaign' }

export default async function NewCampaignPage() {
  const ctx = await dashboardContext()
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/campaigns', label: 'Campaigns' }}
        title="New campaign"
        description="Claims and listings that belong together, with one sender, one set of emails and one set of figures."
      />
      <CampaignForm
        action={createCampaignAction}
        defaultSender={defaultSenderOf(await senderFactsOf(ctx))}
        submit="Make it"
        cancel="/dashboard/campaigns"
      />
    </>
  )
}
