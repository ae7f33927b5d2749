import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'

export default function NothingHere() {
  const t = useTranslations('dashboard')
  return (
    <>
      <PageHeader title={t('shell.notFound.title')} description={t('shell.notFound.lead')} />
      <div>
        <LinkButton href="/dashboard">{t('common.toOverview')}</LinkButton>
      </div>
    </>
  )
}
