import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { KeyForm } from '@/components/dashboard/members/key-form'
import { PageHeader } from '@/components/ui/page-header'
import { heldPermissions } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { createKey } from '../actions'

export const generateMetadata = titled('dashboard.apiKeys', 'newTitle')

export default async function NewApiKeyPage() {
  const ctx = await dashboardContext()
  const t = await getTranslations('dashboard.apiKeys')
  return (
    <>
      <PageHeader back={{ href: '/dashboard/api-keys', label: t('title') }} title={t('newTitle')} />
      <KeyForm
        action={createKey}
        mine={heldPermissions(ctx)}
        testnetsOnly={networkFacts(ctx).every(({ testnet }) => testnet)}
      />
    </>
  )
}
