import { titled } from '@/app/language/titled'
import { TemplatePage } from '../../template-page'

export const generateMetadata = titled('dashboard.campaigns', 'templates.title')

export default async function GeneralTemplatePage({
  params,
  searchParams,
}: PageProps<'/dashboard/campaigns/templates/[type]'>) {
  const { type } = await params
  return <TemplatePage slug={type} campaignId={null} query={await searchParams} />
}
