import type { Metadata } from 'next'
import { TemplatePage } from '../../../template-page'

export const metadata: Metadata = { title: 'Template' }

export default async function CampaignTemplatePage({
  params,
  searchParams,
}: PageProps<'/dashboard/campaigns/[campaignId]/templates/[type]'>) {
  const { campaignId, type } = await params
  return <TemplatePage slug={type} campaignId={campaignId} query={await searchParams} />
}
