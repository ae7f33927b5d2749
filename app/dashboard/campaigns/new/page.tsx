import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { CampaignForm } from '@/components/dashboard/campaigns/campaign-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { defaultSenderOf, senderFactsOf } from '@/lib/messaging/campaigns/show-campaign'
import { createCampaignAction } from '../actions'

export const generateMetadata = titled('dashboard.campaigns', 'list.new')

export default async function NewCampaignPage() {
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.campaigns')])
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/campaigns', label: t('title') }}
        title={t('list.new')}
        description={t('new.description')}
      />
      <CampaignForm
        action={createCampaignAction}
        defaultSender={defaultSenderOf(await senderFactsOf(ctx))}
        submit={t('new.submit')}
        cancel="/dashboard/campaigns"
      />
    </>
  )
}
