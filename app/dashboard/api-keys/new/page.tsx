import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { KeyForm } from '@/components/dashboard/members/key-form'
import { PageHeader } from '@/components/ui/page-header'
import { heldPermissions } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { createKey } from '../actions'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard.apiKeys')
  return { title: t('newTitle') }
}

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
