import type { Metadata } from 'next'
import { TemplatePage } from '../../template-page'

export const metadata: Metadata = { title: 'Template' }

export default async function GeneralTemplatePage({
  params,
  searchParams,
}: PageProps<'/dashboard/campaigns/templates/[type]'>) {
  const { type } = await params
  return <TemplatePage slug={type} campaignId={null} query={await searchParams} />
}
