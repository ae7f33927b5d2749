import { titled } from '@/app/language/titled'
import { TemplatePage } from '../../../template-page'

export const generateMetadata = titled('dashboard.campaigns', 'templates.title')

export default async function CampaignTemplatePage({
  params,
  searchParams,
}: PageProps<'/dashboard/campaigns/[campaignId]/templates/[type]'>) {
  const { campaignId, type } = await params
  return <TemplatePage slug={type} campaignId={campaignId} query={await searchParams} />
}
