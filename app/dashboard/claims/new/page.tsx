import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { BulkSendForm } from '@/components/dashboard/claims/bulk-send-form'
import { ClaimForm } from '@/components/dashboard/claims/claim-form'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCampaignChoices } from '@/lib/messaging/campaigns/list-campaign-choices'
import { OrderPage } from '../../items/order-page'
import { sendClaimAction, sendManyAction } from '../actions'

export const generateMetadata = titled('dashboard.claims', 'list.send')

const cancel = '/dashboard/claims'

export default async function SendItemPage({ searchParams }: PageProps<'/dashboard/claims/new'>) {
  const given = await searchParams
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.claims')])
  const campaigns = may(ctx, 'campaigns:read') ? await listCampaignChoices(ctx, { limit: 100 }) : []
  const campaignId = typeof given.campaign_id === 'string' ? given.campaign_id : null
  return (
    <OrderPage
      path="/dashboard/claims/new"
      back={{ href: cancel, label: t('title') }}
      verb="send"
      searchParams={given}
      one={({ item, editions }) => (
        <ClaimForm
          action={sendClaimAction}
          itemId={item.id}
          editions={editions}
          campaigns={campaigns}
          campaignId={campaignId}
          cancel={cancel}
        />
      )}
      many={(items) => (
        <BulkSendForm
          action={sendManyAction}
          items={items.map(({ item, title, collectionName }) => ({ id: item.id, title, collectionName }))}
          campaigns={campaigns}
          campaignId={campaignId}
          cancel={cancel}
        />
      )}
    />
  )
}
