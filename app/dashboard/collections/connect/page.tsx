import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ConnectContractForm } from '@/components/dashboard/collections/connect-contract-form'
import { Alert } from '@/components/ui/alert'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { createCollectionAction } from '../actions'

export const generateMetadata = titled('dashboard.collections', 'connectContract')

export default async function ConnectContractPage() {
  const t = await getTranslations('dashboard.collections')
  const networks = networkFacts(await dashboardContext())
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/collections', label: t('title') }}
        title={t('connectContract')}
        description={t('connect.lead')}
      />
      {networks.length === 0 ? (
        <Alert tone="warning" title={t('noNetworks')}>
          {t('connect.askOperator')}
        </Alert>
      ) : (
        <ConnectContractForm action={createCollectionAction} networks={networks} cancel="/dashboard/collections" />
      )}
    </>
  )
}
