import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { TemplatePage } from '../../template-page'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard.campaigns')
  return { title: t('templates.title') }
}

export default async function GeneralTemplatePage({
  params,
  searchParams,
}: PageProps<'/dashboard/campaigns/templates/[type]'>) {
  const { type } = await params
  return <TemplatePage slug={type} campaignId={null} query={await searchParams} />
}
